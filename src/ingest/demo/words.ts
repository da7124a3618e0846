// The sectors of the simulated universe, and the words that names are made of. None is the name of a known coin, company or person.

const list = (words: string): readonly string[] => words.trim().split(/\s+/);

/** Beginnings and ends of coined words, which name assets and families: each beginning goes with each end. */
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
  Plateau Pond Prairie Quarry Quay Rampart Reed Ridge Sail Shore Sparrow Spire Strait Summit Sundial Terrace Thicket Thistle Tide`);
export const ANIMALS = list(`
  Alpaca Armadillo Badger Beaver Capybara Chinchilla Cricket Donkey Dormouse Duckling Ferret Finch Gecko Gosling Hamster Hedgehog
  Heron Ibex Lemur Llama Lobster Magpie Manatee Marmot Moose Narwhal Ocelot Pelican Platypus Puffin Quokka Raccoon Sloth Snail Wombat`);

export const GIVEN_NAMES = list(`
  Adelmo Alisanne Amaro Anneth Arvid Belisa Benno Brisa Calder Cosima Dagny Davin Edda Elvar Emrik Ennis Fabia Fenna Galen Gisela
  Hesper Ilvana Imre Iskra Jorun Kaisa Kelda Lazar Leontin Linnea Lorcan Maresa Milo Nadira Nevin Odalis Orsola Pavo Perrin Quilla`);

/** What the assets of each sector are, and what some of them do. */
const PURPOSES = {
  payments: `payment network: settles small purchases between shops and phones;
    pays wages by the hour, in amounts too small for a bank`,
  platforms: `platform for smart contracts: runs programs of its users in parallel on thousands of machines;
    checks every contract with a proof before it accepts it; was designed to be run on a phone;
    keeps fees flat by letting blocks grow and shrink`,
  exchanges: `decentralized exchange: offers futures on everything from grain to rainfall;
    matches orders in sealed batches, so that nobody can trade ahead of the others`,
  lending: `lending protocol: lends against pledged coins at a rate that follows demand;
    pools the savings of villages and lends them to workshops`,
  storage: `storage and computing network: rents out the empty half of hard disks;
    lends idle graphics cards to film studios at night`,
  games: `currency of a game: is earned by sailing cargo between player-built harbors;
    buys seeds, tools and land in a slow farming world; is staked on races between clockwork animals;
    pays the players who draw the maps of its dungeons`,
  memes: `meme token: has no purpose but its mascot, and says so; began as a drawing on a napkin;
    exists because somebody lost a bet; gives a tenth of every transfer to an imaginary animal shelter;
    celebrates naps, snacks and slow afternoons`,
  oracles: `data network: brings weather, freight rates and harvest reports onto chains;
    pays thermometers and tide gauges for honest readings`,
  energy: `energy market: trades the surplus of rooftop panels within a street;
    pays car batteries for steadying the grid at noon`,
  art: `token of an artists' collective: shares the income of songs with everyone who played on them;
    lets readers fund a novel chapter by chapter`,
  stable: `stablecoin: is backed by short-term bonds in an imaginary vault;
    is redeemed at par by an issuer that does not exist`,
};

export type SectorId = keyof typeof PURPOSES;
export type Sector = ReturnType<typeof sector>;

/**
 * `coins` is the share of its assets that have a chain of their own. Prices move on average with `beta` and `noise` (see `DemoAsset`).
 * `words` end its names, and the first of `tags` is on each asset. An asset is "a simulated `noun` that" does one of `purposes`.
 */
function sector(id: SectorId, coins: number, beta: number, noise: number, words: string, tags: string) {
  const [noun, ...purposes] = PURPOSES[id].split(/[:;]\s+/);
  return { id, noun, coins, beta, noise, words: words.split(' '), tags: tags.split(', '), purposes };
}

export const SECTORS: readonly Sector[] = [
  sector('payments', 0.8, 0.9, 0.02, 'Pay Cash Coin Mint Purse', 'Payments, Savings, Remittances'),
  sector('platforms', 1, 1.15, 0.026, 'Network Chain Core Layer', 'Platform, Scalability, Smart Contracts'),
  sector('exchanges', 0.15, 1.2, 0.031, 'Swap Exchange Markets Desk', 'Exchange, DeFi, Derivatives, Governance'),
  sector('lending', 0.1, 1.15, 0.029, 'Finance Credit Vault Yield Reserve', 'Lending, DeFi, Governance, Insurance'),
  sector('storage', 0.5, 1.1, 0.028, 'Archive Cloud Shelf', 'Storage, Computing, Infrastructure, Archives'),
  sector('games', 0.1, 1.25, 0.039, 'Quest Arena Realm Guild', 'Gaming, Collectibles, Virtual Worlds, Community'),
  sector('memes', 0.05, 1.4, 0.057, 'Club Party Army Fans Society', 'Meme, Community, Animals, Tipping'),
  sector('oracles', 0.15, 1.15, 0.028, 'Oracle Data Feed Signal Index', 'Oracle, Data, Infrastructure, Sensors'),
  sector('energy', 0.3, 1, 0.029, 'Energy Grid Solar Power', 'Energy, Sensors, Enterprise, Mobility'),
  sector('art', 0.05, 1.2, 0.037, 'Gallery Studio Records Canvas', 'Art, Collectibles, Music, Community'),
  sector('stable', 0, 0, 0.0003, 'Dollar', 'Stablecoin, Payments, DeFi, Remittances'),
];
