// Sends the ccxt library of a process to a local Binance: `--import` it, with the addresses as JSON in TIDEMARK_TEST_BINANCE. Everything else
// of ccxt is as it is.

const urls: unknown = JSON.parse(process.env['TIDEMARK_TEST_BINANCE'] ?? '{}');

// Other processes of the same test do not need the library.
if (process.argv.includes('live') || process.argv.includes('ccxt')) {
  const { default: ccxt } = await import('ccxt');
  for (const Binance of [ccxt.binance, ccxt.pro.binance]) {
    const { describe } = Binance.prototype;
    Binance.prototype.describe = function () {
      return this.deepExtend(describe.call(this), { urls, rateLimit: 1 });
    };
  }
}
