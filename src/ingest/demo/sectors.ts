// The sectors of the simulated universe: how their assets are named, tagged and described, and how they move.

export type SectorId =
  | 'payments'
  | 'platforms'
  | 'exchanges'
  | 'lending'
  | 'storage'
  | 'games'
  | 'memes'
  | 'privacy'
  | 'oracles'
  | 'bridges'
  | 'identity'
  | 'energy'
  | 'art'
  | 'stable';

export type NameStyle = 'coined' | 'coined-with-word' | 'two-words' | 'animal';

export interface Sector {
  readonly id: SectorId;
  /** How many of the generated assets belong to it; 0 leaves it to the cast. */
  readonly weight: number;
  /** The share of its assets that have a chain of their own. */
  readonly coins: number;
  readonly styles: readonly NameStyle[];
  /** Second words of its names. */
  readonly words: readonly string[];
  /** How strongly its assets follow the market factor, from and to. */
  readonly beta: readonly [number, number];
  /** Daily deviation of its assets' own noise, from and to. */
  readonly noise: readonly [number, number];
  /** Name of the thing, after "a simulated". */
  readonly noun: string;
  /** Ends of the sentence "a simulated … that …". */
  readonly purposes: readonly string[];
  readonly tags: readonly string[];
}

export const SECTORS: readonly Sector[] = [
  {
    id: 'payments',
    weight: 10,
    coins: 0.8,
    styles: ['coined', 'coined', 'two-words', 'coined-with-word'],
    words: ['Pay', 'Cash', 'Coin', 'Mint', 'Purse', 'Tender'],
    beta: [0.75, 1.05],
    noise: [0.012, 0.028],
    noun: 'payment network',
    purposes: [
      'settles small purchases between shops and phones',
      'moves money across borders in a few seconds',
      'lets market stalls take payments without a bank in between',
      'was made for saving: its supply grows more slowly every year',
      'pays wages by the hour, in amounts too small for a bank',
    ],
    tags: ['payments', 'store-of-value', 'remittances', 'micropayments'],
  },
  {
    id: 'platforms',
    weight: 11,
    coins: 1,
    styles: ['coined', 'coined', 'coined-with-word', 'two-words'],
    words: ['Network', 'Chain', 'Protocol', 'Core', 'Layer', 'Foundry'],
    beta: [0.95, 1.35],
    noise: [0.018, 0.035],
    noun: 'platform for smart contracts',
    purposes: [
      'runs programs of its users in parallel on thousands of machines',
      'checks every contract with a proof before it accepts it',
      'gives each application a lane of its own, so that none slows another',
      'keeps fees flat by letting blocks grow and shrink with demand',
      'was designed to be run on a phone',
    ],
    tags: ['smart-contracts', 'platform', 'scalability', 'developer-tools'],
  },
  {
    id: 'exchanges',
    weight: 10,
    coins: 0.15,
    styles: ['coined-with-word', 'coined', 'two-words'],
    words: ['Swap', 'Exchange', 'Markets', 'Dex', 'Desk', 'Pool'],
    beta: [1, 1.4],
    noise: [0.022, 0.04],
    noun: 'token of a decentralized exchange',
    purposes: [
      'rewards those who lend their coins to its trading pools',
      'gives its holders a vote on fees and new markets',
      'matches orders in sealed batches, so that nobody can run ahead',
      'offers futures on everything from grain to rainfall',
    ],
    tags: ['decentralized-exchange', 'defi', 'governance', 'derivatives'],
  },
  {
    id: 'lending',
    weight: 9,
    coins: 0.1,
    styles: ['coined-with-word', 'two-words', 'coined'],
    words: ['Finance', 'Credit', 'Vault', 'Yield', 'Treasury', 'Reserve'],
    beta: [1, 1.35],
    noise: [0.02, 0.038],
    noun: 'lending protocol',
    purposes: [
      'lends against pledged coins at a rate that follows demand',
      'pools the savings of villages and lends them to workshops',
      'splits deposits into a safe share and a daring one',
      'insures deposits out of the fees of borrowers',
    ],
    tags: ['lending', 'defi', 'governance', 'insurance'],
  },
  {
    id: 'storage',
    weight: 7,
    coins: 0.5,
    styles: ['coined', 'two-words', 'coined-with-word'],
    words: ['Archive', 'Cloud', 'Storage', 'Compute', 'Grid', 'Shelf'],
    beta: [0.9, 1.25],
    noise: [0.02, 0.036],
    noun: 'storage and computing network',
    purposes: [
      'rents out the empty half of hard disks',
      'keeps public records readable for a hundred years',
      'lends idle graphics cards to film studios at night',
      'spreads every file over at least forty towns',
    ],
    tags: ['storage', 'computing', 'infrastructure', 'archives'],
  },
  {
    id: 'games',
    weight: 11,
    coins: 0.1,
    styles: ['two-words', 'coined', 'coined-with-word', 'animal'],
    words: ['Quest', 'Arena', 'Realm', 'Legends', 'Play', 'Guild'],
    beta: [1.05, 1.5],
    noise: [0.028, 0.05],
    noun: 'currency of a game',
    purposes: [
      'is earned by sailing cargo between player-built harbors',
      'buys seeds, tools and land in a slow farming world',
      'is staked on races between clockwork animals',
      'pays the players who draw the maps of its dungeons',
      'opens the gates of a city that its players govern',
    ],
    tags: ['gaming', 'collectibles', 'virtual-worlds', 'play-to-earn'],
  },
  {
    id: 'memes',
    weight: 13,
    coins: 0.05,
    styles: ['animal', 'animal', 'two-words'],
    words: ['Club', 'Party', 'Army', 'Fan Club', 'Society'],
    beta: [1.1, 1.7],
    noise: [0.04, 0.075],
    noun: 'meme token',
    purposes: [
      'has no purpose but its mascot, and says so',
      'began as a drawing on a napkin',
      'gives a tenth of every transfer to an imaginary animal shelter',
      'celebrates naps, snacks and slow afternoons',
      'exists because somebody lost a bet',
    ],
    tags: ['meme', 'community', 'animals', 'tipping'],
  },
  {
    id: 'privacy',
    weight: 5,
    coins: 1,
    styles: ['coined', 'two-words'],
    words: ['Veil', 'Shade', 'Cipher', 'Hush'],
    beta: [0.8, 1.1],
    noise: [0.018, 0.034],
    noun: 'privacy coin',
    purposes: [
      'hides amounts and receivers by default, and lets an owner open the books to one reader',
      'mixes every payment with a hundred others',
      'proves that a payment is valid without showing it',
    ],
    tags: ['privacy', 'payments', 'zero-knowledge', 'cash'],
  },
  {
    id: 'oracles',
    weight: 6,
    coins: 0.15,
    styles: ['coined', 'coined-with-word', 'two-words'],
    words: ['Oracle', 'Data', 'Feed', 'Signal', 'Index'],
    beta: [1, 1.3],
    noise: [0.02, 0.036],
    noun: 'data network',
    purposes: [
      'brings weather, freight rates and harvest reports onto chains',
      'pays thermometers and tide gauges for honest readings',
      'lets applications ask for any public figure and punishes wrong answers',
    ],
    tags: ['oracle', 'data', 'infrastructure', 'sensors'],
  },
  {
    id: 'bridges',
    weight: 6,
    coins: 0.4,
    styles: ['coined-with-word', 'two-words', 'coined'],
    words: ['Bridge', 'Relay', 'Link', 'Passage', 'Ferry'],
    beta: [1, 1.35],
    noise: [0.022, 0.038],
    noun: 'bridge between chains',
    purposes: [
      'carries coins from one chain to another under the eyes of sworn watchers',
      'turns messages of one chain into transactions of the next',
      'lets an account live on many chains at once',
    ],
    tags: ['interoperability', 'bridge', 'infrastructure', 'scalability'],
  },
  {
    id: 'identity',
    weight: 5,
    coins: 0.3,
    styles: ['coined', 'coined-with-word', 'two-words'],
    words: ['ID', 'Passport', 'Seal', 'Registry', 'Name'],
    beta: [0.9, 1.2],
    noise: [0.02, 0.036],
    noun: 'identity registry',
    purposes: [
      'keeps diplomas and licences that their owners can show without a copy',
      'hands out names that nobody can take away',
      'proves an age without a birthday',
    ],
    tags: ['identity', 'zero-knowledge', 'enterprise', 'governance'],
  },
  {
    id: 'energy',
    weight: 5,
    coins: 0.3,
    styles: ['coined-with-word', 'two-words', 'coined'],
    words: ['Energy', 'Grid', 'Solar', 'Power', 'Mobility'],
    beta: [0.8, 1.15],
    noise: [0.02, 0.038],
    noun: 'energy market',
    purposes: [
      'trades the surplus of rooftop panels within a street',
      'pays car batteries for steadying the grid at noon',
      'counts saved carbon ton by ton',
    ],
    tags: ['energy', 'sensors', 'enterprise', 'mobility'],
  },
  {
    id: 'art',
    weight: 6,
    coins: 0.05,
    styles: ['two-words', 'coined', 'coined-with-word'],
    words: ['Gallery', 'Studio', 'Records', 'Canvas', 'Press'],
    beta: [1, 1.45],
    noise: [0.026, 0.048],
    noun: 'token of a collective of artists',
    purposes: [
      'shares the income of songs with everyone who played on them',
      'lets readers fund a novel chapter by chapter',
      'splits the ownership of paintings into a thousand parts',
    ],
    tags: ['art', 'collectibles', 'music', 'community'],
  },
  {
    id: 'stable',
    weight: 0,
    coins: 0,
    styles: ['two-words'],
    words: ['Dollar'],
    beta: [0, 0],
    noise: [0, 0],
    noun: 'stablecoin',
    purposes: [
      'is backed by short-term bonds in an imaginary vault',
      'is redeemed at par by an issuer that does not exist',
      'is kept at its peg by pledged coins worth half as much again',
    ],
    tags: ['stablecoin', 'payments', 'defi', 'remittances'],
  },
];

export function sectorOf(id: SectorId): Sector {
  return SECTORS.find(sector => sector.id === id)!;
}
