// All kernels, by their names in the catalogue. Written by `npm run docs`; a test compares it.

import type { KernelName } from '../../domain/kernels.ts';
import type { Kernel } from '../kernel.ts';
import { kernel as allTimeHighKernel } from './all-time-high.ts';
import { kernel as atrKernel } from './atr.ts';
import { kernel as barKernel } from './bar.ts';
import { kernel as betaKernel } from './beta.ts';
import { kernel as bollingerKernel } from './bollinger.ts';
import { kernel as changeKernel } from './change.ts';
import { kernel as drawdownKernel } from './drawdown.ts';
import { kernel as emaKernel } from './ema.ts';
import { kernel as extremesKernel } from './extremes.ts';
import { kernel as historyKernel } from './history.ts';
import { kernel as macdKernel } from './macd.ts';
import { kernel as ownKernel } from './own.ts';
import { kernel as rsiKernel } from './rsi.ts';
import { kernel as sharpeKernel } from './sharpe.ts';
import { kernel as smaKernel } from './sma.ts';
import { kernel as stochasticKernel } from './stochastic.ts';
import { kernel as turnoverKernel } from './turnover.ts';
import { kernel as varKernel } from './var.ts';
import { kernel as volKernel } from './vol.ts';

export const KERNELS: Readonly<Record<KernelName, Kernel>> = {
  sma: smaKernel,
  change: changeKernel,
  var: varKernel,
  vol: volKernel,
  bar: barKernel,
  history: historyKernel,
  turnover: turnoverKernel,
  ema: emaKernel,
  macd: macdKernel,
  rsi: rsiKernel,
  allTimeHigh: allTimeHighKernel,
  atr: atrKernel,
  bollinger: bollingerKernel,
  stochastic: stochasticKernel,
  drawdown: drawdownKernel,
  sharpe: sharpeKernel,
  beta: betaKernel,
  extremes: extremesKernel,
  own: ownKernel,
};
