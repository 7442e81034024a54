import type { Chain } from '../../chain/chain.js';
import { membersAfter } from '../../chain/epochs/epoch-rules.js';
import type { EpochState } from '../../chain/epochs/epoch-state.js';
import { sameShares } from '../../chain/epochs/resharing-status.js';
import type { Passphrase } from '../../consensus/files/passphrase.js';
import { ResharingFile } from '../../consensus/files/record-file.js';
import type { Dealing } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import type { BlockReader } from '../../ledger/block-store.js';
import { checkDealingForm } from '../../ledger/validators/check-dealing.js';
import { isDealingHeight, lastHeight } from '../../ledger/validators/epochs.js';
import { MAX_VALIDATORS } from '../../ledger/validators/quorum.js';
import type { Mesh } from '../../network/mesh.js';
import type { StoreReader } from '../../storage/store.js';
import { EpochResharing, type ResharingParts } from './epoch-resharing.js';
import { dealingsAt, dealingsOfEnded } from './stored-dealings.js';

/** Interval between resends of unacknowledged messages. */
const RESEND_MS = 2_000;
/**
 * Number of resend ticks between broadcasts of this validator's dealing. A peer that could not check it has dropped
 * it.
 */
const DEALING_RESEND_TICKS = 5;

export interface ResharingOptions extends Omit<ResharingParts, 'send' | 'drop' | 'onDealing' | 'chainId'> {
  readonly chain: Chain;
  readonly blocks: Pick<BlockReader, 'encodedItems'>;
  readonly store: StoreReader;
  readonly mesh: Pick<Mesh, 'on' | 'onConnected' | 'send' | 'broadcast' | 'drop'>;
  /** File of the epoch's resharing record. */
  readonly path: string;
  readonly passphrase: Passphrase | undefined;
  /** Called when the next block may have new work. */
  readonly onWork: () => void;
}

/**
 * Reshares the group key every epoch: starts once the next validator set is fixed, collects dealings for this validator's
 * proposals, and combines its new share when the epoch's last block is final.
 */
export class Resharing {
  readonly #options: ResharingOptions;
  readonly #parts: ResharingParts;
  /** The running step and all queued before it. */
  #tail: Promise<void> = Promise.resolve();
  #isStopped = false;
  #current: EpochResharing | undefined;
  /** The latest epoch whose start was queued. */
  #startedEpoch = -1n;
  /** The epoch state after the last committed block. */
  #state: EpochState;
  /** Valid dealings of the state's epoch, by dealer. */
  readonly #dealings = new Map<number, Dealing>();
  /** Each validator's latest dealing that arrived ahead of this node's progress, by identity in hexadecimal. */
  readonly #earlyDealings = new Map<string, Dealing>();
  /** Dealers whose dealing is being checked. */
  readonly #checking = new Set<number>();
  #own: Dealing | undefined;
  #ticks = 0;
  #isLate = false;
  readonly #timer: NodeJS.Timeout;

  private constructor(options: ResharingOptions) {
    this.#options = options;
    const { chain, mesh } = options;
    this.#state = chain.tip.epochs;
    this.#parts = {
      ...options,
      chainId: chain.genesis.chain_id,
      send: (identity, message) => {
        if (message.type === 'dealt_share') mesh.send(identity, 'dealt_share', message.value);
        else mesh.send(identity, 'dealt_ack', message.value);
      },
      drop: (identity, reason) => mesh.drop(identity, reason),
      onDealing: (dealing) => this.#deal(dealing),
    };
    this.#timer = setInterval(() => this.#resend(), RESEND_MS).unref();
  }

  /**
   * Finishes a resharing that a crash interrupted at the end of the last epoch, and starts the current one.
   * @throws SecretFileError
   */
  static async open(options: ResharingOptions): Promise<Resharing> {
    const resharing = new Resharing(options);
    const { mesh, chain } = options;
    await resharing.#recover();
    mesh.on('dealt_share', ({ identity }, dealt) =>
      resharing.#queue(() => resharing.#current?.onDealtShare(identity, dealt)),
    );
    mesh.on('dealt_ack', ({ identity }, ack) =>
      resharing.#queue(() => resharing.#current?.onDealtAck(identity, ack)),
    );
    mesh.on('dealing', ({ identity }, dealing) => resharing.#receive(identity, dealing));
    mesh.onConnected(({ identity }) => {
      if (resharing.#own !== undefined) mesh.send(identity, 'dealing', resharing.#own);
      void resharing.#queue(() => resharing.#current?.onPeerConnected(identity));
    });
    chain.onCommit('validators', ({ header, epochs }) => resharing.#committed(header.height, epochs));
    resharing.#onHeight(chain.tip.header.height);
    return resharing;
  }

  /** Resolves when the effects of all blocks that are final at the call are complete. */
  get settled(): Promise<void> {
    return this.#tail;
  }

  /** Valid dealings of the epoch that no final block contains yet. */
  get waiting(): readonly Dealing[] {
    const { chain } = this.#options;
    const { validators, dealings, parameters } = this.#state;
    if (dealings.length >= validators.quorum) return [];
    if (!isDealingHeight(chain.tip.header.height + 1n, parameters.epoch_length)) return [];
    const included = new Set(dealings.map(({ dealer }) => dealer));
    return [...this.#dealings.values()].filter(({ dealer }) => !included.has(dealer));
  }

  /** Waits for the running step and all queued ones; starts no further one. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#isStopped = true;
    await this.#tail;
  }

  #resend(): void {
    void this.#queue(() => this.#current?.resend());
    const own = this.#own;
    if (own === undefined || ++this.#ticks % DEALING_RESEND_TICKS > 0) return;
    if (this.waiting.includes(own)) this.#options.mesh.broadcast('dealing', own);
  }

  #committed(height: bigint, state: EpochState): void {
    const before = this.#state;
    this.#state = state;
    if (state.validators.epoch !== before.validators.epoch) {
      this.#onEpochEnd(height, before, state);
    } else if (state.dealings.length > before.dealings.length) {
      void this.#queue(() => this.#current?.onDealingsIncluded(state.dealings));
    }
    this.#onHeight(height);
    if (state.dealings !== before.dealings) this.#options.onWork();
  }

  /** Called when an epoch's last block is final. */
  #onEpochEnd(height: bigint, ended: EpochState, state: EpochState): void {
    const { log } = this.#options;
    const dealings = [...ended.dealings, ...dealingsAt(this.#options, height)];
    const reshared = dealings.length >= ended.validators.quorum;
    const next = { set: state.validators, reshared };
    this.#dealings.clear();
    this.#own = undefined;
    this.#isLate = false;
    const isAlone = ended.validators.validators.length === 1;
    if (!reshared && !isAlone) {
      const { epoch, quorum } = ended.validators;
      log.warn(
        { epoch: epoch.toString(), dealings: dealings.length, quorum },
        'the group key was not reshared',
      );
    }
    void this.#queue(async () => {
      const current = this.#current;
      this.#current = undefined;
      if (current?.epoch === ended.validators.epoch) await current.final({ type: 'final', dealings, next });
    });
  }

  /** Starts the epoch's resharing, and later ends the wait for dealings, each once its height is reached. */
  #onHeight(height: bigint): void {
    const state = this.#state;
    const { parameters, validators } = state;
    const { epoch } = validators;
    const length = parameters.epoch_length;
    if (validators.validators.length === 1 || !isDealingHeight(height + 1n, length)) return;
    if (this.#startedEpoch !== epoch) {
      this.#startedEpoch = epoch;
      void this.#queue(() => this.#startEpoch(state));
    }
    // Half of the dealing period is over.
    if (this.#isLate || height < lastHeight(epoch, length) - length / 4n) return;
    this.#isLate = true;
    void this.#queue(() => this.#current?.onDeadline());
  }

  async #startEpoch(state: EpochState): Promise<void> {
    const { path, passphrase, log } = this.#options;
    const { epoch } = state.validators;
    const file = await ResharingFile.open(path, epoch, passphrase);
    this.#current = new EpochResharing(this.#parts, state, file, (work) => void this.#queue(work));
    log.info({ epoch: epoch.toString() }, 'resharing the group key for the next epoch');
    await this.#current.start();
    for (const [identity, dealing] of [...this.#earlyDealings]) {
      if (dealing.epoch > epoch) continue;
      this.#earlyDealings.delete(identity);
      // Checked concurrently, like dealings that arrive now.
      void this.#receive(identity, dealing);
    }
  }

  /** Broadcasts this validator's dealing. */
  #deal(dealing: Dealing): void {
    if (dealing.epoch !== this.#state.validators.epoch) return;
    this.#own = dealing;
    this.#dealings.set(dealing.dealer, dealing);
    this.#options.mesh.broadcast('dealing', dealing);
    this.#options.onWork();
  }

  /** Accepts a dealing only from its dealer, so each dealer pays for its own check. Never rejects. */
  async #receive(identity: string, dealing: Dealing): Promise<void> {
    const { mesh, workers, log, onWork } = this.#options;
    const { epoch, dealer, reveals } = dealing;
    const { validators } = this.#state;
    if (this.#current?.epoch !== epoch || epoch !== validators.epoch) {
      this.#keepEarly(identity, dealing);
      return;
    }
    const holder = validators.validators[dealer];
    if (holder === undefined || toHex(holder.identity_key) !== identity) {
      mesh.drop(identity, 'a dealing of another');
      return;
    }
    const known = this.#dealings.get(dealer);
    const isBetter = known === undefined || reveals.length < known.reveals.length;
    if (!isBetter || this.#checking.has(dealer)) return;
    const { context } = this.#current;
    const malformed = checkDealingForm(dealing, context);
    if (malformed !== undefined) {
      mesh.drop(identity, `a malformed dealing: ${malformed.message}`);
      return;
    }
    this.#checking.add(dealer);
    try {
      const refused = await workers.run('check_dealing', { dealing, context });
      if (refused !== undefined) mesh.drop(identity, `an invalid dealing: ${refused.message}`);
      else if (this.#state.validators.epoch === epoch) {
        this.#dealings.set(dealer, dealing);
        onWork();
      }
    } catch (error) {
      log.warn({ err: error, dealer }, 'a dealing could not be checked');
    } finally {
      this.#checking.delete(dealer);
    }
  }

  /**
   * Keeps the last early dealing of each dealer. A dealer may be some blocks ahead, in the epoch's second half or in
   * the next epoch.
   */
  #keepEarly(identity: string, dealing: Dealing): void {
    const { epoch } = this.#state.validators;
    const isToCome =
      dealing.epoch === epoch + 1n || (dealing.epoch === epoch && this.#current?.epoch !== epoch);
    if (isToCome && (this.#earlyDealings.has(identity) || this.#earlyDealings.size < MAX_VALIDATORS)) {
      this.#earlyDealings.set(identity, dealing);
    }
  }

  /**
   * Recovers from a crash between an epoch's last block and the new share: the record has the evaluations, the chain
   * has the dealings.
   */
  async #recover(): Promise<void> {
    const { chain, path, passphrase, shares, log } = this.#options;
    const set = this.#state.validators;
    const epoch = set.epoch - 1n;
    const ended = epoch < 0n ? undefined : chain.validatorsAt(epoch);
    if (ended === undefined || (shares.share?.epoch ?? -1n) > epoch) return;
    const file = await ResharingFile.read(path, epoch, passphrase);
    if (file === undefined) return;
    const reshared = !sameShares(ended, set);
    const dealings = dealingsOfEnded(this.#options, ended, this.#state.parameters.epoch_length);
    if (reshared && dealings.length < ended.quorum) {
      log.warn(
        { epoch: epoch.toString() },
        "the last epoch's dealings are not stored on this node: it gets no new share",
      );
      await file.erase();
      return;
    }
    const before = { ...this.#state, validators: ended, changes: [], dealings: [] };
    const players = reshared ? set.validators : membersAfter(this.#options.crypto, before);
    const epochResharing = new EpochResharing(
      this.#parts,
      before,
      file,
      (work) => void this.#queue(work),
      players,
    );
    await epochResharing.final({ type: 'final', dealings, next: { set, reshared } });
  }

  /** Runs `work` after all queued work. Never rejects. */
  #queue(work: () => Promise<void> | undefined): Promise<void> {
    // The running step may queue more work after the stop, when its files may be gone.
    if (this.#isStopped) return this.#tail;
    this.#tail = this.#tail.then(work).catch((error: unknown) => {
      this.#options.log.error({ err: error }, 'a resharing step failed; resharing continues');
    });
    return this.#tail;
  }
}
