import { maxFaulty, RULES, type Rules } from '../core/rules.js';
import { hostsOf } from './byzantine.js';
import type { Violation } from './model.js';
import { DEFAULT_BEHAVIOR, type NodeBehavior } from './node-behavior.js';
import { Random } from './random.js';
import { type ActorName, drawScenario, type Scenario } from './scenario.js';
import type { SimNode } from './sim-node.js';
import { World } from './world.js';

export interface SimulationOptions {
  readonly seed: number;
  readonly validators: number;
  /** Which faulty validators may take part; all kinds by default. */
  readonly actors?: readonly ActorName[];
  /** Gets a line for each vote, commit, crash and timer. */
  readonly trace?: (line: string) => void;
  /** Others than those of the protocol, to see what they are for. */
  readonly rules?: Rules;
  readonly behavior?: NodeBehavior;
  /** False to count an honest validator's contradicting votes only by what they lead to. */
  readonly watchVotes?: boolean;
}

export interface SimulationResult {
  readonly violation: Violation | undefined;
  /** Height that all honest validators reached. */
  readonly height: number;
  /** Views that honest validators needed for the goal after the network calmed down. */
  readonly viewsToGoal: number;
  readonly messages: number;
  readonly virtualMs: number;
  readonly scenario: Scenario;
}

/** Heights by which the chain has to grow, or transactions that have to become final, once the network behaves. */
const GOAL = 3;
/** How long a chain that may stop is watched, in virtual milliseconds. */
const WATCHED_MS = 10_000;
/** A chain that has not reached the goal by then has stopped. */
const GIVE_UP_MS = 900_000;
const MOST_EVENTS = 400_000;
const GOSSIP_MS = 50;
const BETWEEN_TRANSACTIONS_MS = 4_000;

/** Views that may go by before the goal: each of f leaders can spoil its own, more than once. */
export function viewBound(validators: number): number {
  return 16 + 10 * (maxFaulty(validators) + 1);
}

/** Runs the protocol of one seed to its goal, or to the first violation. */
export function simulate(options: SimulationOptions): SimulationResult {
  const random = new Random(options.seed);
  const scenario = drawScenario(options, random);
  const world = new World(scenario, random, {
    rules: options.rules ?? RULES,
    behavior: options.behavior ?? DEFAULT_BEHAVIOR,
    watchVotes: options.watchVotes ?? true,
    trace: options.trace,
  });
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

/** One run: what happens to the validators from outside, and what is expected of them. */
class Run {
  readonly #world: World;
  readonly #nodes: readonly SimNode[];
  readonly #honest: readonly SimNode[];
  #goalHeight = 0;
  /** Transactions sent since it is calm, and whether one is under way. */
  #sent = 0;
  #underWay = false;

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
      if (events > MOST_EVENTS) checks.fail('liveness', 'too much happens for so little', world.nowMs);
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

  /** Schedules what goes wrong, and the end of that. */
  #plan(): void {
    const world = this.#world;
    const { faultEvents, stableFromMs, work } = world.scenario;
    for (const trouble of faultEvents) {
      world.schedule(trouble.atMs, () => {
        if (trouble.type === 'partition') {
          world.trace(() => `partition of ${trouble.side.join(', ')}`);
          world.cut(trouble.side, true);
        } else {
          for (const index of trouble.nodes) this.#honestAt(index)?.crash(trouble.wiped);
        }
      });
      world.schedule(trouble.atMs + trouble.forMs, () => {
        if (trouble.type === 'partition') world.cut(trouble.side, false);
        else for (const index of trouble.nodes) this.#honestAt(index)?.start();
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

  /** To one honest validator first, from which the others have it a little later. */
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
    return this.#hasFinalizedAll();
  }

  /** Of the transactions sent on a chain without other work, the next follows when all have the last in a final block. */
  #hasFinalizedAll(): boolean {
    if (this.#underWay) {
      for (const node of this.#honest) if (!node.alive || node.isPending(this.#transactions)) return false;
      this.#underWay = false;
      if (this.#sent === GOAL) return true;
      this.#world.schedule(this.#world.nowMs + BETWEEN_TRANSACTIONS_MS, () => this.#next());
    } else if (this.#sent === 0) {
      this.#next();
    }
    return false;
  }

  #next(): void {
    this.#sent++;
    // Where a hop takes longer than a block time, empty blocks may follow each other all the time.
    this.#world.viewsSinceStable = 0;
    const transaction = this.#sendTransaction();
    this.#world.schedule(this.#world.nowMs + GOSSIP_MS, () => {
      this.#underWay = transaction === this.#transactions;
      this.#world.hasProgress = true;
    });
  }

  #checkProgress(): void {
    const world = this.#world;
    const { validators, stableFromMs } = world.scenario;
    if (world.viewsSinceStable > viewBound(validators) && this.#isWaited()) {
      world.checks.fail(
        'liveness',
        `${world.viewsSinceStable} views since the network behaves, and not ${GOAL} heights`,
        world.nowMs,
      );
    } else if (world.nowMs > stableFromMs + GIVE_UP_MS) {
      world.checks.fail('liveness', `no ${GOAL} heights since the network behaves`, world.nowMs);
    }
  }

  /** Who lost its disk may have the whole chain to fetch; the others do not wait for it. */
  #isWaited(): boolean {
    return this.#underWay || this.#honest.some((node) => !node.hasLostDisk && node.height < this.#goalHeight);
  }
}
