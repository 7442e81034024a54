import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../../config/config.js';
import { createLogger } from '../../../log.js';
import { ForkError } from '../../../node/fork/fork-error.js';
import { StateBaseError } from '../../../storage/fork-base/state-base.js';
import type { CommandContext } from '../../cli-command.js';
import { CliError } from '../../cli-error.js';

/** A chain of its own on the state of another, which is removed when it stops. */
export interface DryRunFork {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts a fork in this process, on a free port of the loopback address. Other users of the machine can read transactions
 * there that are signed with the accounts' own keys. A random chain id makes them invalid on the forked chain.
 * @throws CliError if the node's chain cannot be forked
 */
export async function startDryRunFork(
  url: string,
  height: bigint,
  tokenFile: string | undefined,
  { HEDDLE_NATIVE }: CommandContext['environment'],
): Promise<DryRunFork> {
  const directory = await mkdtemp(join(tmpdir(), 'heddle-dry-run-'));
  const remove = () => rm(directory, { recursive: true, force: true });
  try {
    const config = loadConfig({
      flags: {
        fork: `${url}@${height}`,
        'data-dir': directory,
        host: '127.0.0.1',
        port: '0',
        'chain-id': `${randomInt(2 ** 32, 2 ** 47)}`,
        seal: 'instant',
        'idle-block-time': '0',
        'log-level': 'silent',
        explorer: 'off',
        'front-threads': '0',
        workers: '1',
        'block-workers': '1',
        ...(tokenFile !== undefined && { 'fork-token-file': tokenFile }),
      },
      environment: { HEDDLE_NATIVE },
      workingDirectory: directory,
    });
    // Slow to load.
    const { startNode } = await import('../../../node.js');
    const node = await startNode(config, await createLogger(config));
    return {
      url: node.url,
      stop: async () => {
        await node.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    if (!(error instanceof ForkError || error instanceof StateBaseError)) throw error;
    const hint = 'the node must allow state_proof and chain_traceCall (--token-file)';
    throw new CliError(
      `no dry run: cannot fork the chain: ${error.message}; ${hint}. --broadcast --skip-dry-run sends without a dry run`,
      { cause: error },
    );
  }
}
