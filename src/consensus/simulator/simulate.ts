import { maxFaulty, RULES } from '../core/rules.js';
import type { FaultEvent } from './faults.js';
import { gapOf } from './gaps.js';
import { layHistory } from './history.js';
import { Host } from './host.js';
import { Links } from './links.js';
import type { Violation } from './model.js';
import { kindOf } from './model.js';
import { countOpenBlocks, type OpenBlocks } from './open-blocks.js';
import { Random } from './random.js';
import { drawScenario, type Scenario, type ScenarioOptions } from './scenario.js';
import { withEnvelopes } from './sealed-scenario.js';
import { World, type WorldOptions } from './world.js';

/** The protocol's rules by default; tests change them to show what a rule is for. */
export interface SimulationOptions extends ScenarioOptions, Partial<WorldOptions> {
  /** Whether envelopes open at each height, on a network whose latency is above the block time; default false. */
  readonly sealed?: boolean;
}

export interface SimulationResult {
  readonly violation: Violation | undefined;
  /** Lowest height among honest validators. */
  readonly height: number;
  /** Views that honest validators needed to reach the goal after the network stabilized. */
  readonly viewsToGoal: number;
  /** Final blocks since the network stabilized, in a run with envelopes. */
  readonly openBlocks: OpenBlocks;
  readonly messages: number;
  readonly virtualMs: number;
  readonly scenario: Scenario;
}

/** Number of heights the chain must grow, or of transactions that must become final, once the network is stable. */
const GOAL = 3;
/** The same for heights in a run with envelopes, whose blocks must have transactions. */
const SEALED_GOAL = 24;
/** Views in which a run with envelopes may take a height, over all. */
const SEALED_VIEWS_A_HEIGHT = 2;
/** How long to watch a chain that may stop, in virtual milliseconds. */
const WATCHED_MS = 10_000;
/** Time limit for reaching the goal, in virtual milliseconds. */
const GIVE_UP_MS = 900_000;
const MAX_EVENTS = 400_000;
const GOSSIP_MS = 50;
/** Age of a recent backup, in virtual milliseconds. */
const RECENT_MS = 500;
const BETWEEN_TRANSACTIONS_MS = 4_000;
/** Time without transactions in which what the faults have left behind must become final, in virtual milliseconds. */
const SETTLED_MS = 10_000;
/** Time limit of a stop, in virtual milliseconds. */
const STOP_MS = 60_000;

/** Maximum number of views before the goal: each of f faulty leaders can spoil its own views, more than once. */
export function viewBound(validators: number): number {
  return 16 + 10 * (maxFaulty(validators) + 1);
}

/** Runs the validators of one seed until the goal is reached or a rule is violated. */
export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const random = new Random(options.seed);
  const drawn = drawScenario(options, random);
  return simulateScenario(options.sealed === true ? withEnvelopes(drawn) : drawn, random, options);
}

/** @param goal number of heights that the chain must grow, once the network is stable */
export async function simulateScenario(
  scenario: Scenario,
  random: Random,
  { rules = RULES, trace }: Partial<WorldOptions>,
  goal = scenario.envelopes ? SEALED_GOAL : GOAL,
): Promise<SimulationResult> {
  const world = new World(scenario, random, { rules, trace });
  const run = new Run(world, goal);
  await run.play();
  return {
    violation: world.violation,
    height: run.lowest,
    viewsToGoal: world.viewsSinceStable,
    openBlocks: run.openBlocks,
    messages: run.links.delivered,
    virtualMs: world.nowMs,
    scenario,
  };
}

/** One run: injects faults and work, and checks progress. */
class Run {
  readonly #world: World;
  readonly links: Links;
  readonly #hosts: readonly Host[];
  readonly #honest: readonly Host[];
  readonly #goal: number;
  #goalHeight = 0;
  /** The highest final height when the network became stable. */
  #stableHeight = 0;
  /** The highest epoch and view with a vote when the network became stable. */
  #stable = { epoch: 0, view: 0 };
  /** Number of transactions sent since the network became stable. */
  #sent = 0;
  /** The last transaction, while it is not final everywhere. */
  #inFlight: number | undefined;

  constructor(world: World, goal: number) {
    this.#world = world;
    this.#goal = goal;
    this.links = new Links(world, kindOf, (to, message) => gapOf(world.scenario, to, message));
    this.#hosts = this.#makeHosts();
    this.#honest = this.#hosts.filter(({ isHonest }) => isHonest);
  }

  get lowest(): number {
    return Math.min(...this.#honest.map(({ height }) => height));
  }

  get openBlocks(): OpenBlocks {
    return countOpenBlocks(this.#world, this.#stableHeight);
  }

  /** The validators' hosts, two for a pair of twins. */
  #makeHosts(): readonly Host[] {
    const world = this.#world;
    const links = this.links;
    const { validators, faulty } = world.scenario;
    const common = { world, links, onHonestVote: () => this.#onHonestVote() };
    return Array.from({ length: validators }, (_, index) => {
      const actors = faulty.get(index) ?? [];
      const halves = actors.includes('twins') ? [0, 1] : [undefined];
      const hosts = halves.map((half) => new Host({ ...common, index, actors, half }));
      links.add(hosts);
      return hosts;
    }).flat();
  }

  async play(): Promise<void> {
    const world = this.#world;
    layHistory(
      world,
      this.#hosts.map(({ validator }) => validator),
    );
    for (const host of this.#hosts) world.after(0, () => host.start());
    this.#plan();
    for (let events = 0; world.violation === undefined && !this.#isOver; events++) {
      if (!(await world.next())) {
        if (!world.scenario.mayStop) world.fail('liveness', 'nothing is left to happen');
        return;
      }
      if (events > MAX_EVENTS) world.fail('liveness', 'too much happens for so little');
    }
    if (world.violation === undefined && world.scenario.envelopes) this.#checkOpenBlocks();
    if (world.violation === undefined) await this.#stop();
  }

  get #isOver(): boolean {
    const world = this.#world;
    const { mayStop, stableFromMs } = world.scenario;
    if (!world.isStable) return false;
    if (mayStop) return world.nowMs > stableFromMs + WATCHED_MS;
    if (world.hasProgress) {
      world.hasProgress = false;
      if (this.#hasReachedGoal()) return true;
    }
    this.#checkProgress();
    return false;
  }

  /** Transactions get into most blocks although each height has envelopes. */
  #checkOpenBlocks(): void {
    const world = this.#world;
    if (world.scenario.mayStop) return;
    const { able, withTransactions } = this.openBlocks;
    if (withTransactions < able / 2)
      world.fail('liveness', `transactions get into ${withTransactions} of ${able} blocks`);
  }

  #plan(): void {
    const world = this.#world;
    const { faultEvents, stableFromMs, work, unaffordable } = world.scenario;
    for (const fault of faultEvents) {
      world.after(fault.atMs, () => this.#begin(fault));
      world.after(fault.atMs + fault.forMs, () => this.#end(fault));
      if (fault.type === 'crash' && fault.disk === 'restored') this.#planBackup(fault);
    }
    if (work === 'sporadic') {
      for (let atMs = 0; atMs < stableFromMs; atMs += 1_000) world.after(atMs, () => this.#sendTransaction());
    }
    if (unaffordable) this.#addUnaffordable();
    world.after(stableFromMs, () => this.#stabilize());
  }

  #addUnaffordable(): void {
    const world = this.#world;
    const transaction = world.newTransaction();
    world.unaffordable.add(transaction);
    for (const host of this.#hosts) host.addTransaction(transaction);
  }

  #planBackup({ nodes, atMs }: Extract<FaultEvent, { readonly type: 'crash' }>): void {
    const { random } = this.#world;
    const at = random.chance(0.6) ? Math.max(0, atMs - random.below(RECENT_MS)) : random.below(atMs + 1);
    this.#world.after(at, () => {
      for (const index of nodes) this.#honestAt(index)?.validator.backUp();
    });
  }

  #begin(fault: FaultEvent): void {
    const world = this.#world;
    const links = this.links;
    const { nowMs } = world;
    switch (fault.type) {
      case 'crash':
        for (const index of fault.nodes) this.#honestAt(index)?.crash(fault.disk);
        break;
      case 'stop':
        for (const index of fault.nodes) void this.#honestAt(index)?.stop();
        break;
      case 'partition':
        world.trace(() => `partition of ${fault.side.join(', ')}`);
        links.partition(fault.side);
        break;
      case 'disconnect':
        world.trace(() => `${fault.node} loses its connections to ${fault.peers.join(', ')}`);
        for (const peer of fault.peers) if (peer !== fault.node) links.lose(fault.node, peer);
        break;
      case 'hold':
        world.trace(() => `messages from ${fault.from.join(', ')} to ${fault.to.join(', ')} are held`);
        for (const from of fault.from) for (const to of fault.to) links.hold(from, to, nowMs + fault.forMs);
        break;
      case 'clock':
        world.trace(() => `the clock of ${fault.node} jumps by ${fault.byMs} ms`);
        this.#honestAt(fault.node)?.validator.moveClock(fault.byMs);
        break;
    }
  }

  #end(fault: FaultEvent): void {
    if (fault.type === 'partition') this.links.heal(fault.side);
    if (fault.type === 'crash' || fault.type === 'stop')
      for (const index of fault.nodes) this.#honestAt(index)?.start();
    if (fault.type === 'clock') this.#honestAt(fault.node)?.validator.moveClock(-fault.byMs);
  }

  #honestAt(index: number): Host | undefined {
    return this.#honest.find((host) => host.index === index);
  }

  /** Crashes all honest validators in the middle of a round of votes, if the scenario says so. */
  #onHonestVote(): void {
    const world = this.#world;
    if (world.isStable || world.votes !== world.scenario.outageAtVote) return;
    world.after(0, () => {
      for (const host of this.#honest) host.restart(500);
    });
  }

  #stabilize(): void {
    const world = this.#world;
    world.trace(() => 'the network behaves from now on');
    if (world.scenario.allRestart) for (const host of this.#honest) host.crash();
    for (const host of this.#hosts) host.start();
    world.isStable = true;
    world.hasProgress = true;
    this.#stable = { epoch: world.epoch, view: world.view };
    if (world.scenario.work === 'sporadic') {
      world.after(SETTLED_MS, () => this.#next());
      return;
    }
    this.#stableHeight = Math.max(world.finalHeight, ...this.#honest.map(({ height }) => height));
    this.#goalHeight = this.#stableHeight + this.#goal;
  }

  /** Sends a transaction to one honest validator, and to the others a little later. */
  #sendTransaction(): number {
    const world = this.#world;
    const transaction = world.newTransaction();
    const first = world.random.pick(this.#honest);
    first.addTransaction(transaction);
    world.after(GOSSIP_MS, () => {
      for (const host of this.#hosts) if (host !== first) host.addTransaction(transaction);
    });
    return transaction;
  }

  #hasReachedGoal(): boolean {
    if (this.#world.scenario.work === 'sporadic') return this.#advanceTransactions();
    return this.#honest.every((host) => this.#hasArrived(host));
  }

  /** Whether a validator has reached the height, no longer fetches blocks, and votes again unless it lost its disk. */
  #hasArrived({ height, process, validator }: Host): boolean {
    const { scenario } = this.#world;
    if (height < this.#goalHeight || process === undefined) return false;
    if (process.isFetchingInVain) return false;
    if (scenario.validators === 1 || validator.hasLostDisk) return true;
    return process.watch.hasVotedSince(this.#stable.epoch, this.#stable.view);
  }

  /** Whether all transactions are final on every honest validator; sends the next one once the last is final. */
  #advanceTransactions(): boolean {
    const transaction = this.#inFlight;
    if (transaction !== undefined) {
      if (!this.#honest.every((host) => host.isAlive && !host.pool.has(transaction))) return false;
      this.#inFlight = undefined;
      if (this.#sent === this.#goal) return true;
      this.#world.after(BETWEEN_TRANSACTIONS_MS, () => this.#next());
    }
    return false;
  }

  #next(): void {
    this.#sent++;
    // Restarts the count: if a hop takes longer than a block time, empty blocks may follow one another continuously.
    this.#world.viewsSinceStable = 0;
    const transaction = this.#sendTransaction();
    this.#world.after(GOSSIP_MS, () => {
      this.#inFlight = transaction;
      this.#world.hasProgress = true;
    });
  }

  #checkProgress(): void {
    const world = this.#world;
    const { validators, stableFromMs } = world.scenario;
    const goal = this.#goal;
    const bound = viewBound(validators) + SEALED_VIEWS_A_HEIGHT * (goal - GOAL);
    if (world.viewsSinceStable > bound && this.#isWaiting()) {
      world.fail(
        'liveness',
        `${world.viewsSinceStable} views since the network behaves, and not ${goal} heights`,
      );
    } else if (world.nowMs > stableFromMs + GIVE_UP_MS) {
      world.fail('liveness', `no ${goal} heights since the network behaves`);
    }
  }

  /** Whether the run waits for a transaction or a validator. */
  #isWaiting(): boolean {
    const { behind } = this.#world.scenario;
    // These may have to fetch the whole chain.
    const isExcepted = ({ validator }: Host) => validator.hasLostDisk || behind.has(validator.index);
    return (
      this.#inFlight !== undefined ||
      (this.#goalHeight > 0 && this.#honest.some((host) => !isExcepted(host) && !this.#hasArrived(host)))
    );
  }

  /** Stops all honest validators in order. */
  async #stop(): Promise<void> {
    const world = this.#world;
    const running = this.#honest.flatMap(({ process }) => process ?? []);
    for (const process of running) {
      process.checkEnd();
      void process.stop();
    }
    const untilMs = world.nowMs + STOP_MS;
    while (running.some(({ isStopped }) => !isStopped) && world.nowMs < untilMs)
      if (!(await world.next())) break;
    if (running.some(({ isStopped }) => !isStopped)) world.fail('liveness', 'a validator does not stop');
  }
}
