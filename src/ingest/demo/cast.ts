// The assets chosen by hand: networks that tokens live on, stablecoins, and one of each case that a screener must cope
// with. They are listed on the first day and stay.

/** How a price moves. */
export interface Motion {
  /** How strongly it follows the market and its sector; 0 for a pegged or a fixed price. */
  readonly beta: number;
  /** The daily deviation of its own noise, and the share of that noise that is drawn back per day. */
  readonly noise: number;
  readonly pull: number;
}

/** What few assets have. */
export interface Particulars {
  /** Days are missing from its series. */
  readonly gaps?: boolean;
  /** It loses its peg every few years. */
  readonly breaks?: boolean;
  /** The end of the sentence "a simulated … that …", if one of its sector's would not do. */
  readonly purpose?: string;
}

/** `price` is in US dollars, `cap` the market capitalisation at that price. */
type Chosen = readonly [
  type: 'coin' | 'token',
  symbol: string,
  name: string,
  sector: string,
  price: number,
  cap: number,
  Motion,
  Particulars?,
];

const steady: Motion = { beta: 0.7, noise: 0.01, pull: 1 / 120 };
const lively: Motion = { beta: 1.15, noise: 0.02, pull: 1 / 300 };
const wild: Motion = { beta: 1.2, noise: 0.045, pull: 1 / 90 };
const pegged: Motion = { beta: 0, noise: 0.0003, pull: 0.4 };
const loose: Motion = { beta: 0, noise: 0.001, pull: 0.4 };
const fixed: Motion = { beta: 0, noise: 0, pull: 0 };

// biome-ignore format: a table
export const CAST: readonly Chosen[] = [
  // The price near 1e5.
  ['coin', 'ALDM', 'Aldermoor', 'payments', 96_000, 4.8e11, steady, { purpose: 'was made for saving: its supply grows more slowly every year' }],
  ['coin', 'VELR', 'Veloria', 'platforms', 2_900, 2.1e11, lively],
  ['coin', 'KSTL', 'Kestrel Network', 'platforms', 148, 6.4e10, lively],
  ['coin', 'TSDR', 'Tessandra', 'platforms', 0.62, 2.2e10, lively],
  ['coin', 'ORNT', 'Orrinth Chain', 'platforms', 7.4, 9.5e9, lively],
  ['token', 'HRBD', 'Harbor Dollar', 'stable', 1, 8.6e10, pegged],
  ['token', 'PLND', 'Plainsong Dollar', 'stable', 1, 3.1e10, pegged],
  ['token', 'CDRD', 'Cedar Dollar', 'stable', 1, 4.4e9, pegged],
  ['token', 'QRYD', 'Quarry Dollar', 'stable', 1, 7.2e8, loose],
  ['token', 'LNTD', 'Lantern Dollar', 'stable', 1, 1.9e8, loose],
  ['token', 'NLEU', 'Northlight Euro', 'stable', 1.08, 3.5e8, loose, { purpose: 'follows the euro, not the dollar' }],
  ['token', 'BRND', 'Brindle Dollar', 'stable', 1, 1.2e9, loose, { breaks: true, purpose: 'has lost its peg more than once, and found it again' }],
  // A price that never moves, and prices near 1e-9.
  ['token', 'STWN', 'Stillwater Note', 'lending', 0.25, 5e6, fixed, { purpose: 'is redeemed at one fixed price, which therefore never moves' }],
  ['token', 'DSPW', 'Dust Sparrow', 'memes', 1.2e-9, 4.1e8, wild],
  ['token', 'SPKN', 'Speckled Newt', 'memes', 6.5e-9, 2.6e7, wild],
  // Tickers with digits, and with letters beyond A-Z.
  ['coin', '9HBR', 'Ninth Harbor', 'bridges', 3.1, 1.7e9, lively],
  ['token', '3ORC', 'Three Orchards', 'lending', 0.084, 9.2e7, lively],
  ['token', '40LK', 'Forty Larks', 'art', 0.0051, 1.8e7, lively],
  ['token', '7', 'Seven Bells', 'games', 1.35, 2.4e8, lively],
  ['token', 'ΛMB', 'Lambent Isle', 'oracles', 12.6, 6.3e8, lively],
  ['coin', 'ЖАРВ', 'Жаровей', 'energy', 0.43, 1.1e8, lively],
  ['coin', '青叶', 'Qingye Grove', 'storage', 5.7, 3.8e8, lively],
  ['token', 'ÅSKV', 'Åskvind', 'energy', 0.019, 3.3e7, lively],
  ['coin', 'हिम', 'Himdhara', 'identity', 0.91, 5.4e7, lively],
  // One ticker, several assets.
  ['coin', 'TILO', 'Tilosa', 'payments', 41, 2.8e9, lively],
  ['token', 'TILO', 'Tiloran Finance', 'lending', 0.37, 7.5e7, lively],
  ['token', 'TILO', 'Tilo the Otter', 'memes', 6.4e-6, 9.8e6, wild],
  ['coin', 'VARH', 'Varholt', 'privacy', 66, 8.8e8, lively],
  ['token', 'VARH', 'Variable Hour', 'art', 0.21, 1.3e7, lively],
  ['token', 'PWRL', 'Patchwork Relay', 'bridges', 0.73, 4.6e7, lively, { gaps: true, purpose: 'rests now and then, so that days are missing from its prices' }],
];

/** Names of those that tokens live on, the most popular first. */
export const NETWORKS = CAST.filter(([, , , sector]) => sector === 'platforms').map(([, , name]) => name);
