// The words that simulated names are made of. None is the name of a known coin, company or person.

const list = (words: string): readonly string[] => words.trim().split(/\s+/);

/** Beginnings and ends of coined words: each beginning goes with each end. */
export const STEMS = list(`
  Kest Morv Drav Fenn Glim Hesk Lant Nemb Rusk Thal Umbr Vint Wyl Zeph Bryn Cind Ferr Grav Harn Jask Lysk Tamb Ondr Perr Sarn
  Tolv Varn Welk Brev Corv Delv Eld Fross Gald Holm Kerr Lind Mell Nyv Orm Quen Ravn Trev Uln Vesp Wist Yrs Zarn Quil Isk Osk`);
export const ENDS = list(`
  oria andel arin aven avia edra elis enna eron essa iel ilon inor ista olen ondo osia une uvia yra ysia ander anth ilde ombra`);

export const FIRST_WORDS = list(`
  Amber Ashen Autumn Azure Brass Bright Calm Cedar Clear Cobalt Copper Coral Crimson Distant Early Eastern Ember Fallow Floating
  Frosted Gentle Gilded Glass Hidden Hollow Honest Indigo Iron Ivory Jade Kindred Linen Lost Lucid Marble Meadow Mellow Midnight
  Misty Moss Narrow Northern Opal Outer Paper Patient Pearl Pine Quiet Rising River Rowan Saffron Salt Silent Silver Slow Southern
  Steady Still Stone Sunlit Tall Timber Twin Upper Velvet Violet Wandering Warm Western White Willow Winter Woven`);
export const SECOND_WORDS = list(`
  Alcove Almanac Anvil Arbor Attic Bay Beacon Bell Bough Brook Cairn Canopy Causeway Cellar Chapel Cliff Compass Cove Crossing
  Dale Dune Estuary Fable Fathom Fern Field Fjord Ford Forge Garden Glade Grove Harbor Haven Hearth Heath Hill Inlet Isle Lagoon
  Lantern Larch Lattice Ledge Lighthouse Loom Lyre Marsh Mast Mesa Mill Moor Oak Observatory Orchard Parade Pasture Pier Pillar
  Plateau Pond Prairie Quarry Quay Rampart Reed Ridge Sail Shore Sparrow Spire Strait Summit Sundial Terrace Thicket Thistle Tide
  Trail Vale Vessel Village Vineyard Wagon Weir Wharf Window Yard`);

export const MOODS = list(`
  Baffled Bashful Bouncy Brave Chubby Clumsy Cosy Curious Dapper Dizzy Dozy Drowsy Fancy Fluffy Gallant Giddy Grumpy Humble Hungry
  Jolly Lazy Lucky Merry Mighty Modest Nimble Noble Peckish Perky Plucky Polite Proud Puzzled Restless Rusty Shy Sleepy Smug Snoring
  Snug Soggy Sunny Tiny Wobbly Yawning Zesty`);
export const ANIMALS = list(`
  Alpaca Armadillo Badger Beaver Bison Capybara Chinchilla Cormorant Cricket Donkey Dormouse Duckling Ferret Finch Gecko Gosling
  Grouse Hamster Hare Hedgehog Heron Ibex Jackdaw Kingfisher Lemur Llama Lobster Magpie Manatee Marmot Mole Moose Narwhal Newt Numbat
  Ocelot Osprey Otter Pangolin Pelican Platypus Possum Puffin Quail Quokka Raccoon Robin Salamander Sloth Snail Squirrel Stoat Stork
  Tapir Toad Tortoise Vole Wallaby Walrus Weasel Wombat Yak`);

export const GIVEN_NAMES = list(`
  Adelmo Alisanne Amaro Anneth Arvid Belisa Benno Brisa Calder Cosima Dagny Davin Edda Elvar Emrik Ennis Fabia Fenna Galen Gisela
  Hesper Ilvana Imre Iskra Jorun Kaisa Kelda Lazar Leontin Linnea Lorcan Maresa Milo Nadira Nevin Odalis Orsola Pavo Perrin Quilla
  Renata Rohan Sabela Sanna Sefton Tamsin Teodor Tindra Toren Ulla Umeko Vanja Velda Wendel Xenia Yaro Zadie Zoltan`);
export const FAMILY_STEMS = list(`
  Ard Bram Brast Cald Corm Dren Elst Farr Gild Hast Ingl Jarn Kell Lund Marv Nort Orl Pell Quill Rand Sten Tarv Ulm Vent Wex Yarl`);
export const FAMILY_ENDS = list(`
  ane aby ander aro by eby eck egard elin enby eras ero etti ick igan ingham isk itz olva onde ora oski ova ow una ursby wen wick`);
