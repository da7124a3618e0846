// The sectors of the simulated universe: how their assets are named, tagged and described, and how they move.

export interface Sector {
  readonly id: string;
  /** Name of the thing, after "a simulated". */
  readonly noun: string;
  /** How many of the generated assets belong to it; 0 leaves it to the assets chosen by hand. */
  readonly weight: number;
  /** The share of its assets that have a chain of their own. */
  readonly coins: number;
  /** How its assets move (`Motion`), on average. */
  readonly beta: number;
  readonly noise: number;
  /** Second words of its names. */
  readonly words: readonly string[];
  /** The first is on each of its assets. */
  readonly tags: readonly string[];
  /** Ends of the sentence "a simulated … that …". */
  readonly purposes: readonly string[];
}

type Numbers = [weight: number, coins: number, beta: number, noise: number];

function sector(id: string, noun: string, numbers: Numbers, words: string, tags: string, purposes: string): Sector {
  const [weight, coins, beta, noise] = numbers;
  const lists = { words: words.split(' '), tags: tags.split(' '), purposes: purposes.split(/;\s+/) };
  return { id, noun, weight, coins, beta, noise, ...lists };
}

// biome-ignore format: a table
export const SECTORS: readonly Sector[] = [
  sector('payments', 'payment network', [10, 0.8, 0.9, 0.02], 'Pay Cash Coin Mint Purse Tender',
    'payments store-of-value remittances micropayments', `settles small purchases between shops and phones;
    moves money across borders in a few seconds; lets market stalls take payments without a bank in between;
    pays wages by the hour, in amounts too small for a bank`),
  sector('platforms', 'platform for smart contracts', [11, 1, 1.15, 0.026], 'Network Chain Protocol Core Layer Foundry',
    'smart-contracts platform scalability developer-tools', `runs programs of its users in parallel on thousands of machines;
    checks every contract with a proof before it accepts it; was designed to be run on a phone;
    gives each application a lane of its own, so that none slows another; keeps fees flat by letting blocks grow and shrink`),
  sector('exchanges', 'token of a decentralized exchange', [10, 0.15, 1.2, 0.031], 'Swap Exchange Markets Dex Desk Pool',
    'decentralized-exchange defi governance derivatives', `rewards those who lend their coins to its trading pools;
    gives its holders a vote on fees and new markets; offers futures on everything from grain to rainfall;
    matches orders in sealed batches, so that nobody can run ahead`),
  sector('lending', 'lending protocol', [9, 0.1, 1.15, 0.029], 'Finance Credit Vault Yield Treasury Reserve',
    'lending defi governance insurance', `lends against pledged coins at a rate that follows demand;
    pools the savings of villages and lends them to workshops; splits deposits into a safe share and a daring one;
    insures deposits out of the fees of borrowers`),
  sector('storage', 'storage and computing network', [7, 0.5, 1.1, 0.028], 'Archive Cloud Storage Compute Grid Shelf',
    'storage computing infrastructure archives', `rents out the empty half of hard disks;
    keeps public records readable for a hundred years; lends idle graphics cards to film studios at night;
    spreads every file over at least forty towns`),
  sector('games', 'currency of a game', [11, 0.1, 1.25, 0.039], 'Quest Arena Realm Legends Play Guild',
    'gaming collectibles virtual-worlds play-to-earn', `is earned by sailing cargo between player-built harbors;
    buys seeds, tools and land in a slow farming world; is staked on races between clockwork animals;
    pays the players who draw the maps of its dungeons; opens the gates of a city that its players govern`),
  sector('memes', 'meme token', [13, 0.05, 1.4, 0.057], 'Club Party Army Fans Society',
    'meme community animals tipping', `has no purpose but its mascot, and says so; began as a drawing on a napkin;
    gives a tenth of every transfer to an imaginary animal shelter; celebrates naps, snacks and slow afternoons;
    exists because somebody lost a bet`),
  sector('privacy', 'privacy coin', [5, 1, 0.95, 0.026], 'Veil Shade Cipher Hush',
    'privacy payments zero-knowledge cash', `mixes every payment with a hundred others;
    hides amounts and receivers, and lets an owner open the books to one reader; proves a payment without showing it`),
  sector('oracles', 'data network', [6, 0.15, 1.15, 0.028], 'Oracle Data Feed Signal Index',
    'oracle data infrastructure sensors', `brings weather, freight rates and harvest reports onto chains;
    pays thermometers and tide gauges for honest readings; answers any public question and punishes wrong answers`),
  sector('bridges', 'bridge between chains', [6, 0.4, 1.2, 0.03], 'Bridge Relay Link Passage Ferry',
    'interoperability bridge infrastructure scalability', `turns messages of one chain into transactions of the next;
    carries coins from one chain to another under the eyes of sworn watchers; lets an account live on many chains at once`),
  sector('identity', 'identity registry', [5, 0.3, 1.05, 0.028], 'ID Passport Seal Registry Name',
    'identity zero-knowledge enterprise governance', `hands out names that nobody can take away; proves an age without a birthday;
    keeps diplomas and licences that their owners can show without a copy`),
  sector('energy', 'energy market', [5, 0.3, 1, 0.029], 'Energy Grid Solar Power Mobility',
    'energy sensors enterprise mobility', `trades the surplus of rooftop panels within a street;
    pays car batteries for steadying the grid at noon; counts saved carbon ton by ton`),
  sector('art', "token of an artists' collective", [6, 0.05, 1.2, 0.037], 'Gallery Studio Records Canvas Press',
    'art collectibles music community', `shares the income of songs with everyone who played on them;
    lets readers fund a novel chapter by chapter; splits the ownership of paintings into a thousand parts`),
  sector('stable', 'stablecoin', [0, 0, 0, 0], 'Dollar',
    'stablecoin payments defi remittances', `is backed by short-term bonds in an imaginary vault;
    is redeemed at par by an issuer that does not exist; is kept at its peg by pledged coins worth half as much again`),
];
