// The assets chosen by hand: networks that tokens live on, stablecoins, and one of each case that a screener must cope
// with. They are listed on the first day and stay.

/** How the price of an asset comes about: it floats with the market, is held at its base price (and may break), or never moves. */
export type Behaviour =
  /** `pull` is the share of its own noise that is drawn back per day. */
  | { readonly kind: 'floating'; readonly beta: number; readonly noise: number; readonly pull: number }
  | { readonly kind: 'pegged'; readonly tolerance: number; readonly breaks: boolean }
  | { readonly kind: 'flat' };

export interface CastMember extends Particulars {
  readonly type: 'coin' | 'token';
  readonly symbol: string;
  readonly name: string;
  readonly sector: string;
  /** US dollars around which the price moves, and the market capitalisation at that price. */
  readonly price: number;
  readonly cap: number;
  readonly behaviour: Behaviour;
}

interface Particulars {
  /** The name in a-z for links, if it has other letters. */
  readonly host?: string;
  /** Tokens live on it. */
  readonly network?: boolean;
  readonly mined?: boolean;
  /** Days are missing from its series. */
  readonly gaps?: boolean;
  /** The end of the sentence "a simulated … that …", if one of its sector's would not do. */
  readonly purpose?: string;
}

const steady: Behaviour = { kind: 'floating', beta: 0.7, noise: 0.01, pull: 1 / 120 };
const lively: Behaviour = { kind: 'floating', beta: 1.15, noise: 0.02, pull: 1 / 300 };
const wild: Behaviour = { kind: 'floating', beta: 1.2, noise: 0.045, pull: 1 / 90 };
const pegged: Behaviour = { kind: 'pegged', tolerance: 0.0004, breaks: false };
const loose: Behaviour = { kind: 'pegged', tolerance: 0.0015, breaks: false };
const breaking: Behaviour = { kind: 'pegged', tolerance: 0.001, breaks: true };

type Row = [CastMember['type'], string, string, string, price: number, cap: number, Behaviour, Particulars?];

// biome-ignore format: a table
const ROWS: readonly Row[] = [
  // The price near 1e5.
  ['coin', 'ALDM', 'Aldermoor', 'payments', 96_000, 4.8e11, steady, { mined: true, purpose: 'was made for saving: its supply grows more slowly every year' }],
  ['coin', 'VELR', 'Veloria', 'platforms', 2_900, 2.1e11, lively, { network: true, mined: false }],
  ['coin', 'KSTL', 'Kestrel Network', 'platforms', 148, 6.4e10, lively, { network: true, mined: false }],
  ['coin', 'TSDR', 'Tessandra', 'platforms', 0.62, 2.2e10, lively, { network: true, mined: false }],
  ['coin', 'ORNT', 'Orrinth Chain', 'platforms', 7.4, 9.5e9, lively, { network: true, mined: false }],
  ['token', 'HRBD', 'Harbor Dollar', 'stable', 1, 8.6e10, pegged],
  ['token', 'PLND', 'Plainsong Dollar', 'stable', 1, 3.1e10, pegged],
  ['token', 'CDRD', 'Cedar Dollar', 'stable', 1, 4.4e9, pegged],
  ['token', 'QRYD', 'Quarry Dollar', 'stable', 1, 7.2e8, loose],
  ['token', 'LNTD', 'Lantern Dollar', 'stable', 1, 1.9e8, loose],
  ['token', 'NLEU', 'Northlight Euro', 'stable', 1.08, 3.5e8, loose, { purpose: 'follows the euro, not the dollar' }],
  ['token', 'BRND', 'Brindle Dollar', 'stable', 1, 1.2e9, breaking, { purpose: 'has lost its peg more than once, and found it again' }],
  // A price that never moves, and prices near 1e-9.
  ['token', 'STWN', 'Stillwater Note', 'lending', 0.25, 5e6, { kind: 'flat' }, { purpose: 'is redeemed at one fixed price, which therefore never moves' }],
  ['token', 'DSPW', 'Dust Sparrow', 'memes', 1.2e-9, 4.1e8, wild],
  ['token', 'SPKN', 'Speckled Newt', 'memes', 6.5e-9, 2.6e7, wild],
  // Tickers with digits, and with letters beyond A-Z.
  ['coin', '9HBR', 'Ninth Harbor', 'bridges', 3.1, 1.7e9, lively],
  ['token', '3ORC', 'Three Orchards', 'lending', 0.084, 9.2e7, lively],
  ['token', '40LK', 'Forty Larks', 'art', 0.0051, 1.8e7, lively],
  ['token', '7', 'Seven Bells', 'games', 1.35, 2.4e8, lively],
  ['token', 'ΛMB', 'Lambent Isle', 'oracles', 12.6, 6.3e8, lively],
  ['coin', 'ЖАРВ', 'Жаровей', 'energy', 0.43, 1.1e8, lively, { host: 'zharovey' }],
  ['coin', '青叶', 'Qingye Grove', 'storage', 5.7, 3.8e8, lively],
  ['token', 'ÅSKV', 'Åskvind', 'energy', 0.019, 3.3e7, lively, { host: 'askvind' }],
  ['coin', 'हिम', 'Himdhara', 'identity', 0.91, 5.4e7, lively],
  // One ticker, several assets.
  ['coin', 'TILO', 'Tilosa', 'payments', 41, 2.8e9, lively],
  ['token', 'TILO', 'Tiloran Finance', 'lending', 0.37, 7.5e7, lively],
  ['token', 'TILO', 'Tilo the Otter', 'memes', 6.4e-6, 9.8e6, wild],
  ['coin', 'VARH', 'Varholt', 'privacy', 66, 8.8e8, lively],
  ['token', 'VARH', 'Variable Hour', 'art', 0.21, 1.3e7, lively],
  ['token', 'PWRL', 'Patchwork Relay', 'bridges', 0.73, 4.6e7, lively, { gaps: true, purpose: 'rests now and then, so that days are missing from its prices' }],
];

export const CAST: readonly CastMember[] = ROWS.map(([type, symbol, name, sector, price, cap, behaviour, more]) => {
  return { type, symbol, name, sector, price, cap, behaviour, ...more };
});

/** Those that tokens live on, the most popular first. */
export const NETWORKS: readonly CastMember[] = CAST.filter(member => member.network);
