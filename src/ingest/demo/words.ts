// The words that simulated names are made of. None is the name of a known coin, company or person.

/** Beginnings and ends of coined words: each beginning goes with each end. */
export const STEMS = list(`
  Vel Tar Kor Mar Nor Syl Bel Cal Dor Fal Hal Jor Kal Lor Mir Nal Pel Quil Ral Sel Tal Val Wen Xan Yar Zel Bran Cren Drav
  Fenn Glim Hesk Isk Kest Lant Morv Nemb Osk Prim Rusk Thal Umbr Vint Wyl Zeph Arn Bryn Cind Est Ferr Grav Harn Ith Jask
  Lysk Tamb Ondr Perr Sarn Tolv Varn Welk Aln Brev Corv Delv Eld Fross Gald Holm Ilm Kerr Lind Mell Nyv Orm Pand Quen Ravn
  Solv Trev Uln Vesp Wist Yrs Zarn
`);

export const ENDS = list(`
  ora oria ara andel arin aro asta aven avia edra elis ena enna era eron essa eth iana idor iel ilon ima inor ion iro ista
  itra olen oma ona ondo opia osia une uvia yra ysia ander anth ilde ombra endra avel orin umar
`);

export const FIRST_WORDS = list(`
  Amber Ashen Autumn Azure Bold Brass Bright Broken Calm Cedar Clear Cobalt Copper Coral Crimson Crystal Distant Dusty Early
  Eastern Ember Even Fallow First Floating Fourth Frosted Gentle Gilded Glass Green Hidden Hollow Honest Indigo Inner Iron
  Ivory Jade Kindred Last Linen Lost Lucid Marble Meadow Mellow Midnight Misty Moss Narrow Ninth Northern Opal Open Outer
  Paper Patient Pearl Pine Quiet Rapid Red Rising River Rowan Saffron Salt Second Seventh Silent Silver Sixth Slow Sober
  Southern Spare Steady Still Stone Sunlit Tall Tenth Third Timber Twin Upper Velvet Violet Wandering Warm Western White
  Wild Willow Winter Woven
`);

export const SECOND_WORDS = list(`
  Acre Alcove Almanac Anvil Arbor Atlas Attic Bay Beacon Bell Bough Brook Cairn Canopy Causeway Cellar Chapel Cliff Compass
  Cove Creek Crossing Current Dale Delta Dune Echo Estuary Fable Fathom Fern Field Fjord Ford Forge Garden Gate Glade Grove
  Harbor Haven Hearth Heath Hill Hollow Horizon House Inlet Island Isle Lagoon Lantern Larch Lattice Ledge Lighthouse Loom
  Lyre March Marsh Mast Mesa Mill Moor Oak Oasis Observatory Orchard Parade Pasture Path Pier Pillar Plateau
  Pond Prairie Quarry Quay Rampart Reed Reef Ridge Road Sail Saddle Shore Sparrow Spire Spring Station Strait Summit Sundial
  Terrace Thicket Thistle Tide Tower Trail Vale Valley Vessel Village Vineyard Wagon Walk Weir Well Wharf Window Wood Yard
`);

export const MOODS = list(`
  Baffled Bashful Bouncy Brave Chubby Clumsy Cosy Curious Dapper Dizzy Dozy Drowsy Fancy Fluffy Fuzzy Gallant Giddy Grumpy
  Happy Humble Hungry Jolly Lazy Lucky Merry Mighty Modest Nimble Noble Peckish Perky Plucky Polite Proud Puzzled Restless
  Rusty Shy Sleepy Smug Snoring Snug Soggy Sunny Tiny Tipsy Wobbly Yawning Zesty
`);

export const ANIMALS = list(`
  Alpaca Armadillo Badger Beaver Bison Capybara Chinchilla Cormorant Cricket Donkey Dormouse Duckling Ferret Finch Gecko
  Gosling Grouse Hamster Hare Hedgehog Heron Ibex Jackdaw Kingfisher Kiwi Lemur Llama Lobster Loris Magpie Manatee Marmot
  Mole Moose Narwhal Newt Numbat Ocelot Osprey Otter Oyster Pangolin Pelican Platypus Possum Puffin Quail Quokka Raccoon
  Robin Salamander Seal Sloth Snail Squirrel Stoat Stork Tapir Toad Tortoise Vole Wallaby Walrus Weasel Wombat Yak
`);

export const GIVEN_NAMES = list(`
  Adelmo Aivre Alisanne Amaro Anneth Arvid Belisa Benno Brisa Calder Carmo Cosima Dagny Davin Delphine Edda Elvar Emrik
  Ennis Fabia Farrin Fenna Galen Gisela Hadrin Hesper Ilvana Imre Iskra Jaleh Jorun Kaisa Kelda Lazar Leontin Linnea Lorcan
  Maresa Milo Mirek Nadira Nevin Odalis Orsola Oskar Pavo Perrin Quilla Rasmin Renata Rohan Sabela Sanna Sefton Solvei Tamsin
  Teodor Tindra Toren Ulla Umeko Vanja Velda Wendel Wilmar Xenia Yaro Yelena Zadie Zoltan
`);

/** Halves of family names: each first half goes with each second half. */
export const FAMILY_BEGINNINGS = list(`
  Ard Bram Brast Cald Corm Dren Elst Farr Gild Hast Ingl Jarn Kell Lund Marv Nort Orl Pell Quill Rand Sten Tarv Ulm Vent
  Wex Yarl Zand Thorn Holm Ash
`);

export const FAMILY_ENDS = list(`
  ane aby ander aro by eby eck egard elin enby eras ero etti ick igan ingham isk itz olva onde ora oski ova ow una ursby
  wen wick yard ystra
`);

/** Invented ways of mining. */
export const HASH_ALGORITHMS = [
  'Tidehash',
  'Granite-512',
  'Mossroll',
  'Kelp-R',
  'Anvil3',
  'Lodestone',
  'Fjordmix',
] as const;

function list(words: string): readonly string[] {
  return words.trim().split(/\s+/);
}
