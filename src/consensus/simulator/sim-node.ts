import type {
  Certificate,
  ConsensusCore,
  CoreEvent,
  EffectOf,
  EpochSetup,
  JournalEntry,
  VoteMessage,
} from '../core/types.js';
import { createCore } from '../core.js';
import { BAD, describeVote, GOOD, isOfLaterEpoch, type Packet, type SimBlock, signedVote } from './model.js';
import { SimBlockWork } from './sim-block-work.js';
import { SimChain } from './sim-chain.js';
import { type SimEffect, SimEffectQueue } from './sim-effect-queue.js';
import { SimJournal } from './sim-journal.js';
import type { World } from './world.js';

/** Maximum number of packets held back for the next epoch. */
const HELD_BACK = 300;

/** An honest validator: the core in a modelled shell. Faulty ones override what they send. */
export class SimNode {
  readonly index: number;
  readonly honest: boolean = true;
  /** The other validators' indices, ascending. */
  protected readonly peers: readonly number[];
  protected readonly world: World;
  protected core: ConsensusCore;
  readonly #journal = new SimJournal();
  readonly #chain = new SimChain();
  readonly #effects: SimEffectQueue;
  readonly #blocks: SimBlockWork;
  /** First epoch in which this node may vote again after its disk was wiped. */
  #votesFromEpoch = 0;
  alive = false;
  hasLostDisk = false;
  /** Incremented on each crash; events scheduled in an earlier life are discarded. */
  life = 0;
  #heldBack: { readonly from: number; readonly packet: Packet }[] = [];

  constructor(world: World, index: number) {
    this.world = world;
    this.index = index;
    this.peers = Array.from({ length: world.scenario.validators }, (_, peer) => peer).filter(
      (peer) => peer !== index,
    );
    this.core = createCore(world.scenario.core, world.options.rules);
    const common = {
      world,
      index,
      isHonest: () => this.honest,
      later: (delayMs: number, run: () => void) => this.later(delayMs, run),
      interrupt: () => this.#interrupt(),
    };
    this.#blocks = new SimBlockWork({ ...common, chain: this.#chain, step: (event) => this.step(event) });
    this.#effects = new SimEffectQueue({
      ...common,
      journal: this.#journal,
      isAlive: () => this.alive,
      perform: (effect) => this.#perform(effect),
      onTimer: (timer) => this.step({ nowMs: world.nowMs, type: 'timer', timer }),
    });
  }

  get height(): number {
    return this.#chain.height;
  }

  blockAt(height: number): SimBlock | undefined {
    return this.#chain.at(height);
  }

  isPending(transaction: number): boolean {
    return this.#chain.pool.has(transaction);
  }

  start(): void {
    if (this.alive) return;
    this.alive = true;
    this.core = createCore(this.world.scenario.core, this.world.options.rules);
    for (const entry of this.#journal.entries) {
      if (entry.type !== 'block') continue;
      const block = this.world.blocks.get(entry.block.hash);
      if (block !== undefined) this.#chain.hold(block);
    }
    this.#enter(this.#journal.entries);
    this.#blocks.offerWork();
    for (const [peer, hosts] of this.world.hosts.entries()) {
      if (!this.world.connects(this.index, peer)) continue;
      this.noteConnection(peer, true);
      for (const host of hosts) if (host.alive) host.noteConnection(this.index, true);
    }
  }

  crash(wiped = false): void {
    if (!this.alive) return;
    this.world.trace(() => `${this.index} ${wiped ? 'loses its disk' : 'crashes'}`);
    this.#effects.crash();
    this.alive = false;
    this.life++;
    this.#chain.forgetPending();
    this.#heldBack = [];
    if (wiped) this.#wipe();
    for (const hosts of this.world.hosts) {
      for (const host of hosts) if (host.alive) host.noteConnection(this.index, false);
    }
  }

  #interrupt(): void {
    const { world } = this;
    this.crash();
    world.schedule(world.nowMs + world.random.below(1_000), () => this.start());
  }

  #wipe(): void {
    this.hasLostDisk = true;
    this.#journal.wipe();
    this.#chain.wipe();
    if (!this.world.options.behavior.votesAfterAmnesia) this.#votesFromEpoch = this.world.epoch + 1;
  }

  noteConnection(peer: number, connected: boolean): void {
    if (this.alive)
      this.step({ nowMs: this.world.nowMs, type: connected ? 'connected' : 'disconnected', peer });
  }

  addTransaction(transaction: number): void {
    this.#chain.addTransaction(transaction);
    if (this.alive) this.#blocks.offerWork();
  }

  receive(from: number, packet: Packet): void {
    if (!this.alive) return;
    if (this.core.ended && isOfLaterEpoch(packet, this.core.status().epoch)) {
      if (this.#heldBack.length < HELD_BACK) this.#heldBack.push({ from, packet });
      return;
    }
    switch (packet.type) {
      case 'vote':
        // Drops a vote that another validator sent on the signer's behalf.
        if (packet.vote.signer === from)
          this.step({ nowMs: this.world.nowMs, type: 'vote', vote: packet.vote });
        return;
      case 'certificate':
        this.#receiveCertificate(from, packet.certificate);
        return;
      case 'block':
        if (!this.core.wantsBlock(packet.block, from)) return;
        this.#chain.hold(packet.block);
        this.step({ nowMs: this.world.nowMs, type: 'block', block: packet.block, from });
        return;
      case 'request_block': {
        const block = this.held(packet.hash);
        if (block !== undefined) this.transmit(from, { type: 'block', block });
        return;
      }
      case 'request_certificates':
        this.step({ nowMs: this.world.nowMs, ...packet, type: 'certificates_requested', peer: from });
    }
  }

  #receiveCertificate(from: number, certificate: Certificate): void {
    if (!this.core.wantsCertificate(certificate)) {
      this.step({ nowMs: this.world.nowMs, type: 'heard', from, message: certificate });
    } else if (certificate.signature === GOOD) {
      this.step({ nowMs: this.world.nowMs, type: 'certificate', certificate, from });
    }
  }

  /** Returns a block that this node can serve, or undefined. */
  protected held(hash: string): SimBlock | undefined {
    return this.#chain.held(hash);
  }

  protected step(event: CoreEvent): void {
    this.#effects.push(this.core.step(event));
  }

  /** Runs a callback after a delay unless the node crashes first. */
  protected later(delayMs: number, run: () => void): void {
    const life = this.life;
    this.world.schedule(this.world.nowMs + delayMs, () => {
      if (this.life === life) run();
    });
  }

  #perform(effect: SimEffect): void {
    switch (effect.type) {
      case 'prune_journal':
        this.#journal.prune(effect.epoch, effect.view);
        return;
      case 'send_vote':
        this.world.noteVote(effect.message, this.index, this.honest);
        this.world.trace(() => `${this.index} votes ${describeVote(effect.message)}`);
        this.sendVote(effect.message, effect.block, effect.to);
        return;
      case 'send_certificate':
        this.#toPeers(effect.to, { type: 'certificate', certificate: effect.certificate });
        return;
      case 'return_vote':
        // Not needed: disks are never reset to an earlier state here, only wiped.
        return;
      case 'send_epoch_end': {
        const certificate = this.world.epochEnd(effect.epoch, this.height);
        if (certificate !== undefined) this.transmit(effect.to, { type: 'certificate', certificate });
        return;
      }
      case 'request_block':
        this.transmit(effect.to, { type: 'request_block', hash: effect.hash });
        return;
      case 'request_certificates': {
        const { epoch, fromView, toView } = effect;
        this.transmit(effect.to, { type: 'request_certificates', epoch, fromView, toView });
        return;
      }
      case 'assemble':
        this.#assemble(effect);
        return;
      case 'propose':
        this.later(this.world.scenario.verifyMs, () => this.#blocks.propose(effect));
        return;
      case 'verify':
        this.later(this.world.scenario.verifyMs, () => this.#blocks.verify(effect));
        return;
      case 'commit':
        this.#blocks.commit(effect);
        return;
      case 'epoch_ended':
        this.#enter([]);
        return;
      case 'fell_behind':
        this.#blocks.catchUp(effect.certificate);
        return;
      case 'release_blocks':
        for (const hash of effect.hashes) this.#chain.release(hash);
        return;
      case 'drop_blocks':
        for (const hash of effect.hashes) this.#chain.drop(hash);
        return;
      case 'diverged':
        if (this.honest)
          this.world.checks.fail(
            'safety',
            `validator ${this.index} finds the notarized ${effect.block.hash} invalid`,
            this.world.nowMs,
          );
        return;
      default:
        return;
    }
  }

  #assemble({ message, votes, own }: EffectOf<'assemble'>): void {
    const signers = votes.filter(({ partial }) => partial === BAD).map(({ signer }) => signer);
    if (signers.length > 0) this.step({ nowMs: this.world.nowMs, type: 'bad_partials', message, signers });
    else if (votes.length + (own ? 1 : 0) > 0)
      this.step({ nowMs: this.world.nowMs, type: 'assembled', message, signature: GOOD });
  }

  #enter(journal: readonly JournalEntry[]): void {
    const { scenario, hosts } = this.world;
    const epoch = Math.floor(this.height / scenario.core.epochLength);
    const setup: EpochSetup = {
      epoch,
      validators: scenario.validators,
      self: this.index,
      mayVote: epoch >= this.#votesFromEpoch,
      committed: this.#chain.tip,
      finalization: this.#chain.finalization,
      connected: hosts.map((_, peer) => peer).filter((peer) => this.world.connects(this.index, peer)),
    };
    this.world.trace(() => `${this.index} is in epoch ${epoch} at height ${this.height}`);
    this.step({ nowMs: this.world.nowMs, type: 'start', setup, journal });
    const held = this.#heldBack;
    this.#heldBack = [];
    for (const { from, packet } of held) this.receive(from, packet);
  }

  #toPeers(to: number | undefined, packet: Packet): void {
    for (const peer of to === undefined ? this.peers : [to]) this.transmit(peer, packet);
  }

  /** Sends a vote; a proposed block goes first. */
  protected sendVote(message: VoteMessage, hash: string | undefined, to: number | undefined): void {
    const block = hash === undefined ? undefined : this.held(hash);
    if (block !== undefined) this.#toPeers(to, { type: 'block', block });
    this.#toPeers(to, { type: 'vote', vote: signedVote(message, this.index) });
  }

  /** Sends a packet; all outgoing traffic passes here. */
  protected transmit(to: number, packet: Packet): void {
    this.world.send(this.index, to, packet);
  }
}
