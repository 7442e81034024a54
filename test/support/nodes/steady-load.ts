import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError, connect, devAccount, RpcCallError, type Sender } from '../../../src/client/client.js';
import type { Block } from '../../../src/generated/node-rpc-v1.js';
import { eventually } from '../eventually.js';
import type { ValidatorNet } from '../networks/validator-net.js';

/**
 * A constant stream of transfers of one development account through each validator, whatever happens to the validators.
 */
export class SteadyLoad {
  /** Hashes of the transactions that a validator accepted. */
  readonly accepted = new Set<string>();
  readonly #net: ValidatorNet;
  readonly #ended: Promise<void>;
  #isRunning = true;

  constructor(net: ValidatorNet, pauseMs = 100) {
    this.#net = net;
    this.#ended = Promise.all(net.all.map((index) => this.#send(index, pauseMs))).then(() => undefined);
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#ended;
  }

  /**
   * Waits until all accepted transfers are final at a validator, and checks that the blocks contain each exactly
   * once.
   */
  async expectIncluded(through: number): Promise<void> {
    assert.ok(this.accepted.size > 0, 'nothing was sent');
    const waiting = new Set(this.accepted);
    const client = this.#net.client(through);
    await eventually('what was taken is final', async () => {
      for (const hash of waiting) {
        const { status } = await client.tx_by_hash({ tx_hash: Buffer.from(hash, 'hex') });
        if (status.type !== 'included' || !status.value.finalized) return false;
        waiting.delete(hash);
      }
      return true;
    });
    const counts = new Map<string, number>();
    for (const block of await this.#net.agree()) {
      for (const hash of await this.#hashesOf(block)) counts.set(hash, (counts.get(hash) ?? 0) + 1);
    }
    for (const hash of this.accepted) assert.equal(counts.get(hash), 1, `${hash} is included once`);
  }

  async #hashesOf({ header, items }: Block): Promise<readonly string[]> {
    if (items.length === 0) return [];
    const [first = 0] = this.#net.running;
    const { transactions } = await this.#net
      .client(first)
      .get_txs_in_range({ from_height: header.height, to_height: header.height });
    return transactions.map(({ tx_hash }) => Buffer.from(tx_hash).toString('hex'));
  }

  async #send(index: number, pauseMs: number): Promise<void> {
    let url: string | undefined;
    let sender: Sender | undefined;
    // The load also ends with the net, because a failed test does not stop it.
    while (this.#isRunning && !this.#net.isDisposed) {
      await sleep(pauseMs);
      if (!this.#net.running.includes(index)) continue;
      const node = this.#net.node(index);
      if (sender === undefined || url !== node.url) {
        url = node.url;
        sender = connect(url, { timeoutMs: 5_000, retry: { retries: 0 } }).sender(devAccount(index));
      }
      try {
        const { hashHex } = await sender.transfer({ to: devAccount(9).address, amount: 1n });
        this.accepted.add(hashHex);
      } catch (error) {
        // The validator was stopped, or its pool is full.
        if (!(error instanceof ClientError || error instanceof RpcCallError)) throw error;
        sender = undefined;
      }
    }
  }
}
