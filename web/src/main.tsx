// Starts the explorer.

import { render } from 'preact';
import { App } from './app.tsx';
import { watchForNewData } from './new-data.ts';
import { followNavigation } from './routes.ts';
import { applyDirectionColours } from './shell/direction-colours.ts';
import { applyTheme } from './shell/theme.ts';
import { watches } from './watches.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/shell.css';

applyTheme();
applyDirectionColours();
followNavigation();
watchForNewData();
// Most visitors watch nothing.
if (watches.value.length > 0) void import('./alerts/watch-runner.ts').then(({ runWatches }) => runWatches());
render(<App />, document.getElementById('app')!);
