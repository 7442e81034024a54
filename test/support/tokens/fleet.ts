import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RpcClient } from '../../outside/rpc.js';
import { eventually } from '../eventually.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../nodes/node-process.js';
import { heddleWith } from '../nodes/own-process.js';

const ZERO = `0x${'00'.repeat(20)}`;
const ACCOUNT = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'account', params: { address: ZERO } });

/** Price of `account`, which {@link callAccount} calls, in compute units. */
export const PRICE = 2;

export interface TokenShown {
  readonly id: string;
  readonly token: string;
  readonly units: number;
  readonly left: number;
  readonly state: string;
}

/** The status of a call of `account`, or 0 if the node did not answer. */
export async function callAccount(rpc: RpcClient): Promise<number> {
  try {
    return (await rpc.post(ACCOUNT)).status;
  } catch {
    return 0;
  }
}

/** Waits until the token of each client is refused. */
export async function refusedToAll(clients: readonly RpcClient[]): Promise<void> {
  // Refusals use up the rate of the clients' address, so a client that has seen one must not call on: the others would
  // get nothing but 429.
  const waiting = new Set(clients);
  await eventually('all nodes refuse the token', async () => {
    const call = async (rpc: RpcClient): Promise<void> => {
      if ((await callAccount(rpc)) === 401) waiting.delete(rpc);
    };
    await Promise.all([...waiting].map(call));
    return waiting.size === 0;
  });
  for (const rpc of clients) assert.notEqual(await callAccount(rpc), 200);
}

/** Nodes that share their quotas and the secret that signs tokens; each has its own chain. */
export class Fleet {
  readonly secret = randomBytes(32).toString('hex');
  readonly nodes: NodeProcess[] = [];
  readonly #directories: string[] = [];
  readonly #env: Readonly<Record<string, string>>;

  /** @param env further environment variables of nodes and commands */
  constructor(url: string, env: Readonly<Record<string, string>> = {}) {
    this.#env = { HEDDLE_QUOTA_STORE: url, ...env };
  }

  /** Starts one more node. The URL of the quota store is in the environment, as for an operator. */
  async add(...flags: readonly string[]): Promise<NodeProcess> {
    const dataDir = temporaryDirectory();
    writeFileSync(join(dataDir, 'token.secret'), `${this.secret}\n`, { mode: 0o600 });
    this.#directories.push(dataDir);
    return this.restart(dataDir, ...flags);
  }

  async restart(dataDir: string, ...flags: readonly string[]): Promise<NodeProcess> {
    const node = await NodeProcess.start({
      dataDir,
      flags: ['--front-threads', '1', '--workers', '1', '--block-workers', '1', ...flags],
      env: this.#env,
    });
    this.nodes.push(node);
    return node;
  }

  /** Runs `heddle token … --json` on a data directory. */
  async token(dataDir: string, ...args: readonly string[]): Promise<TokenShown> {
    return JSON.parse(await this.command('token', ...args, '--json', '--data-dir', dataDir)) as TokenShown;
  }

  async command(...args: readonly string[]): Promise<string> {
    const { code, out, err } = await heddleWith(args, this.#env);
    assert.equal(code, 0, err);
    return out.trim();
  }

  /** Signs a token with the fleet's secret, as another issuer would. */
  sign(claims: object): string {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
    const key = Buffer.from(this.secret, 'hex');
    return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
  }

  async dispose(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
    for (const directory of this.#directories) removeDirectory(directory);
  }
}
