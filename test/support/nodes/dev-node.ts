import type { RunningNode } from '../../../src/node.js';
import { NATIVE_MODES } from '../native-modes.js';
import type { NodeParts } from './node-parts.js';

/** Starts a node with one worker in this process, in the native mode of the run. */
export function devNode(parts: NodeParts, flags: Readonly<Record<string, string>>): Promise<RunningNode> {
  const [native = 'auto'] = NATIVE_MODES;
  return parts.node({ flags: { workers: '1', native, ...flags } });
}
