import { toError } from '../../base/errors.js';
import type { Log } from '../../config/log.js';
import type { SealShare } from '../../generated/mesh.js';
import { BlockReader } from '../../ledger/block-store.js';
import { StoreError } from '../../storage/store-error.js';
import { EvidenceStore } from '../shell/evidence-store.js';
import type { EpochMembership, Epochs, Network, PeerMessage } from '../shell/ports.js';
import { ConsensusShell } from '../shell/shell.js';
import { NO_PEERS, SOLE_EPOCHS, SOLE_SIGNATURES } from '../shell/sole-validator.js';
import { VoteJournal } from '../shell/vote-journal.js';
import { ThresholdSealKeys } from '../threshold-seal-keys.js';
import * as checks from './checks.js';
import { Duties } from './duties.js';
import type { Links } from './links.js';
import { describeMessage, shortHash } from './model.js';
import { ProcessExpectations } from './process-expectations.js';
import { ProcessWatch } from './process-watch.js';
import { CHAIN_ID, type SimBlock } from './sim-blocks.js';
import { SimChain } from './sim-chain.js';
import { SIM_CRYPTO } from './sim-crypto.js';
import type { DiskWrite } from './sim-disk.js';
import { SimRuntime } from './sim-runtime.js';
import { SimSignatures, simSealSigner } from './sim-signatures.js';
import { SimStore, type WriteFault } from './sim-store.js';
import type { SimValidator } from './sim-validator.js';
import type { World } from './world.js';

const WRITE_FAULTS: readonly WriteFault[] = ['before_write', 'before_sync', 'after_sync'];
/** Deliveries between two looks at a process's memory. */
const LOOK_EACH = 16;

/** Time that building or executing a block takes if it stalls, in virtual milliseconds. */
const MIN_STALL_MS = 200;
const MAX_STALL_MS = 3_000;
const MAX_SIGN_STALL_MS = 600;

class SimulatedFailure extends Error {
  override readonly name = 'SimulatedFailure';
}

export interface SimProcessOptions {
  readonly validator: SimValidator;
  readonly isHonest: boolean;
  readonly links: Links;
  /** Transactions that wait, by number. */
  readonly pool: ReadonlySet<number>;
  readonly onCommitted: (block: SimBlock) => void;
  /** Called after each vote that an honest validator signs. */
  readonly onHonestVote: () => void;
  /** Sends a message to one validator, or to all. */
  readonly send: (to: number | undefined, message: PeerMessage) => void;
  /** Sends a part of a height's key to one validator, or to all. */
  readonly sendShare: (to: number | undefined, share: SealShare) => void;
  /** Ends the process and starts another soon. */
  readonly restart: () => void;
}

/** One process of a validator: the real shell on simulated ports. */
export class SimProcess {
  readonly watch: ProcessWatch;
  shell: ConsensusShell<SimBlock> | undefined;
  readonly #duties: Duties;
  readonly #expectations: ProcessExpectations;
  readonly #options: SimProcessOptions;
  readonly #world: World;
  readonly #runtime: SimRuntime;
  readonly #store: SimStore;
  readonly #chain: SimChain;
  readonly #sealKeys: ThresholdSealKeys | undefined;
  isStopped = false;
  #received = 0;

  constructor(options: SimProcessOptions) {
    const { validator, isHonest } = options;
    const { world, disk, index } = validator;
    const { random, scenario } = world;
    this.#options = options;
    this.#world = world;
    this.watch = new ProcessWatch(validator, () => this.height);
    this.#duties = new Duties(this.watch);
    this.#runtime = new SimRuntime({
      world,
      skewMs: () => validator.skewMs,
      earlyMs: () => (scenario.earlyTimers ? random.fraction() : 0),
      isAlive: () => this.#isAlive,
    });
    this.#store = new SimStore({
      disk,
      writeMs: (sync) => (sync && scenario.syncMs > 0 ? random.fraction() * scenario.syncMs : 0),
      after: this.#runtime.after,
      fault: (sync) => this.#writeFault(sync),
      crash: options.restart,
    });
    this.#chain = new SimChain({
      blocks: world.blocks,
      hasEnvelopes: scenario.envelopes,
      store: this.#store,
      nextTurn: this.#runtime.nextTurn,
      work: () => this.#pause(scenario.verifyMs * (0.5 + random.fraction()) + this.#stallMs()),
      withholds: () => random.chance(scenario.withholding),
      draw: (included) => this.#draw(included),
      onPropose: (parent, epoch, view) => {
        if (isHonest && this.#isAlive) checks.onPropose(this.watch, parent, { epoch, view });
      },
      onProposed: ({ facts }) => {
        this.watch.verified.add(facts.hash);
        world.trace(() => `${index} proposes ${shortHash(facts.hash)} at ${facts.height}`);
        if (isHonest) this.#expectations.expectUse(facts.hash);
      },
      onVerdict: (hash, verdict) => {
        this.watch.onVerdict(hash, verdict);
        // No message may follow before the vote against an invalid block is due.
        if (isHonest && verdict === 'invalid') this.#duties.look();
      },
      finishes: () => random.chance(0.5),
      onCommit: (block, parent, certificate) => {
        if (!this.#isAlive) return;
        const { hash, height } = block.facts;
        world.trace(() => `${index} commits ${shortHash(hash)} at ${height}`);
        if (isHonest) checks.onCommit(validator, block, parent, certificate);
        options.onCommitted(block);
        world.hasProgress = true;
      },
    });
    this.#expectations = new ProcessExpectations(this.watch, this.#chain, this.#store);
    if (isHonest) this.#expectations.checkTip();
    this.#sealKeys = scenario.envelopes ? this.#makeSealKeys() : undefined;
  }

  get height(): number {
    return Number(this.#chain.tip.header.height);
  }

  /** Whether the process still fetches final blocks that it has. */
  get isFetchingInVain(): boolean {
    const sync = this.shell?.sync();
    return sync?.state === 'catching_up' && sync.bestKnownHeight <= BigInt(this.height);
  }

  get inFlight(): readonly (readonly DiskWrite[])[] {
    return this.#store.inFlight;
  }

  start(): void {
    this.#open().catch((error: unknown) => this.#fail(toError(error)));
  }

  kill(): void {
    this.watch.isAlive = false;
  }

  get #isAlive(): boolean {
    return this.watch.isAlive;
  }

  /** Stops in order, and checks that nothing goes on afterwards. */
  async stop(): Promise<void> {
    const { isHonest, validator } = this.#options;
    this.watch.isStopping = true;
    await this.shell?.stop();
    this.#sealKeys?.stop();
    this.isStopped = true;
    if (isHonest && this.#runtime.timers > 0)
      validator.fail(`leaves ${this.#runtime.timers} timers when it stops`);
  }

  checkEnd(): void {
    if (this.#options.isHonest && this.shell !== undefined) checks.onEnd(this.watch, this.shell.held);
  }

  onConnection(peer: number, isConnected: boolean): void {
    if (!this.#isAlive) return;
    const { isHonest } = this.#options;
    this.watch.onConnection(peer, isConnected);
    if (isHonest) this.#duties.onConnections(isConnected);
    if (isConnected) {
      if (isHonest && this.shell !== undefined) this.watch.obligations.onConnected(peer);
      this.shell?.onPeerConnected(peer);
      this.#sealKeys?.onPeerConnected(peer);
    } else this.shell?.onPeerDisconnected(peer);
  }

  receive(from: number, message: PeerMessage): void {
    const { shell, watch } = this;
    if (!this.#isAlive || shell === undefined) return;
    if (this.#options.isHonest) {
      watch.onReceive(from, message);
      this.#duties.onReceive(from, message);
      if (message.type.startsWith('get_')) watch.obligations.onRequest(from, message);
      if (this.#received++ % LOOK_EACH === 0) checks.onHeld(watch, shell.held);
    }
    shell.receive(from, message);
  }

  receiveShare(from: number, share: SealShare): void {
    if (this.#isAlive) this.#sealKeys?.receive(from, share);
  }

  async #open(): Promise<void> {
    const { validators, core } = this.#world.scenario;
    const { rules } = this.#world;
    const isSole = validators === 1;
    const journal = isSole ? undefined : await VoteJournal.open(this.#store, this.#runtime);
    if (journal !== undefined && this.#options.isHonest) this.#expectations.checkFinalization(journal);
    const shell = new ConsensusShell({
      runtime: this.#runtime,
      config: core,
      rules,
      chain: this.#chain,
      store: this.#store,
      blocks: new BlockReader(this.#store),
      crypto: SIM_CRYPTO,
      pool: {
        hasReady: () => this.#world.scenario.work === 'busy' || this.#options.pool.size > 0,
        heldBackFee: () => undefined,
      },
      signatures: isSole ? SOLE_SIGNATURES : this.#signatures(),
      network: isSole ? NO_PEERS : this.#network(),
      epochs: isSole ? SOLE_EPOCHS : this.#epochs(),
      ...(journal !== undefined && { journal }),
      evidence: new EvidenceStore(this.#store, (_, signer) => String(signer)),
      sealKeys: this.#sealKeys,
      groupPublicKey: new Uint8Array(48),
      onFinal: () => undefined,
      onFailure: (error) => this.#fail(error),
      log: this.#log(),
    });
    this.shell = shell;
    shell.start();
    this.#sealKeys?.start();
  }

  #makeSealKeys(): ThresholdSealKeys {
    const { keys, quorum, scenario } = this.#world;
    const { validator, isHonest, sendShare } = this.#options;
    const { index } = validator;
    return new ThresholdSealKeys({
      runtime: this.#runtime,
      chainId: CHAIN_ID,
      chain: { unopenedHeights: () => this.#chain.unopenedHeights(), tipHeight: () => BigInt(this.height) },
      signer: simSealSigner({ keys, quorum, self: index, work: () => this.#signingWork() }),
      epoch: () => {
        const epoch = Math.floor(this.height / scenario.core.epochLength);
        const self = epoch >= validator.votesFromEpoch ? index : -1;
        return { epoch: BigInt(epoch), quorum, validators: scenario.validators, self };
      },
      send: (share, to) => {
        if (!this.#isAlive) return;
        if (isHonest) checks.onShare(this.watch, share);
        sendShare(to, share);
      },
      drop: (peer, reason) => {
        if (this.#isAlive && isHonest) checks.onDrop(validator, peer, reason);
      },
      onKey: () => this.shell?.onOtherWork(),
      log: this.#log(),
    });
  }

  #network(): Network {
    const { links, isHonest, validator } = this.#options;
    const { index } = validator;
    return {
      connected: () => links.connected(index),
      send: (to, message) => this.#send(to, message),
      broadcast: (message) => this.#send(undefined, message),
      drop: (peer, reason) => {
        if (!this.#isAlive) return;
        this.#world.trace(() => `${index} drops ${peer}: ${reason}`);
        if (isHonest) checks.onDrop(validator, peer, reason);
        this.#expectations.onDrop(peer);
        links.lose(index, peer);
      },
      enterEpoch: () => (former) => former,
      peers: () => [],
    };
  }

  #send(to: number | undefined, message: PeerMessage): void {
    if (!this.#isAlive) return;
    const { isHonest, validator, send } = this.#options;
    if (this.isStopped && isHonest) validator.fail('sends after its stop');
    this.#world.trace(() => {
      const target = to === undefined ? '' : ` to ${to}`;
      return `${validator.index} ${describeMessage(message)}${target}`;
    });
    if (isHonest) {
      checks.onSend(this.watch, to, message);
      this.watch.obligations.onSend(to, message);
      this.#duties.onSend(to, message);
      this.#expectations.onSend(to, message);
    }
    send(to, message);
  }

  #signatures(): SimSignatures {
    const { keys, quorum } = this.#world;
    const { isHonest, onHonestVote, validator } = this.#options;
    const { index } = validator;
    return new SimSignatures({
      keys,
      quorum,
      self: index,
      work: () => this.#signingWork(),
      onSign: (message) => {
        if (!this.#isAlive) return;
        if (isHonest) {
          checks.onSign(this.watch, message);
          onHonestVote();
        } else this.#world.noteVote(message, index);
      },
      onAssemble: (message, votes, own) => {
        if (isHonest && this.#isAlive) checks.onAssemble(this.watch, message, votes, own);
      },
      onAssemblyFailed: (message) => {
        if (isHonest && this.#isAlive) this.watch.obligations.onAssemblyFailed(message);
      },
      onInvalid: (signers, epoch) => {
        if (isHonest && this.#isAlive && epoch === this.watch.epoch && this.watch.isReady)
          this.#expectations.expectDrop(signers);
      },
      onSignFailed: (message) => {
        if (isHonest && this.#isAlive) this.watch.obligations.onSignFailed(message);
      },
      onCheck: (certificate) => {
        if (isHonest && this.#isAlive && this.watch.isUseless(certificate))
          validator.fail('checks a certificate that is of no use to it');
      },
      onCertified: (certificate, isOwn) => {
        if (!this.#isAlive) return;
        const isNew = this.watch.isNew(certificate);
        this.watch.onCertified(certificate);
        if (isHonest && isOwn && isNew) this.watch.obligations.onMade(certificate);
      },
    });
  }

  /** Resolves after the time that a signature takes. @throws SimulatedFailure */
  async #signingWork(): Promise<void> {
    const world = this.#world;
    const { scenario, random } = world;
    const { signMs, signStall, signFailure } = scenario;
    if (signMs > 0) await this.#pause(random.fraction() * signMs);
    if (!world.isStable && signFailure === 0 && random.chance(signStall))
      await this.#pause(random.between(MIN_STALL_MS, MAX_SIGN_STALL_MS));
    if (!world.isStable && random.chance(signFailure)) throw new SimulatedFailure('a signature failed');
  }

  #epochs(): Epochs {
    const { scenario, random } = this.#world;
    const { validator } = this.#options;
    return {
      enter: async (epoch): Promise<EpochMembership> => {
        if (scenario.enterMs > 0) await this.#pause(random.fraction() * scenario.enterMs);
        if (this.watch.epoch < 0 && this.#options.isHonest) this.#expectations.expectQuestions(epoch);
        this.watch.onEpoch(epoch);
        const mayVote = epoch >= validator.votesFromEpoch;
        return { validators: scenario.validators, self: validator.index, mayVote };
      },
    };
  }

  #stallMs(): number {
    const { scenario, random, isStable } = this.#world;
    return !isStable && random.chance(scenario.stall) ? random.between(MIN_STALL_MS, MAX_STALL_MS) : 0;
  }

  /** Resolves after a time, unless the process dies. */
  #pause(ms: number): Promise<void> {
    if (ms === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#world.after(ms, () => {
        if (this.#isAlive) resolve();
      });
    });
  }

  #draw(included: ReadonlySet<number>): readonly number[] {
    if (this.#world.scenario.work === 'busy') return [this.#world.newTransaction()];
    const { unaffordable } = this.#world;
    const isFit = (transaction: number) => !included.has(transaction) && !unaffordable.has(transaction);
    return [...this.#options.pool].filter(isFit).slice(0, 2);
  }

  #writeFault(sync: boolean): WriteFault | undefined {
    const { scenario, random, isStable } = this.#world;
    if (isStable || !this.#options.isHonest || this.isStopped) return undefined;
    if (random.chance(scenario.writeFailure)) return 'failure';
    const crashes = random.chance(sync ? scenario.writeCrash : scenario.unsyncedCrash);
    return crashes ? random.pick(WRITE_FAULTS) : undefined;
  }

  /** A process that cannot go on is started again by its supervisor. */
  #fail(error: Error): void {
    if (!this.#isAlive) return;
    const { isHonest, validator, restart } = this.#options;
    const { index } = validator;
    this.watch.hasFailed = true;
    this.#world.trace(() => `${index} ends: ${error.message}`);
    if (isHonest && !isSimulated(error)) validator.fail(`ends with ${error.name}: ${error.message}`);
    restart();
  }

  #log(): Log {
    const { isHonest, validator } = this.#options;
    const ignore = () => undefined;
    return {
      debug: ignore,
      info: ignore,
      warn: ignore,
      error: (fields, message) => {
        if (!this.#isAlive || !isHonest) return;
        const error = 'err' in fields ? fields.err : undefined;
        if (error !== undefined && isSimulated(error)) return;
        const detail = error === undefined ? JSON.stringify(fields) : String(error);
        validator.fail(`reports: ${message}: ${detail}`);
      },
    };
  }
}

function isSimulated(error: unknown): boolean {
  return error instanceof SimulatedFailure || (error instanceof StoreError && error.code === 'write_failed');
}
