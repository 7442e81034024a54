import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../eventually.js';
import { forgetPeak, processMemory } from '../../nodes/process-memory.js';
import type { ValidatorNet } from '../validator-net.js';

const POLL_MS = 50;
/** A user's patience with a request to an honest validator. */
export const ANSWER_MS = 5_000;

/** Measurements of the honest validators during a phase. */
export interface AttackMeasures {
  /** The longest time without a new final block at a validator, in milliseconds. */
  readonly longestGapMs: number;
  /** Final blocks during the phase, at the validator with the fewest. */
  readonly blocks: number;
  /** The largest resident memory of each validator during the phase, in MiB. */
  readonly peakMiB: readonly number[];
  /** The slowest answer to a request, in milliseconds. */
  readonly slowestAnswerMs: number;
}

/** Follows one validator through its RPC, as a user does. */
class Follower {
  readonly #net: ValidatorNet;
  readonly #index: number;
  #height: bigint | undefined;
  #grewAt = performance.now();
  longestGapMs = 0;
  slowestAnswerMs = 0;
  blocks = 0;

  constructor(net: ValidatorNet, index: number) {
    this.#net = net;
    this.#index = index;
  }

  async look(): Promise<void> {
    const asked = performance.now();
    const height = await this.#net.height(this.#index);
    const now = performance.now();
    this.slowestAnswerMs = Math.max(this.slowestAnswerMs, now - asked);
    if (this.#height === undefined || height > this.#height) {
      if (this.#height !== undefined) {
        this.blocks += Number(height - this.#height);
        this.longestGapMs = Math.max(this.longestGapMs, now - this.#grewAt);
      }
      this.#height = height;
      this.#grewAt = now;
    }
  }

  /** Counts the time since the last block. */
  end(): void {
    this.longestGapMs = Math.max(this.longestGapMs, performance.now() - this.#grewAt);
  }
}

/** Watches the honest validators: their blocks, answers, memory and links. */
export class AttackWatch {
  readonly #net: ValidatorNet;
  readonly #honest: readonly number[];
  readonly #followers: readonly Follower[];
  readonly #ended: Promise<unknown>;
  #isOver = false;

  private constructor(net: ValidatorNet, honest: readonly number[]) {
    this.#net = net;
    this.#honest = honest;
    this.#followers = honest.map((index) => new Follower(net, index));
    this.#ended = Promise.all(this.#followers.map((follower) => this.#follow(follower)));
    // A failure is reported by `end`.
    this.#ended.catch(() => undefined);
  }

  /**
   * Watches for a time.
   * @param isDone prolongs the time until it holds
   */
  static async during(
    net: ValidatorNet,
    honest: readonly number[],
    ms: number,
    isDone: () => Promise<boolean> = async () => true,
  ): Promise<AttackMeasures> {
    for (const index of honest) forgetPeak(net.node(index).pid);
    const watch = new AttackWatch(net, honest);
    try {
      await sleep(ms);
      await eventually('the attack is complete', isDone);
    } finally {
      watch.#isOver = true;
    }
    return watch.#end();
  }

  async #end(): Promise<AttackMeasures> {
    await this.#ended;
    for (const follower of this.#followers) follower.end();
    const most = (of: (follower: Follower) => number) => Math.max(...this.#followers.map(of));
    return {
      longestGapMs: Math.round(most(({ longestGapMs }) => longestGapMs)),
      blocks: Math.min(...this.#followers.map(({ blocks }) => blocks)),
      peakMiB: this.#honest.map((index) => Math.round(processMemory(this.#net.node(index).pid).peakMiB)),
      slowestAnswerMs: Math.round(most(({ slowestAnswerMs }) => slowestAnswerMs)),
    };
  }

  async #follow(follower: Follower): Promise<void> {
    while (!this.#isOver) {
      await follower.look();
      await sleep(POLL_MS);
    }
  }
}

/** A metric of some validators, summed, optionally only of one label's value. */
export async function metricSum(
  net: ValidatorNet,
  indices: readonly number[],
  name: string,
  label = '',
): Promise<number> {
  let sum = 0;
  for (const index of indices) {
    const text = await (await fetch(new URL('/metrics', net.node(index).url))).text();
    for (const line of text.split('\n')) {
      const isNamed = line.startsWith(`${name}{`) || line.startsWith(`${name} `);
      if (isNamed && line.includes(label)) sum += Number(line.split(' ').at(-1));
    }
  }
  return sum;
}

/** Asserts that the honest validators are connected with each other and that none has dropped another one. */
export async function honestLinksHold(net: ValidatorNet, honest: readonly number[]): Promise<void> {
  for (const index of honest) {
    const { peers } = await net.client(index).validator_status();
    const lost = peers.filter((peer) => honest.includes(peer.index) && !peer.connected);
    assert.deepEqual(lost, [], `validator ${index} has lost honest ones`);
    const drops = net
      .node(index)
      .log.split('\n')
      .filter((line) => line.includes('dropped a validator'));
    for (const line of drops) {
      const { index: dropped } = JSON.parse(line) as { readonly index?: number };
      assert.ok(
        dropped === undefined || !honest.includes(dropped),
        `an honest validator is dropped: ${line}`,
      );
    }
  }
}
