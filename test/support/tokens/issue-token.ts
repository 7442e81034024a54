import { heddleOk } from '../nodes/command-line.js';

export interface IssuedToken {
  readonly id: string;
  readonly token: string;
}

/** Issues a token, of tier paid unless the flags say otherwise, on the data directory of a running node. */
export async function issueToken(dataDir: string, ...flags: readonly string[]): Promise<IssuedToken> {
  const tier = flags.includes('--tier') ? [] : ['--tier', 'paid'];
  const args = ['token', 'issue', ...tier, '--json', '--data-dir', dataDir, ...flags];
  return JSON.parse(await heddleOk(args)) as IssuedToken;
}
