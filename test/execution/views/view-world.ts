import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { connect, devAccount } from '../../../src/client/client.js';
import { loadConfig } from '../../../src/config/config.js';
import type { Action } from '../../../src/generated/ledger.js';
import type { JsonValue } from '../../../src/idl/json-value.js';
import { createLogger } from '../../../src/log.js';
import { type RunningNode, startNode } from '../../../src/node.js';
import { RpcClient, RpcFailure } from '../../outside/rpc.js';
import { CONTRACTS, contractAbi } from '../../support/contract-world.js';
import { removeDirectory, temporaryDirectory } from '../../support/node-process.js';
import { assemble } from '../../support/wasm-assembler.js';

export const FIRST_TIME_MS = 1_800_000_000_000;
export const alice = devAccount(0);
export const bob = devAccount(1);
export const token = contractAbi('token');
const tokenIdl = readFileSync(join(CONTRACTS, 'token', 'token.idl'), 'utf8');

/** An address or input as JSON has it. */
export function text(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString('hex')}`;
}

export const ALICE = text(alice.address);
export const BOB = text(bob.address);

/** What the probe does, by the first byte of its input. */
export const PROBE = {
  height: '0x00',
  timestamp: '0x01',
  loop: '0x02',
  trap: '0x03',
  revert: '0x04',
  slot: '0x05',
  value: '0x06',
  balance: '0x07',
} as const;

const RESULT = 'i32.const 64; i32.const 8; call set_output; i32.const 0; return';

/** A contract that answers with what it sees, and fails in every way there is. */
export const probeCode = assemble({
  imports: [
    ...['block_height', 'block_timestamp_ms', 'input_read', 'set_output', 'revert', 'storage_read'],
    ...['value', 'balance', 'self'],
  ],
  memory: [1, 1],
  data: [{ at: 256, bytes: Buffer.from('not today') }],
  functions: [
    {
      name: 'invoke',
      type: '>i',
      code: `
        i32.const 0; i32.const 0; i32.const 1; call input_read; drop
        i32.const 0; i32.load8_u; i32.eqz
        if; i32.const 64; call block_height; i64.store; ${RESULT}; end
        i32.const 0; i32.load8_u; i32.const 1; i32.eq
        if; i32.const 64; call block_timestamp_ms; i64.store; ${RESULT}; end
        i32.const 0; i32.load8_u; i32.const 2; i32.eq
        if; loop; br 0; end; end
        i32.const 0; i32.load8_u; i32.const 3; i32.eq
        if; call fall; end
        i32.const 0; i32.load8_u; i32.const 4; i32.eq
        if; i32.const 256; i32.const 9; call revert; end
        i32.const 0; i32.load8_u; i32.const 5; i32.eq
        if; i32.const 512; i32.const 64; i32.const 8; call storage_read; drop; ${RESULT}; end
        i32.const 0; i32.load8_u; i32.const 6; i32.eq
        if; i32.const 64; call value; ${RESULT}; end
        i32.const 1024; call self; i32.const 1024; i32.const 64; call balance; ${RESULT}`,
    },
    { name: 'fall', code: 'unreachable', isExported: false },
  ],
});

/** A ViewCallResult as it stands in the answer. */
export interface ViewResult {
  readonly status: { readonly type: string; readonly value?: JsonValue };
  readonly output: string;
  readonly decoded?: JsonValue;
  readonly gas_used: number;
  readonly height: number;
  readonly block_hash: string;
  readonly logs: readonly { readonly [member: string]: JsonValue }[];
}

/** A node in this process that seals when told to, with the token and the probe deployed in block 1. */
export class ViewWorld {
  readonly node: RunningNode;
  readonly rpc: RpcClient;
  readonly token: string;
  readonly probe: string;
  #sealed = 0;

  private constructor(node: RunningNode, rpc: RpcClient, addresses: readonly [string, string]) {
    this.node = node;
    this.rpc = rpc;
    [this.token, this.probe] = addresses;
  }

  static async start(flags: Readonly<Record<string, string>> = {}): Promise<ViewWorld> {
    const directory = temporaryDirectory();
    const config = loadConfig({
      flags: { 'data-dir': join(directory, 'data'), port: '0', 'log-level': 'fatal', ...flags },
      environment: {},
      workingDirectory: directory,
    });
    const node = await startNode(config, await createLogger(config), { sealing: 'manual' });
    const stop = node.stop;
    const owned = {
      ...node,
      stop: async () => {
        await stop();
        removeDirectory(directory);
      },
    };
    const client = connect(node.url);
    const predicted = async (offset: bigint) =>
      text((await client.predict_address({ deployer: alice.address, offset })).address);
    const addresses = [await predicted(0n), await predicted(1n)] as const;
    const world = new ViewWorld(owned, new RpcClient(node.url), addresses);
    const init = token.function('init').encodeCall(['Thread', 'THR', 0, '1000000', ALICE, ALICE]);
    const code = Uint8Array.from(readFileSync(join(CONTRACTS, 'token', 'token.wasm')));
    await world.seal([deployment(code, init, tokenIdl), deployment(probeCode, new Uint8Array(0))]);
    return world;
  }

  async stop(): Promise<void> {
    this.rpc.close();
    await this.node.stop();
  }

  /** Seals one block of alice's actions; their hashes. */
  async seal(actions: readonly Action[]): Promise<string[]> {
    const sender = connect(this.node.url).sender(alice);
    const hashes: string[] = [];
    for (const action of actions) {
      const { hashHex } = await sender.send(action, { gasLimit: 20_000_000n });
      hashes.push(hashHex);
    }
    await this.node.sealNow(FIRST_TIME_MS + 1_000 * this.#sealed++);
    return hashes;
  }

  /** A transfer of alice's tokens to bob. */
  pay(amount: number): Action {
    const input = token.function('transfer').encodeCall([BOB, String(amount)]);
    return { type: 'call', value: { contract: Buffer.from(this.token.slice(2), 'hex'), input, value: 0n } };
  }

  async view(params: object): Promise<ViewResult> {
    return (await this.rpc.call('view_call', params)) as ViewResult;
  }

  /** Bob's tokens, as a view call with these further members says. */
  async bobs(more: object = {}): Promise<JsonValue | undefined> {
    const answer = await this.view({
      contract: this.token,
      method: 'balance_of',
      args: { owner: BOB },
      ...more,
    });
    return answer.decoded;
  }

  /** What the probe answers, as a number. */
  async probed(input: string, more: object = {}): Promise<bigint> {
    const { status, output } = await this.view({ contract: this.probe, input, ...more });
    if (status.type !== 'success') throw new Error(`the probe ended ${JSON.stringify(status)}`);
    return Buffer.from(output.slice(2), 'hex').readBigUInt64LE();
  }

  /** The error that a call is answered with. */
  async refusal(params: object): Promise<RpcFailure> {
    try {
      const answer = await this.view(params);
      throw new Error(`answered ${JSON.stringify(answer)}`);
    } catch (error) {
      if (error instanceof RpcFailure) return error;
      throw error;
    }
  }
}

function deployment(code: Uint8Array, input: Uint8Array, idl?: string): Action {
  return {
    type: 'deploy',
    value: {
      vm: { type: 'wasm' },
      code,
      ...(idl === undefined ? {} : { idl }),
      abi_version: 1,
      upgrade_policy: { type: 'immutable' },
      input,
      value: 0n,
    },
  };
}

/** A world for one test. */
export async function ownWorld(t: TestContext, flags: Readonly<Record<string, string>>): Promise<ViewWorld> {
  const world = await ViewWorld.start(flags);
  t.after(() => world.stop());
  return world;
}
