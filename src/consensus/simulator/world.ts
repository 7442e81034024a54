import type { Rules } from '../core/rules.js';
import type { Certificate, VoteMessage } from '../core/types.js';
import { Checks } from './checks.js';
import { EventQueue } from './event-queue.js';
import { GENESIS, type Packet, type SimBlock } from './model.js';
import type { NodeBehavior } from './node-behavior.js';
import type { Random } from './random.js';
import type { Scenario } from './scenario.js';

/** A validator's process as seen by the world and its peers. */
interface Host {
  readonly index: number;
  readonly honest: boolean;
  readonly alive: boolean;
  /** Changes with each crash of the process. */
  readonly life: number;
  /** The committed block at a height. */
  blockAt(height: number): SimBlock | undefined;
  start(): void;
  crash(): void;
  noteConnection(peer: number, connected: boolean): void;
  receive(from: number, packet: Packet): void;
}

/** Options of a run besides its scenario. */
export interface WorldOptions {
  readonly rules: Rules;
  readonly behavior: NodeBehavior;
  /** Whether contradicting votes of an honest validator are a violation even if harmless. */
  readonly watchVotes: boolean;
  /** Receives a line for each vote, commit, crash and timer. */
  readonly trace: ((line: string) => void) | undefined;
}

/** The time, network and randomness shared by a run's nodes, and the checks on their behavior. */
export class World {
  readonly scenario: Scenario;
  readonly random: Random;
  readonly options: WorldOptions;
  readonly checks: Checks;
  /** All blocks ever built, by hash. */
  readonly blocks = new Map<string, SimBlock>();
  /** Processes by validator; twins have two. */
  readonly hosts: Host[][] = [];
  nowMs = 0;
  /** Whether the fault phase is over. */
  isStable = false;
  /** Number of views that honest validators have passed since the network became stable. */
  viewsSinceStable = 0;
  messages = 0;
  /** Whether something was committed or sent since the last goal check. */
  hasProgress = false;
  readonly #queue = new EventQueue();
  #cut: (readonly number[])[] = [];
  #blocksBuilt = 0;
  readonly #epochEnds = new Map<number, Certificate>();
  #epoch = 0;
  #view = 0;
  #votes = 0;

  constructor(scenario: Scenario, random: Random, options: WorldOptions) {
    this.scenario = scenario;
    this.random = random;
    this.options = options;
    this.blocks.set(GENESIS.hash, GENESIS);
    this.checks = new Checks(scenario.validators, options.watchVotes);
  }

  schedule(atMs: number, run: () => void): void {
    this.#queue.push(Math.max(atMs, this.nowMs), run);
  }

  /** @returns false if the queue is empty */
  next(): boolean {
    const event = this.#queue.pop();
    if (event === undefined) return false;
    this.nowMs = event.atMs;
    event.run();
    return true;
  }

  trace(what: () => string): void {
    this.options.trace?.(`${this.nowMs.toFixed(0).padStart(7)} ${what()}`);
  }

  send(from: number, to: number, packet: Packet): void {
    const { scenario, random, isStable } = this;
    if (!isStable) {
      if (this.isCut(from, to) || random.chance(scenario.loss)) return;
      if (random.chance(scenario.duplication)) this.#deliver(from, to, packet);
    }
    this.#deliver(from, to, packet);
  }

  #deliver(from: number, to: number, packet: Packet): void {
    const { scenario, random } = this;
    const [low, high] = scenario.latencyMs;
    let delayMs = low + random.fraction() * (high - low);
    if (!this.isStable && random.chance(scenario.delay)) delayMs += random.below(2_000);
    const atMs = this.nowMs + delayMs;
    for (const host of this.hosts[to] ?? []) {
      const { life } = host;
      this.schedule(atMs, () => {
        // A crash of the receiving process breaks the connection.
        if (host.life !== life) return;
        this.messages++;
        host.receive(from, packet);
      });
    }
  }

  /** True if a partition separates two validators. */
  isCut(a: number, b: number): boolean {
    return this.#cut.some((side) => side.includes(a) !== side.includes(b));
  }

  /** Begins or ends a partition; connections break and return with it. */
  cut(side: readonly number[], begins: boolean): void {
    const count = this.hosts.length;
    const before = this.#cut;
    const after = begins ? [...before, side] : before.filter((one) => one !== side);
    for (let a = 0; a < count; a++) {
      for (let b = 0; b < count; b++) {
        if (a === b) continue;
        this.#cut = before;
        const was = this.isCut(a, b);
        this.#cut = after;
        const is = this.isCut(a, b);
        if (was !== is) for (const host of this.hosts[a] ?? []) host.noteConnection(b, !is);
      }
    }
    this.#cut = after;
  }

  /** True if two validators can be connected now. */
  connects(a: number, b: number): boolean {
    return a !== b && !this.isCut(a, b) && this.isUp(a) && this.isUp(b);
  }

  isUp(index: number): boolean {
    return this.hosts[index]?.some((host) => host.alive) ?? false;
  }

  build(facts: Omit<SimBlock, 'hash'>): SimBlock {
    const block = { hash: `b${++this.#blocksBuilt}`, ...facts };
    this.blocks.set(block.hash, block);
    return block;
  }

  noteVote(message: VoteMessage, signer: number, honest: boolean): void {
    this.checks.noteVote(message, signer, this.blocks.get(message.hash), this.nowMs);
    if (!honest) return;
    if (!this.isStable && ++this.#votes === this.scenario.outageAtVote) this.#outage();
    const { epoch, view } = message;
    if (epoch < this.#epoch || (epoch === this.#epoch && view <= this.#view)) return;
    if (this.isStable) this.viewsSinceStable += epoch === this.#epoch ? view - this.#view : view;
    this.#epoch = epoch;
    this.#view = view;
  }

  /** Crashes all honest validators in the middle of a round of votes. */
  #outage(): void {
    this.schedule(this.nowMs, () => {
      for (const host of this.hosts.flat()) {
        if (!host.honest || !host.alive) continue;
        host.crash();
        this.schedule(this.nowMs + this.random.below(500), () => host.start());
      }
    });
  }

  /** Records the finalization of an epoch's last block, which every node with the block is assumed to store. */
  noteEpochEnd(block: SimBlock, certificate: Certificate): void {
    if (block.height % this.scenario.core.epochLength !== 0) return;
    const epoch = block.height / this.scenario.core.epochLength - 1;
    if (!this.#epochEnds.has(epoch)) this.#epochEnds.set(epoch, certificate);
  }

  epochEnd(epoch: number, height: number): Certificate | undefined {
    return height >= (epoch + 1) * this.scenario.core.epochLength ? this.#epochEnds.get(epoch) : undefined;
  }

  /** The highest epoch in which an honest validator voted. */
  get epoch(): number {
    return this.#epoch;
  }
}
