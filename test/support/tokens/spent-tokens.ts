import assert from 'node:assert/strict';
import { RpcClient } from '../../outside/rpc.js';
import { heddleOk } from '../nodes/command-line.js';

/** Connections of {@link spendAll}. */
export const CONNECTIONS = 64;
export const ZERO = `0x${'00'.repeat(20)}`;

interface TokenShown {
  readonly id: string;
  readonly units: number;
  readonly left: number;
  readonly state: string;
}

export async function show(dataDir: string, id: string): Promise<TokenShown> {
  return JSON.parse(await heddleOk(['token', 'show', id, '--json', '--data-dir', dataDir])) as TokenShown;
}

/** Calls `account`, which costs 2, from many connections until the token is refused everywhere. */
export async function spendAll(
  url: string,
  token: string,
  calls = Number.POSITIVE_INFINITY,
): Promise<number> {
  let served = 0;
  const caller = async (): Promise<void> => {
    const rpc = new RpcClient(url, token);
    try {
      for (;;) {
        if (served >= calls) return;
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'account', params: { address: ZERO } });
        const { status } = await rpc.post(body);
        if (status === 402) return;
        assert.equal(status, 200);
        served++;
      }
    } finally {
      rpc.close();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, caller));
  return served;
}
