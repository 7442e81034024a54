import { membersAfter } from '../../../chain/epochs/epoch-rules.js';
import type { EpochItems } from '../../../chain/epochs/epoch-state.js';
import type { ApprovedChange, ValidatorChange } from '../../../generated/ledger.js';
import { toHex } from '../../../idl/hex.js';
import type { Member } from '../../../ledger/validators/members.js';
import { changeMessage } from '../../../ledger/validators/signed-messages.js';
import { maxFaulty } from '../../core/rules.js';
import { newEncryptionKey } from '../../files/encryption-file.js';
import { Links } from '../links.js';
import type { Violation } from '../model.js';
import { Random } from '../random.js';
import { SimWorld } from '../sim-world.js';
import { ResharingActorRuntime } from './actors/resharing-actor.js';
import { RESHARING_TRAITS } from './actors/resharing-traits.js';
import { CHEAP_BLS } from './cheap-curve.js';
import { ResharingChecks } from './checks/resharing-checks.js';
import { bornState, CHAIN_ID, FinalBlocks } from './final-blocks.js';
import { ResharingHost } from './resharing-host.js';
import type { ResharingMessage } from './resharing-model.js';
import { JOURNAL_ID, nameOfIdentity } from './resharing-process.js';
import {
  drawResharing,
  type Outage,
  type ResharingOptions,
  type ResharingScenario,
  type ResharingWorld,
} from './resharing-scenario.js';
import { SecretDisk } from './secret-disk.js';
import { RESHARING_CRYPTO, simIdentity } from './sim-identities.js';

export interface ResharingRunOptions extends ResharingOptions {
  /** Receives a line for each message, block, crash and end of an epoch. */
  readonly trace?: (line: string) => void;
}

export interface ResharingResult {
  readonly violation: Violation | undefined;
  readonly scenario: ResharingScenario;
  readonly height: number;
  /** Number of epochs that ended, and of those that ended with new shares. */
  readonly epochs: number;
  readonly reshared: number;
  readonly virtualMs: number;
  readonly messages: number;
}

/** Epochs without faults at the end of a run. */
const CALM_EPOCHS = 1;
/** Epochs within which they must have passed once the faults are over. */
const GIVE_UP_EPOCHS = 6;
const MAX_EVENTS = 300_000;
/** Time after the last block in which all validators must have done their work, in virtual milliseconds. */
const SETTLE_MS = 8_000;
const MIN_MEMBERS = 3;

/** Runs some epochs of one seed, until a promise is broken or an epoch without faults has passed. */
export async function simulateResharing(options: ResharingRunOptions): Promise<ResharingResult> {
  const random = new Random(options.seed);
  const scenario = drawResharing(options, random);
  const world = new SimWorld(scenario, random, options.trace);
  const run = new Run(world);
  await run.play();
  return {
    violation: world.violation,
    scenario,
    virtualMs: world.nowMs,
    height: Number(run.blocks.height),
    epochs: run.epochs,
    reshared: run.checks.ended.reshared,
    messages: run.links.delivered,
  };
}

class Run {
  readonly blocks: FinalBlocks;
  readonly checks: ResharingChecks;
  readonly links: Links<ResharingMessage>;
  readonly #world: ResharingWorld;
  readonly #hosts: readonly ResharingHost[];
  readonly #honest: readonly ResharingHost[];
  readonly #numbers: ReadonlyMap<string, number>;
  #isBlockDue = false;
  /** The change that the members want in the present epoch. */
  #change: ApprovedChange | undefined;
  /** Turn of the first member of the present epoch to propose. */
  #firstTurn = 0;

  constructor(world: ResharingWorld) {
    const { scenario, random } = world;
    this.#world = world;
    this.links = new Links(world, ({ kind }) => kind);
    const bytes = (length: number) => Uint8Array.from({ length }, () => random.below(256));
    const all = Array.from({ length: scenario.validators }, (_, index) => ({
      identity: simIdentity(index),
      key: newEncryptionKey(CHEAP_BLS, bytes),
    }));
    const names = all.map(({ identity }) => nameOfIdentity(identity));
    this.#numbers = new Map(names.map((name, index) => [name, index]));
    const { state, shares } = bornState(bytes, all.slice(0, scenario.initial), scenario.epochLength);
    this.blocks = new FinalBlocks(state);
    this.checks = new ResharingChecks(world, this.blocks, this.#numbers);
    const { blocks, checks, links } = this;
    this.#hosts = all.map(({ identity, key }, index) => {
      const share = shares[index];
      const disk = new SecretDisk(world, {
        record: undefined,
        share: share && { epoch: 0n, index, share, journalId: JOURNAL_ID },
        keys: [key],
      });
      const numbers = this.#numbers;
      const host = new ResharingHost({ world, links, blocks, checks, index, identity, disk, numbers, names });
      const actors = scenario.faulty.get(index)?.map((name) => RESHARING_TRAITS[name]);
      if (actors !== undefined)
        host.actor = new ResharingActorRuntime({ world, blocks, host, numbers }, actors);
      links.add([host]);
      return host;
    });
    this.#honest = this.#hosts.filter(({ index }) => world.isHonest(index));
  }

  get epochs(): number {
    return Number(this.blocks.epochs.validators.epoch);
  }

  async play(): Promise<void> {
    const world = this.#world;
    const { stableFromMs, outages, epochLength, blockMs } = world.scenario;
    for (const host of this.#hosts) world.after(0, () => host.start());
    for (const outage of outages) world.after(outage.atMs, () => this.#begin(outage));
    world.after(stableFromMs, () => this.#stabilize());
    this.#beginEpoch();
    this.#scheduleBlock();
    const giveUpMs = stableFromMs + GIVE_UP_EPOCHS * epochLength * blockMs * 2;
    let events = 0;
    while (world.violation === undefined && this.checks.calmEpochs < CALM_EPOCHS) {
      await this.#next();
      if (events++ > MAX_EVENTS || world.nowMs > giveUpMs)
        world.fail('liveness', 'the chain does not get through an epoch');
    }
    if (world.violation === undefined) await this.#settle();
  }

  async #next(): Promise<void> {
    if (!(await this.#world.next())) this.#world.fail('liveness', 'nothing is left to happen');
    if (!this.#isBlockDue) return;
    this.#isBlockDue = false;
    await this.#makeBlock();
    this.#scheduleBlock();
  }

  /** Lets all validators do what the last blocks require, and stops them. */
  async #settle(): Promise<void> {
    const world = this.#world;
    const endMs = world.nowMs + SETTLE_MS;
    this.#isOver = true;
    while (world.violation === undefined && world.nowMs < endMs) await this.#next();
    for (const host of this.#honest) {
      if (!host.isAtTip) world.fail('liveness', `validator ${host.index} does not follow the chain`);
      else this.checks.onSettled(host);
    }
  }

  #isOver = false;

  #scheduleBlock(): void {
    const world = this.#world;
    if (this.#isOver) return;
    const { blockMs, slowBlock } = world.scenario;
    const isSlow = !world.isStable && world.random.chance(slowBlock);
    world.after(isSlow ? 5 * blockMs : blockMs, () => {
      this.#isBlockDue = true;
    });
  }

  async #makeBlock(): Promise<void> {
    const world = this.#world;
    const { epochLength } = world.scenario;
    const { validators, quorum } = this.blocks.epochs.validators;
    const members = validators.flatMap(
      ({ identity_key }) => this.#hosts[this.#numbers.get(toHex(identity_key)) ?? -1] ?? [],
    );
    if (members.filter(({ isAlive }) => isAlive).length < quorum) return;
    const position = Number(this.blocks.height) % epochLength;
    const turns = members.map((_, at) => members[(position + this.#firstTurn + at) % members.length]);
    const proposer = turns.find(
      (host) => host !== undefined && (host.actor === undefined ? host.isAtTip : host.isAlive),
    );
    if (proposer === undefined) return;
    const block = await this.blocks.append(proposer.index, await this.#itemsOf(proposer));
    const { dealings, changes, complaints } = block.items;
    world.trace(
      () =>
        `block ${block.height} of ${proposer.index}: dealings of ${dealings.map(({ dealer }) => dealer).join(', ') || 'nobody'}, ` +
        `${changes.length} changes, complaints about ${complaints.map(({ dealer }) => dealer).join(', ') || 'nobody'}`,
    );
    this.checks.onBlock(block, this.#honest);
    if (position === epochLength - 1) this.#beginEpoch();
    for (const host of this.#hosts) host.pull();
  }

  async #itemsOf(proposer: ResharingHost): Promise<EpochItems> {
    const { waiting, actor } = proposer;
    const changes = this.#change === undefined ? [] : [this.#change];
    if (actor !== undefined) return { ...actor.offered(waiting), changes };
    await this.checks.onProposal(proposer, waiting);
    return { ...waiting, changes };
  }

  #beginEpoch(): void {
    const { random, scenario } = this.#world;
    this.#change = random.chance(scenario.change) ? this.#drawChange() : undefined;
    const { validators } = this.blocks.epochs.validators;
    this.#firstTurn = random.below(validators.length);
    const [faulty] = scenario.faulty.keys();
    const at = validators.findIndex(({ identity_key }) => this.#numbers.get(toHex(identity_key)) === faulty);
    // A faulty validator often has the last block that may hold dealings.
    const last = Math.floor((2 * scenario.epochLength) / 3) - 1;
    if (at >= 0 && random.chance(0.5))
      this.#firstTurn = (at + validators.length * scenario.epochLength - last) % validators.length;
  }

  /** A change that leaves no more faulty validators than a set tolerates; undefined if there is none. */
  #drawChange(): ApprovedChange | undefined {
    const world = this.#world;
    const { validators: set, epoch, quorum } = this.blocks.epochs.validators;
    const numbered = (all: readonly Pick<Member, 'identity_key'>[]) =>
      all.map(({ identity_key }) => this.#numbers.get(toHex(identity_key)) ?? -1);
    const members = numbered(set);
    // Changes that wait count, because they take effect together with this one.
    const settled = numbered(membersAfter(RESHARING_CRYPTO, this.blocks.epochs));
    const index = world.random.below(world.scenario.validators);
    const host = this.#hosts[index];
    const isMember = members.includes(index);
    if (settled.includes(index) !== isMember) return undefined;
    const next = isMember ? settled.filter((one) => one !== index) : [...settled, index];
    const faulty = next.filter((one) => !world.isHonest(one)).length;
    if (host === undefined || next.length < MIN_MEMBERS || faulty > maxFaulty(next.length)) return undefined;
    const { publicKey, address } = host.identity;
    const key = host.disk.durable.keys.at(-1)?.publicKey ?? new Uint8Array(0);
    const change: ValidatorChange = isMember
      ? { type: 'remove', value: address }
      : {
          type: 'add',
          value: { identity_key: publicKey, encryption_key: key, endpoint: `validator-${index}:1` },
        };
    const message = changeMessage(CHAIN_ID, { epoch, change });
    const approvals = members.slice(0, quorum).map((number, at) => ({
      index: at,
      signature: RESHARING_CRYPTO.ed25519.sign(message, simIdentity(number).seed),
    }));
    return { epoch, change, approvals };
  }

  #begin({ type, nodes, forMs }: Outage): void {
    const world = this.#world;
    if (world.isStable) return;
    if (type === 'partition') {
      world.trace(() => `partition of ${nodes.join(', ')}`);
      this.links.partition(nodes);
      world.after(forMs, () => this.links.heal(nodes));
      return;
    }
    for (const node of nodes) this.#hosts[node]?.crash();
    world.after(forMs, () => {
      for (const node of nodes) this.#hosts[node]?.start();
    });
  }

  #stabilize(): void {
    const world = this.#world;
    world.trace(() => 'network and machines behave from now on');
    world.isStable = true;
    if (world.scenario.allRestart) for (const host of this.#hosts) host.crash();
    for (const { type, nodes } of world.scenario.outages) if (type === 'partition') this.links.heal(nodes);
    for (const host of this.#hosts) host.start();
  }
}
