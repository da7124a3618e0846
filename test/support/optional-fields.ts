// The optional columns of the contract, in their order. Written by hand: it must not follow from the catalogue.

export const OPTIONAL_FIELDS = `
  open high low volume turnover turnover30 rank supply market_cap history
  ema10 ema12 ema20 ema26 ema50 ema100 ema200 macd macd_signal macd_hist
  rsi7 rsi14 rsi21 zscore20 bb20_upper bb20_lower bb20_pct bb20_width stoch14 stoch14_d
  atr14 mdd30 mdd90 mdd365 sharpe90 sharpe365 beta90 corr90
  max365 min365 from_max365 from_min365 ath ath_at from_ath
  sources gaps365 stale findings30 findings365`
  .trim()
  .split(/\s+/);
