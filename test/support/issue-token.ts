import assert from 'node:assert/strict';
import { runHeddle } from './node-process.js';

export interface IssuedToken {
  readonly id: string;
  readonly token: string;
}

/** Issues a token, of tier paid unless the flags say otherwise, on the data directory of a running node. */
export async function issueToken(dataDir: string, ...flags: readonly string[]): Promise<IssuedToken> {
  const tier = flags.includes('--tier') ? [] : ['--tier', 'paid'];
  const args = ['token', 'issue', ...tier, '--json', '--data-dir', dataDir, ...flags];
  const { code, stdout, stderr } = await runHeddle(args, { timeoutMs: 120_000 });
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as IssuedToken;
}
