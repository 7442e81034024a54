import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../eventually.js';
import { ValidatorNet, type ValidatorNetOptions } from '../validator-net.js';
import { ANSWER_MS, type AttackMeasures, AttackWatch, honestLinksHold } from './attack-watch.js';
import { AttackingValidator, type AttackOptions } from './attacking-validator.js';
import type { AttackName } from './attacks.js';
import type { AttackCounts } from './rogue.js';
import type { DeedName } from './turncoat-deeds.js';

export const HONEST: readonly number[] = [0, 1, 2];
export const FAULTY = 3;

/** Flags of Node for victims with short bans: see short-bans.ts. */
export const SHORT_BANS: readonly string[] = ['--import', new URL('./short-bans.js', import.meta.url).href];

const TURNCOAT = new URL('./turncoat.js', import.meta.url).href;
const BLOCK_TIME_MS = 250;
/** Flags of the validators for which the bounds hold. */
export const PACE: readonly string[] = ['--idle-block-time', `${BLOCK_TIME_MS}`];
/** Δ of the consensus rules. */
const DELTA_MS = 500;
/**
 * The most that one view of a faulty leader takes: nothing ends it before its advance timer, three Δ after its proposal
 * was due. Δ grows only with the third view in a row that finalizes nothing, and of four leaders one is faulty, so the
 * next view is an honest one's and its block is the next to become final.
 */
const VIEW_TIMEOUT_MS = 3 * DELTA_MS;
/** Blocks go on at most this far apart: a whole view is lost, and a second timeout covers what the network adds. */
const LONGEST_GAP_MS: number = 2 * VIEW_TIMEOUT_MS + BLOCK_TIME_MS;

/**
 * The named buffers that one faulty peer can fill in a process: 16 MiB of messages in handlers and 4 MiB of gossip
 * among them (peer-rate-limit.ts), 44 MiB queued for a peer that does not read (send-queue.ts), one large message of
 * each of three classes (frame-reader.ts), four blocks in decoding at 4 MiB (known-blocks.ts), of which items take
 * several times their bytes, and 16 views with a pushed block of 4 MiB.
 */
const BUFFERS_MIB: number = 16 + 44 + 3 * 4 + 4 * 4 * 4 + 16 * 4;
/** Heap that the collector has not returned yet: young generation, and pages of garbage of the above. */
const GARBAGE_MIB = 150;
/** Length of a measurement without an attack. */
const CONTROL_MS = 2_500;
/** Number of times that an attack must keep blocks back before it counts. */
const ROUNDS = 3;

export interface AttackResult extends AttackMeasures, AttackCounts {}

/** Four validators; the last one attacks the others. */
export class AttackedNet {
  readonly net: ValidatorNet;
  /** Measures before the first attack. */
  readonly #base: AttackMeasures;
  /** The latest measures without an attack. */
  #control: AttackMeasures;

  private constructor(net: ValidatorNet, base: AttackMeasures) {
    this.net = net;
    this.#base = base;
    this.#control = base;
  }

  /** Starts the net and measures it without an attack; the faulty validator's node does not run afterwards. */
  static async start(
    options: ValidatorNetOptions & { readonly nodeFlags?: readonly string[] } = {},
  ): Promise<AttackedNet> {
    const { nodeFlags = [], flags = [], ...rest } = options;
    const net = await ValidatorNet.make({ ...rest, flags: [...PACE, ...flags] });
    try {
      await net.start(net.all, { nodeFlags });
      return await AttackedNet.of(net);
    } catch (error) {
      await net.dispose();
      throw error;
    }
  }

  /** Measures a net of four that runs at {@link PACE}, as {@link start} does. */
  static async of(net: ValidatorNet): Promise<AttackedNet> {
    await net.allConnected();
    await net.grow(4n);
    const control = await AttackWatch.during(net, HONEST, CONTROL_MS);
    await net.kill(FAULTY);
    return new AttackedNet(net, control);
  }

  /**
   * Runs attacks at once for a time, and checks what the honest validators owe their users meanwhile. Other load on the
   * machine can keep blocks back too, so after a long gap the attack is repeated: one that works holds them up each time.
   * An `isDone` prolongs the time until it holds.
   */
  async under(
    attacks: readonly AttackName[],
    ms: number,
    {
      isDone = async () => true,
      ...options
    }: AttackOptions & { readonly isDone?: () => Promise<boolean> } = {},
  ): Promise<AttackResult> {
    for (let round = 1; ; round++) {
      const attacker = await AttackingValidator.begin(this.net, FAULTY, attacks, options);
      const watched = await AttackWatch.during(this.net, HONEST, ms, isDone).finally(async () =>
        attacker.end(),
      );
      const result = { ...watched, ...(await attacker.end()) };
      if (await this.#isInBound(attacks.join(', '), result, round)) return result;
    }
  }

  /** Starts the faulty validator's node, which now works for the attacker: see turncoat.ts. */
  async startTurncoat(): Promise<void> {
    const directory = this.net.directory(FAULTY);
    const env = { TURNCOAT_DIRECTORY: directory, TURNCOAT_DEEDS: this.#deedsFile };
    writeFileSync(this.#deedsFile, '[]');
    await this.net.start([FAULTY], { env, nodeFlags: ['--import', TURNCOAT] });
    await this.net.allConnected();
  }

  /**
   * Has the turncoat do these deeds in its turns for a time, at least once each, and checks what the honest validators
   * owe their users meanwhile; after a long gap once more, as {@link under}.
   */
  async whileIts(deeds: readonly DeedName[], ms: number): Promise<AttackMeasures> {
    for (let round = 1; ; round++) {
      const { log } = this.net.node(FAULTY);
      writeFileSync(this.#deedsFile, JSON.stringify(deeds));
      const done = () => this.net.node(FAULTY).log.slice(log.length);
      const measures = await AttackWatch.during(this.net, HONEST, ms, async () =>
        deeds.every((name) => done().includes(`turncoat: ${name}\n`)),
      ).finally(() => writeFileSync(this.#deedsFile, '[]'));
      if (await this.#isInBound(deeds.join(', '), measures, round)) return measures;
    }
  }

  get #deedsFile(): string {
    return join(this.net.directory(FAULTY), 'deeds.json');
  }

  /** @returns false if the attack must be repeated */
  async #isInBound(name: string, measures: AttackMeasures, round: number): Promise<boolean> {
    await this.check(measures, name);
    const bound = LONGEST_GAP_MS + this.#control.longestGapMs;
    if (measures.longestGapMs <= bound) return true;
    assert.ok(round < ROUNDS, `${name}: ${JSON.stringify(measures)}, at most ${bound} ms`);
    this.#control = await AttackWatch.during(this.net, HONEST, CONTROL_MS);
    return false;
  }

  /** Checks all but the time between blocks. */
  async check(measures: AttackMeasures, name: string): Promise<void> {
    const { peakMiB, slowestAnswerMs } = measures;
    const seen = `${name}: ${JSON.stringify(measures)}, at first ${JSON.stringify(this.#base)}`;
    assert.ok(slowestAnswerMs <= ANSWER_MS, seen);
    for (const [at, peak] of peakMiB.entries()) {
      assert.ok(peak <= (this.#base.peakMiB[at] ?? 0) + BUFFERS_MIB + GARBAGE_MIB, seen);
    }
    await honestLinksHold(this.net, HONEST);
  }

  /** Starts the faulty validator's own node: the others accept it once its ban is over, and it takes part again. */
  async behavesAgain(): Promise<void> {
    await this.net.start([FAULTY]);
    await this.net.allConnected();
    const height = await this.net.height(FAULTY);
    await this.net.grow(4n);
    assert.ok((await this.net.height(FAULTY)) > height);
    const proposers = async () => {
      const last = await this.net.height(0);
      const blocks = await this.net.blocks(0, last, last > 8n ? last - 7n : 1n);
      return blocks.map(({ header }) => header.proposer);
    };
    await eventually('it proposes again', async () => (await proposers()).includes(FAULTY));
  }

  async dispose(): Promise<void> {
    await this.net.dispose();
  }
}
