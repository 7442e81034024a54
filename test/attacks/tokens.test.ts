// Floods by holders of tokens, by forgers of tokens and by scrapers, on one node.
import { attacksOn } from '../support/nodes/attacks-on.js';
import { perTier } from '../support/sweep.js';
import { metricsFloods } from './tokens/metrics-floods.js';
import { tokenCallLimits } from './tokens/token-call-limits.js';
import { tokenFloods } from './tokens/token-floods.js';
import { tokenUsage } from './tokens/token-usage.js';

const FLOOD_MS = perTier(800, 6_000);
const FLAGS = [
  ...['--front-threads', '2', '--block-time', '100', '--idle-block-time', '100'],
  ...['--max-call-gas', '100000000000'],
];

attacksOn('a node with two front threads', FLAGS, {
  'floods of tokens': (attacked) => tokenFloods(attacked, FLOOD_MS),
  'limits of calls by token': (attacked) => tokenCallLimits(attacked, FLOOD_MS),
  'usage of tokens': (attacked) => tokenUsage(attacked),
  'floods of scrapes': (attacked) => metricsFloods(attacked, FLOOD_MS),
});
