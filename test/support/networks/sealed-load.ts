import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError, connect, devAccount, RpcCallError } from '../../../src/client/client.js';
import { eventually } from '../eventually.js';
import type { ValidatorNet } from './validator-net.js';

/** One in this many envelopes waits behind a nonce gap that never closes. */
const GAPPED_EVERY = 7;
const action = { type: 'transfer', value: { to: devAccount(9).address, amount: 1n } } as const;

interface Accepted {
  readonly validator: number;
  readonly hash: Uint8Array;
  readonly opensAt: bigint;
  readonly isGapped: boolean;
}

/** Envelopes to each running validator, from one account each, until {@link SealedLoad.stop}. */
export class SealedLoad {
  readonly #accepted: Accepted[] = [];
  readonly #net: ValidatorNet;
  readonly #ended: Promise<unknown>;
  #isRunning = true;

  constructor(net: ValidatorNet) {
    this.#net = net;
    this.#ended = Promise.all(net.all.map((validator) => this.#send(validator)));
  }

  /** Resolves to the number of accepted envelopes. */
  async stop(): Promise<number> {
    this.#isRunning = false;
    await this.#ended;
    return this.#accepted.length;
  }

  /** A height at which all accepted envelopes are opened. */
  get end(): bigint {
    let last = 0n;
    for (const { opensAt } of this.#accepted) if (opensAt > last) last = opensAt;
    return last + 3n;
  }

  /** Waits until no envelope is pending or unopened. */
  async settle(): Promise<void> {
    await this.#net.reach(this.end);
    await eventually('no envelope waits any longer', async () => {
      const outcomes = await this.#outcomes();
      return !outcomes.some((outcome) => outcome === 'pending' || outcome === 'included');
    });
  }

  /**
   * Checks that each accepted envelope is opened, or that its validator gives the reason.
   * @returns the first word of each outcome
   */
  async accounted(): Promise<readonly string[]> {
    const outcomes = await this.#outcomes();
    for (const [place, outcome] of outcomes.entries()) {
      const { validator, hash, isGapped } = this.#accepted[place] ?? assert.fail();
      const name = `${Buffer.from(hash).toString('hex')} of validator ${validator}`;
      if (isGapped) assert.match(outcome, /^expired: /, name);
      else assert.match(outcome, /^(opened$|\w+: )/, name);
    }
    return outcomes.map((outcome) => outcome.split(':')[0] ?? '');
  }

  #outcomes(): Promise<readonly string[]> {
    return Promise.all(this.#accepted.map((each) => this.#outcomeOf(each)));
  }

  /** The outcome of an envelope as reported by its validator. */
  async #outcomeOf({ validator, hash, opensAt }: Accepted): Promise<string> {
    const client = this.#net.client(validator);
    const { status } = await client.tx_by_hash({ tx_hash: hash });
    if (status.type !== 'included') return status.type === 'rejected' ? status.value : status.type;
    const { receipt } = await client.tx_receipt({ tx_hash: hash });
    return receipt !== undefined && receipt.height > opensAt ? 'opened' : 'included';
  }

  async #send(validator: number): Promise<void> {
    for (let count = 0; this.#isRunning && !this.#net.isDisposed; count++) {
      await sleep(400);
      if (!this.#net.running.includes(validator)) continue;
      try {
        await this.#seal(validator, count);
      } catch (error) {
        // A killed, starting or lagging validator has accepted nothing.
        if (!(error instanceof ClientError || error instanceof RpcCallError)) throw error;
      }
    }
  }

  async #seal(validator: number, count: number): Promise<void> {
    const client = connect(this.#net.node(validator).url, { timeoutMs: 5_000, retry: { retries: 0 } });
    const { finalized_height: height } = await client.status();
    const opensAt = height + 10n + BigInt(count % 16);
    const isGapped = count % GAPPED_EVERY === GAPPED_EVERY - 1;
    const place = isGapped ? { lane: 100 + count, nonce: 1n } : { lane: count % 3 };
    const { hash } = await client.seal(action, { signer: devAccount(validator), opensAt, ...place });
    this.#accepted.push({ validator, hash, opensAt, isGapped });
  }
}
