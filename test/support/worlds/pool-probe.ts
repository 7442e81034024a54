import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { hex } from '../../outside/bytes.js';
import { Account, TxByHashResult, TxpoolStats } from '../../outside/rpc-shapes.js';
import {
  type SentTransaction,
  signTransaction,
  type TransactionFields,
  transfer,
  type Wallet,
} from '../../outside/wallet.js';
import type { AttackedNode } from '../nodes/attacked-node.js';

const CHAIN = 9545n;
/** An address without a known key. */
export const NOBODY = new Uint8Array(20).fill(0x5a);

export type Sign = (
  wallet: Wallet,
  nonce: bigint | number,
  fields?: Partial<TransactionFields>,
) => SentTransaction;

/** Signs transfers of one unit on the development chain, unless the fields say otherwise. */
export function signerWith(maxFee: bigint): Sign {
  return (wallet, nonce, fields = {}) =>
    signTransaction(wallet, {
      chainId: CHAIN,
      nonce: BigInt(nonce),
      maxFee,
      action: transfer(NOBODY, 1n),
      ...fields,
    });
}

/** Queries an attacked node about the fate of transactions. */
export class PoolProbe {
  readonly #attacked: () => AttackedNode;

  /** @param attacked the node, which may not have been started yet */
  constructor(attacked: () => AttackedNode) {
    this.#attacked = attacked;
  }

  async stats(): Promise<ReturnType<typeof TxpoolStats.fromJson>> {
    return TxpoolStats.fromJson(await this.#attacked().rpc.call('txpool_stats'), 'txpool_stats');
  }

  async statusOf({ hash }: SentTransaction): Promise<{ type: string; value?: unknown }> {
    const answer = await this.#attacked().rpc.call('tx_by_hash', { tx_hash: hash });
    return TxByHashResult.fromJson(answer, 'tx_by_hash').status;
  }

  /** Returns the first of the given transactions whose status is one of `types`. */
  async whichIs(
    some: readonly SentTransaction[],
    types: readonly string[],
  ): Promise<SentTransaction | undefined> {
    for (const sent of some) {
      if (types.includes((await this.statusOf(sent)).type)) return sent;
    }
    return undefined;
  }

  async account({ address }: Wallet): Promise<ReturnType<typeof Account.fromJson>> {
    const answer = await this.#attacked().rpc.call('account', { address: `0x${hex(address)}` });
    return Account.fromJson(answer, 'account');
  }

  async submitBundle(members: readonly SentTransaction[]): Promise<void> {
    const transactions = members.map(({ encoded }) => encoded);
    await this.#attacked().rpc.call('tx_submit_bundle', { transactions });
  }

  /** Waits until a transaction is in the expected state. */
  async becomes(sent: SentTransaction, type: string, withinMs = 12_000): Promise<unknown> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const status = await this.statusOf(sent);
      if (status.type === type) return status.value;
      assert.ok(Date.now() < deadline, `${sent.hash} is ${status.type}, not ${type}`);
      await sleep(50);
    }
  }
}
