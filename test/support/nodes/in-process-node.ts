import type { RunningNode } from '../../../src/node.js';
import { NodeParts } from './node-parts.js';

/**
 * Runs a node of the development chain in this process, because only then can a test set the blocks' times. The node
 * seals only on `sealNow`, which `use` calls.
 */
export async function withInProcessNode<T>(
  options: { readonly native: string; readonly workers: number },
  use: (node: RunningNode) => Promise<T>,
): Promise<T> {
  const parts = new NodeParts();
  try {
    const flags = { native: options.native, workers: String(options.workers) };
    return await use(await parts.node({ flags, sealing: 'manual' }));
  } finally {
    await parts.close();
  }
}
