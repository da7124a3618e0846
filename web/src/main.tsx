// Starts the explorer.

import { render } from 'preact';
import { App } from './app.tsx';
import { watchForNewData } from './new-data.ts';
import { followNavigation } from './routes.ts';
import { applyTheme } from './shell/theme.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/shell.css';

applyTheme();
followNavigation();
watchForNewData();
render(<App />, document.getElementById('app')!);
