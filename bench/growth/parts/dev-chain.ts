import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runHeddle } from '../../../test/support/nodes/node-process.js';
import { directoryBytes } from '../../support/directory-size.js';

/** Enough for the largest chains on a slow machine. */
const TIMEOUT_MS = 3_600_000;

/** A data directory of `heddle dev-state`, in a temporary place. */
export interface DevChain {
  readonly dataDir: string;
  /** Time that making it took. */
  readonly seconds: number;
  /** Size of its store. */
  readonly bytes: number;
  remove(): Promise<void>;
}

/** @param flags of `heddle dev-state` */
export async function makeDevChain(flags: readonly string[]): Promise<DevChain> {
  const directory = await mkdtemp(join(tmpdir(), 'heddle-growth-'));
  const dataDir = join(directory, 'data');
  const remove = () => rm(directory, { recursive: true, force: true });
  const begin = performance.now();
  const made = await runHeddle(['dev-state', '--data-dir', dataDir, ...flags], { timeoutMs: TIMEOUT_MS });
  if (made.code !== 0) {
    await remove();
    throw new Error(`heddle dev-state ${flags.join(' ')} ended with ${made.code}:\n${made.stderr}`);
  }
  const seconds = (performance.now() - begin) / 1_000;
  return { dataDir, seconds, bytes: directoryBytes(join(dataDir, 'store')), remove };
}
