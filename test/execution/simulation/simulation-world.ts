import type { TestContext } from 'node:test';
import { type Client, connect, type Signer, signTransaction } from '../../../src/client/client.js';
import type { Action, Transaction } from '../../../src/generated/ledger.js';
import type { TxSimulateResult } from '../../../src/generated/node-rpc-v1.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { RpcFailure } from '../../outside/rpc.js';
import { assemble } from '../../support/wasm-assembler.js';
import { alice, ViewWorld } from '../views/view-world.js';

const NOTHING = new Uint8Array(0);

/** Calls the contract whose address its input begins with, with the rest and all the gas it may give; reverts where that fails. */
export const relayCode = assemble({
  imports: ['input_size', 'input_read', 'call', 'revert', 'returned_size', 'returned_read', 'set_output'],
  memory: [1, 1],
  functions: [
    {
      name: 'invoke',
      type: '>i',
      code: `
        i32.const 0; i32.const 0; i32.const 4096; call input_read; drop
        i32.const 0; i32.const 8192; i64.const 9223372036854775807; i32.const 20
        call input_size; i32.const 20; i32.sub; call call
        if; i32.const 0; i32.const 4; call revert; end
        i32.const 0; i32.const 0; call returned_size; call returned_read; drop
        i32.const 0; call returned_size; call set_output; i32.const 0`,
    },
  ],
});

/** What of a transaction a test chooses. */
export type Wanted = Partial<Omit<Transaction, 'chain_id' | 'sender' | 'action'>>;

/** A node to simulate on, with ways to sign, to include and to look at everything. */
export class SimulationWorld {
  readonly views: ViewWorld;
  readonly client: Client;

  private constructor(views: ViewWorld) {
    this.views = views;
    this.client = connect(views.node.url);
  }

  static async start(flags: Readonly<Record<string, string>> = {}): Promise<SimulationWorld> {
    return new SimulationWorld(await ViewWorld.start(flags));
  }

  /** A world for one test. */
  static async own(t: TestContext, flags: Readonly<Record<string, string>>): Promise<SimulationWorld> {
    const world = await SimulationWorld.start(flags);
    t.after(() => world.stop());
    return world;
  }

  stop(): Promise<void> {
    return this.views.stop();
  }

  /** An unsigned transaction, by default the sender's next in lane 0, with enough gas at the base fee. */
  async transaction(action: Action, wanted: Wanted = {}, signer: Signer = alice): Promise<Transaction> {
    const { chain_id } = await this.client.status();
    const { lanes } = await this.client.account({ address: signer.address });
    const lane = wanted.lane ?? 0;
    return {
      chain_id,
      sender: signer.address,
      lane,
      nonce: lanes.find((each) => each.lane === lane)?.next_nonce ?? 0n,
      gas_limit: 20_000_000n,
      max_fee: 10n,
      priority_fee: 0n,
      action,
      ...wanted,
    };
  }

  /** borsh(SignedTransaction) of such a transaction. */
  async signed(action: Action, wanted: Wanted = {}, signer: Signer = alice): Promise<Uint8Array> {
    return (await signTransaction(await this.transaction(action, wanted, signer), signer)).encoded;
  }

  simulate(transaction: Transaction): Promise<TxSimulateResult> {
    return this.client.tx_simulate({ transaction });
  }

  /** The error that a call is answered with. */
  async refusal(method: string, params: object): Promise<RpcFailure> {
    try {
      const answer = await this.views.rpc.call(method, params);
      throw new Error(`answered ${JSON.stringify(answer)}`);
    } catch (error) {
      if (error instanceof RpcFailure) return error;
      throw error;
    }
  }

  /** Everything that the chain says of its state: the tip's root, and what a few accounts and calls come to. */
  async look(): Promise<unknown> {
    const { tip } = await this.client.status();
    const { rpc, token, probe } = this.views;
    return {
      height: tip.height,
      root: Buffer.from(tip.state_root).toString('hex'),
      accounts: await rpc.call('accounts', {
        addresses: [`0x${Buffer.from(alice.address).toString('hex')}`, token, probe],
      }),
      tokens: await this.views.bobs(),
      pool: (await this.client.txpool_stats()).size,
    };
  }
}

export function encoded(transaction: Transaction): Uint8Array {
  return ledger.Transaction.encode(transaction);
}

export function callOf(contract: string, input: Uint8Array | string, value = 0n): Action {
  const bytes = typeof input === 'string' ? Buffer.from(input.slice(2), 'hex') : input;
  return { type: 'call', value: { contract: Buffer.from(contract.slice(2), 'hex'), input: bytes, value } };
}

export function deployOf(code: Uint8Array, input: Uint8Array = NOTHING, idl?: string, value = 0n): Action {
  return {
    type: 'deploy',
    value: {
      vm: { type: 'wasm' },
      code,
      ...(idl === undefined ? {} : { idl }),
      abi_version: 1,
      upgrade_policy: { type: 'immutable' },
      input,
      value,
    },
  };
}
