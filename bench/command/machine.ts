import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { hasCode } from '../../src/base/errors.js';
import { packageRoot } from '../../src/config/package-info.js';
import type { Machine } from '../results/run.js';

/** This machine, without its speed. */
export function thisMachine(): Omit<Machine, 'verificationMicros'> {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryMiB: Math.round(totalmem() / 2 ** 20),
    node: process.version,
    kernel: `${type()} ${release()}`,
  };
}

/** The commit of the sources, with `-dirty` if they differ from it; undefined outside a repository. */
export function thisCommit(): string | undefined {
  try {
    const args = ['describe', '--always', '--dirty', '--exclude=*'];
    return execFileSync('git', args, {
      cwd: packageRoot(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch (error) {
    const isNoRepository = error instanceof Error && 'status' in error;
    if (isNoRepository || hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
