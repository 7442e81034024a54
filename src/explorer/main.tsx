/** The explorer: a page that shows a node's chain, served by the node itself. Runs in browsers. */
import { render } from 'preact';
import { App } from './app.js';
import { startNames } from './names/known-addresses.js';
import { startLive } from './node/live.js';
import { startTheme } from './parts/theme.js';
import { followLocation } from './routing/location.js';

startTheme();
followLocation();
startLive();
startNames();
const place = document.getElementById('app');
if (place !== null) render(<App />, place);
