import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Client, connect, type Signer, signTransaction } from '../../../src/client/client.js';
import type { Limits } from '../../../src/config/limits.js';
import type { Action, Transaction } from '../../../src/generated/ledger.js';
import type { TxSimulateResult } from '../../../src/generated/node-rpc-v1.js';
import type { JsonValue } from '../../../src/idl/json-value.js';
import type { RunningNode } from '../../../src/node.js';
import { RpcClient, RpcFailure } from '../../outside/rpc.js';
import { ALICE, alice, BOB, callOf, deployOf } from '../actions.js';
import { probeCode } from '../contracts/assembled-contracts.js';
import { text } from '../hex.js';
import { CONTRACTS, contractAbi, contractCode } from '../worlds/contract-world.js';
import { NodeParts } from './node-parts.js';

/** The time of block 1; later blocks follow at intervals of a second. */
export const FIRST_TIME_MS = 1_800_000_000_000;
export const token = contractAbi('token');

/** A ViewCallResult as JSON. */
export interface ViewResult {
  readonly status: { readonly type: string; readonly value?: JsonValue };
  readonly output: string;
  readonly decoded?: JsonValue;
  readonly gas_used: number;
  readonly height: number;
  readonly block_hash: string;
  readonly logs: readonly { readonly [member: string]: JsonValue }[];
}

/** Fields of a transaction that a test may set. */
export type Wanted = Partial<Omit<Transaction, 'chain_id' | 'sender' | 'action'>>;

/** A node in this process that seals on demand, with the token and the probe deployed in block 1. */
export class ContractNode {
  readonly node: RunningNode;
  readonly rpc: RpcClient;
  readonly client: Client;
  /** The token's address as JSON; alice holds the whole supply. */
  readonly token: string;
  /** The address of {@link probeCode}. */
  readonly probe: string;
  readonly #parts: NodeParts;
  #sealed = 0;

  private constructor(parts: NodeParts, node: RunningNode, addresses: readonly [string, string]) {
    this.#parts = parts;
    this.node = node;
    this.rpc = new RpcClient(node.url);
    this.client = connect(node.url);
    [this.token, this.probe] = addresses;
  }

  /**
   * @param flags options of the node by their flags
   * @param limits limits that no option sets
   */
  static async start(
    flags: Readonly<Record<string, string>> = {},
    limits: Partial<Limits> = {},
  ): Promise<ContractNode> {
    const parts = new NodeParts();
    const node = await parts.node({
      flags: { 'log-level': 'fatal', ...flags },
      limits,
      sealing: 'manual',
    });
    const client = connect(node.url);
    const predicted = async (offset: bigint) =>
      text((await client.predict_address({ deployer: alice.address, offset })).address);
    const started = new ContractNode(parts, node, [await predicted(0n), await predicted(1n)]);
    const init = token.function('init').encodeCall(['Thread', 'THR', 0, '1000000', ALICE, ALICE]);
    const idl = readFileSync(join(CONTRACTS, 'token', 'token.idl'), 'utf8');
    const code = Uint8Array.from(contractCode('token'));
    await started.seal([deployOf(code, init, idl), deployOf(probeCode)]);
    return started;
  }

  /** A node for one test. */
  static async for(t: TestContext, ...options: Parameters<typeof ContractNode.start>): Promise<ContractNode> {
    const started = await ContractNode.start(...options);
    t.after(() => started.stop());
    return started;
  }

  async stop(): Promise<void> {
    this.rpc.close();
    await this.#parts.close();
  }

  /** Seals one block of alice's actions. Returns their hashes. */
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
    return callOf(this.token, token.function('transfer').encodeCall([BOB, String(amount)]));
  }

  async view(params: object): Promise<ViewResult> {
    return (await this.rpc.call('view_call', params)) as ViewResult;
  }

  /** Bob's token balance from a view call with these further members. */
  async bobs(more: object = {}): Promise<JsonValue | undefined> {
    const answer = await this.view({
      contract: this.token,
      method: 'balance_of',
      args: { owner: BOB },
      ...more,
    });
    return answer.decoded;
  }

  /** The probe's answer, as a number. */
  async probed(input: string, more: object = {}): Promise<bigint> {
    const { status, output } = await this.view({ contract: this.probe, input, ...more });
    if (status.type !== 'success') throw new Error(`the probe ended ${JSON.stringify(status)}`);
    return Buffer.from(output.slice(2), 'hex').readBigUInt64LE();
  }

  /** The error that answers a call. */
  async refusal(method: string, params: object): Promise<RpcFailure> {
    try {
      const answer = await this.rpc.call(method, params);
      throw new Error(`answered ${JSON.stringify(answer)}`);
    } catch (error) {
      if (error instanceof RpcFailure) return error;
      throw error;
    }
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

  /** borsh(SignedTransaction) of the result of {@link transaction}. */
  async signed(action: Action, wanted: Wanted = {}, signer: Signer = alice): Promise<Uint8Array> {
    return (await signTransaction(await this.transaction(action, wanted, signer), signer)).encoded;
  }

  simulate(transaction: Transaction): Promise<TxSimulateResult> {
    return this.client.tx_simulate({ transaction });
  }

  /** The observable state of the chain: the tip's root, and results of a few accounts and calls. */
  async look(): Promise<unknown> {
    const { tip } = await this.client.status();
    return {
      height: tip.height,
      root: Buffer.from(tip.state_root).toString('hex'),
      accounts: await this.rpc.call('accounts', { addresses: [ALICE, this.token, this.probe] }),
      tokens: await this.bobs(),
      pool: (await this.client.txpool_stats()).size,
    };
  }
}
