import { maxFaulty, RULES } from '../core/rules.js';
import { hostsOf } from './byzantine.js';
import type { Violation } from './model.js';
import { DEFAULT_BEHAVIOR } from './node-behavior.js';
import { Random } from './random.js';
import { drawScenario, type Scenario, type ScenarioOptions } from './scenario.js';
import type { SimNode } from './sim-node.js';
import { World, type WorldOptions } from './world.js';

/** The node's own rules and behavior by default; tests modify them to show what a rule is for. */
export interface SimulationOptions extends ScenarioOptions, Partial<WorldOptions> {}

export interface SimulationResult {
  readonly violation: Violation | undefined;
  /** Lowest height among honest validators. */
  readonly height: number;
  /** Views that honest validators needed to reach the goal after the network stabilized. */
  readonly viewsToGoal: number;
  readonly messages: number;
  readonly virtualMs: number;
  readonly scenario: Scenario;
}

/** Number of heights the chain must grow, or of transactions that must become final, once the network is stable. */
const GOAL = 3;
/** How long to watch a chain that may stop, in virtual milliseconds. */
const WATCHED_MS = 10_000;
/** Time limit for reaching the goal, in virtual milliseconds. */
const GIVE_UP_MS = 900_000;
const MAX_EVENTS = 400_000;
const GOSSIP_MS = 50;
const BETWEEN_TRANSACTIONS_MS = 4_000;

/** Maximum number of views before the goal: each of f faulty leaders can spoil its own views, more than once. */
export function viewBound(validators: number): number {
  return 16 + 10 * (maxFaulty(validators) + 1);
}

/** Runs the protocol for one seed until the goal is reached or a rule is violated. */
export function simulate(options: SimulationOptions): SimulationResult {
  const random = new Random(options.seed);
  const scenario = drawScenario(options, random);
  const { rules = RULES, behavior = DEFAULT_BEHAVIOR, watchVotes = true, trace } = options;
  const world = new World(scenario, random, { rules, behavior, watchVotes, trace });
  const nodes: SimNode[] = [];
  for (let index = 0; index < scenario.validators; index++) {
    const hosts = hostsOf(world, index);
    world.hosts.push(hosts);
    nodes.push(...hosts);
  }
  const run = new Run(world, nodes);
  run.play();
  return {
    violation: world.checks.violation,
    height: run.lowest,
    viewsToGoal: world.viewsSinceStable,
    messages: world.messages,
    virtualMs: world.nowMs,
    scenario,
  };
}

/** One run: injects faults and work, and checks progress. */
class Run {
  readonly #world: World;
  readonly #nodes: readonly SimNode[];
  readonly #honest: readonly SimNode[];
  #goalHeight = 0;
  /** Number of transactions sent since the network became stable; `#inFlight` is whether one is pending. */
  #sent = 0;
  #inFlight = false;

  constructor(world: World, nodes: readonly SimNode[]) {
    this.#world = world;
    this.#nodes = nodes;
    this.#honest = this.#nodes.filter(({ honest }) => honest);
  }

  get lowest(): number {
    return Math.min(...this.#honest.map(({ height }) => height));
  }

  play(): void {
    const world = this.#world;
    const { scenario, checks } = world;
    for (const node of this.#nodes) world.schedule(0, () => node.start());
    this.#plan();
    for (let events = 0; checks.violation === undefined; events++) {
      if (!world.next()) {
        if (!scenario.mayStop) checks.fail('liveness', 'nothing is left to happen', world.nowMs);
        return;
      }
      if (events > MAX_EVENTS) checks.fail('liveness', 'too much happens for so little', world.nowMs);
      if (!world.isStable) continue;
      if (scenario.mayStop) {
        if (world.nowMs > scenario.stableFromMs + WATCHED_MS) return;
      } else {
        if (world.hasProgress) {
          world.hasProgress = false;
          if (this.#hasReachedGoal()) return;
        }
        this.#checkProgress();
      }
    }
  }

  /** Schedules the faults and their end. */
  #plan(): void {
    const world = this.#world;
    const { faultEvents, stableFromMs, work } = world.scenario;
    for (const fault of faultEvents) {
      world.schedule(fault.atMs, () => {
        if (fault.type === 'partition') {
          world.trace(() => `partition of ${fault.side.join(', ')}`);
          world.cut(fault.side, true);
        } else {
          for (const index of fault.nodes) this.#honestAt(index)?.crash(fault.wiped);
        }
      });
      world.schedule(fault.atMs + fault.forMs, () => {
        if (fault.type === 'partition') world.cut(fault.side, false);
        else for (const index of fault.nodes) this.#honestAt(index)?.start();
      });
    }
    if (work === 'sporadic') {
      for (let atMs = 0; atMs < stableFromMs; atMs += 1_000)
        world.schedule(atMs, () => this.#sendTransaction());
    }
    world.schedule(stableFromMs, () => this.#stabilize());
  }

  #honestAt(index: number): SimNode | undefined {
    return this.#honest.find((node) => node.index === index);
  }

  #stabilize(): void {
    const world = this.#world;
    world.trace(() => 'the network behaves from now on');
    if (world.scenario.allRestart) for (const node of this.#honest) node.crash();
    for (const node of this.#nodes) if (!node.alive) node.start();
    world.isStable = true;
    world.hasProgress = true;
    if (world.scenario.work === 'sporadic') return;
    this.#goalHeight = Math.max(world.checks.finalHeight, ...this.#honest.map(({ height }) => height)) + GOAL;
  }

  /** Sends a transaction to one honest validator, and to the others a little later. */
  #sendTransaction(): number {
    const world = this.#world;
    const transaction = ++this.#transactions;
    const first = world.random.pick(this.#honest);
    first.addTransaction(transaction);
    world.schedule(world.nowMs + GOSSIP_MS, () => {
      for (const node of this.#nodes) if (node !== first) node.addTransaction(transaction);
    });
    return transaction;
  }
  #transactions = 0;

  #hasReachedGoal(): boolean {
    if (this.#world.scenario.work !== 'sporadic') {
      for (const node of this.#honest) if (node.height < this.#goalHeight) return false;
      return true;
    }
    return this.#advanceTransactions();
  }

  /** Whether all transactions are final on every honest node; sends the next one once the last is final. */
  #advanceTransactions(): boolean {
    if (this.#inFlight) {
      for (const node of this.#honest) if (!node.alive || node.isPending(this.#transactions)) return false;
      this.#inFlight = false;
      if (this.#sent === GOAL) return true;
      this.#world.schedule(this.#world.nowMs + BETWEEN_TRANSACTIONS_MS, () => this.#next());
    } else if (this.#sent === 0) {
      this.#next();
    }
    return false;
  }

  #next(): void {
    this.#sent++;
    // Restarts the count: if a hop takes longer than a block time, empty blocks may follow one another continuously.
    this.#world.viewsSinceStable = 0;
    const transaction = this.#sendTransaction();
    this.#world.schedule(this.#world.nowMs + GOSSIP_MS, () => {
      this.#inFlight = transaction === this.#transactions;
      this.#world.hasProgress = true;
    });
  }

  #checkProgress(): void {
    const world = this.#world;
    const { validators, stableFromMs } = world.scenario;
    if (world.viewsSinceStable > viewBound(validators) && this.#isWaiting()) {
      world.checks.fail(
        'liveness',
        `${world.viewsSinceStable} views since the network behaves, and not ${GOAL} heights`,
        world.nowMs,
      );
    } else if (world.nowMs > stableFromMs + GIVE_UP_MS) {
      world.checks.fail('liveness', `no ${GOAL} heights since the network behaves`, world.nowMs);
    }
  }

  /**
   * Whether the run waits for a transaction or a node. A node that lost its disk is excepted: it may have to fetch
   * the whole chain.
   */
  #isWaiting(): boolean {
    return this.#inFlight || this.#honest.some((node) => !node.hasLostDisk && node.height < this.#goalHeight);
  }
}
