import { join } from 'node:path';
import { loadConfig } from '../../src/config/config.js';
import { createLogger } from '../../src/log.js';
import { type RunningNode, startNode } from '../../src/node.js';
import { removeDirectory, temporaryDirectory } from './node-process.js';

/**
 * Runs a node of the development chain in this process, because only so can a test set the blocks' times: it seals
 * nothing but what `use` asks for by `sealNow`.
 */
export async function withInProcessNode<T>(
  options: { readonly native: string; readonly workers: number },
  use: (node: RunningNode) => Promise<T>,
): Promise<T> {
  const directory = temporaryDirectory();
  try {
    const config = loadConfig({
      flags: {
        'data-dir': join(directory, 'data'),
        port: '0',
        native: options.native,
        workers: String(options.workers),
        'log-level': 'error',
      },
      environment: {},
      workingDirectory: directory,
    });
    const node = await startNode(config, await createLogger(config), { sealing: 'manual' });
    try {
      return await use(node);
    } finally {
      await node.stop();
    }
  } finally {
    removeDirectory(directory);
  }
}
