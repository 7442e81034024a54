import type { Cancel, Runtime } from '../../async/runtime.js';
import type { Chain } from '../../chain/chain.js';
import { membersAfter } from '../../chain/epochs/epoch-rules.js';
import type { EpochItems, EpochState } from '../../chain/epochs/epoch-state.js';
import { sameShares } from '../../chain/epochs/resharing-status.js';
import type { BlockHeader, Complaint, Dealing, Genesis, ValidatorSet } from '../../generated/ledger.js';
import type { ResharingRecord } from '../../generated/mesh.js';
import { toHex } from '../../idl/hex.js';
import type { BlockReader } from '../../ledger/block-store.js';
import { undisputed } from '../../ledger/validators/check-complaint.js';
import { dealingWindow, phaseAt } from '../../ledger/validators/epochs.js';
import type { Mesh } from '../../network/mesh.js';
import type { StoreReader } from '../../storage/store.js';
import { ResharingFile, type SecretRecord } from '../files/record-file.js';
import { EpochResharing, type ResharingParts } from './epoch-resharing.js';
import { ReceivedItems, type ReceivedItemsOptions } from './received-items.js';
import { itemsAt, itemsOfEnded, joined } from './stored-epoch-items.js';

/** Interval between resends of unacknowledged messages. */
const RESEND_MS = 2_000;
/** Resend ticks between broadcasts of own items, because a peer that could not check one has dropped it. */
const BROADCAST_TICKS = 5;

/** A final block, as resharing sees it. */
export interface ResharingBlock {
  readonly header: Pick<BlockHeader, 'height'>;
  readonly epochs: EpochState;
}

/** The part of `Chain` that resharing follows. */
export interface ResharingChain extends Pick<Chain, 'validatorsAt'> {
  readonly genesis: Pick<Genesis, 'chain_id'>;
  readonly tip: ResharingBlock;
  onCommit(stage: 'validators', listener: (block: ResharingBlock) => void): unknown;
}

export interface ResharingOptions
  extends Omit<ResharingParts, 'send' | 'drop' | 'onDealing' | 'onComplaint' | 'chainId' | 'random'> {
  readonly runtime: Runtime;
  readonly chain: ResharingChain;
  readonly blocks: Pick<BlockReader, 'encodedItems'>;
  readonly store: StoreReader;
  readonly mesh: Pick<Mesh, 'on' | 'onConnected' | 'send' | 'broadcast' | 'drop'>;
  readonly record: SecretRecord<ResharingRecord>;
  /** Remembers what the rules for blocks will check again. */
  readonly checks: ReceivedItemsOptions['checks'];
  /** Called when the next block may have new work. */
  readonly onWork: () => void;
}

/**
 * Reshares the group key every epoch: starts once the next validator set is fixed, collects dealings and complaints for
 * this validator's proposals, and combines its new share when the epoch's last block is final.
 *
 * A validator that was away catches up with the final blocks, and ends each epoch that it missed like the others: it
 * reads the shares sealed to it. One that starts from a snapshot can do so for the snapshot's epoch only; its share
 * begins with the next resharing.
 */
export class Resharing {
  readonly #options: ResharingOptions;
  readonly #parts: ResharingParts;
  #tail: Promise<void> = Promise.resolve();
  #isStopped = false;
  #current: EpochResharing | undefined;
  #startedEpoch = -1n;
  #state: EpochState;
  readonly #received: ReceivedItems;
  #ownDealing: Dealing | undefined;
  /** By dealer. */
  readonly #ownComplaints = new Map<number, Complaint>();
  #ticks = 0;
  #isLate = false;
  #cancelTimer: Cancel = () => undefined;

  private constructor(options: ResharingOptions) {
    this.#options = options;
    const { chain, mesh, crypto, checks, log, onWork } = options;
    const chainId = chain.genesis.chain_id;
    this.#state = chain.tip.epochs;
    const drop = (identity: string, reason: string) => mesh.drop(identity, reason);
    this.#received = new ReceivedItems({ crypto, chainId, checks, log, drop, onWork });
    this.#received.onState(this.#state, chain.tip.header.height);
    this.#parts = {
      ...options,
      chainId,
      drop,
      random: options.runtime.random,
      send: (identity, message) => {
        if (message.type === 'dealt_share') mesh.send(identity, 'dealt_share', message.value);
        else mesh.send(identity, 'dealt_ack', message.value);
      },
      onDealing: (dealing) => this.#deal(dealing),
      onComplaint: (complaint) => this.#complain(complaint),
    };
  }

  /** Finishes a resharing that a crash interrupted, and starts the current one. @throws SecretFileError */
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
    mesh.on('dealing', ({ identity }, dealing) => resharing.#received.dealing(identity, dealing));
    mesh.on('complaint', ({ identity }, complaint) => resharing.#received.complaint(identity, complaint));
    mesh.onConnected(({ identity }) => {
      if (resharing.#ownDealing !== undefined) mesh.send(identity, 'dealing', resharing.#ownDealing);
      for (const complaint of resharing.#ownComplaints.values()) mesh.send(identity, 'complaint', complaint);
      void resharing.#queue(() => resharing.#current?.onPeerConnected(identity));
    });
    chain.onCommit('validators', ({ header, epochs }) => resharing.#committed(header.height, epochs));
    resharing.#onHeight(chain.tip.header.height);
    resharing.#scheduleResend();
    return resharing;
  }

  /** Resolves when the effects of all blocks that are final at the call are complete. */
  get settled(): Promise<void> {
    return this.#tail;
  }

  /** Valid dealings and complaints of the epoch that no final block contains yet. */
  get waiting(): Pick<EpochItems, 'dealings' | 'complaints'> {
    const { header, epochs } = this.#options.chain.tip;
    const phase = phaseAt(header.height + 1n, epochs.parameters.epoch_length);
    return {
      dealings: phase === 'dealings' ? this.#received.dealings : [],
      complaints: this.#received.complaints,
    };
  }

  /** Waits for the running step and all queued ones; starts no further one. */
  async stop(): Promise<void> {
    this.#cancelTimer();
    this.#isStopped = true;
    await this.#tail;
  }

  #scheduleResend(): void {
    this.#cancelTimer = this.#options.runtime.after(RESEND_MS, () => {
      this.#resend();
      if (!this.#isStopped) this.#scheduleResend();
    });
  }

  #resend(): void {
    const { mesh } = this.#options;
    void this.#queue(() => this.#current?.deal({ type: 'again' }));
    if (++this.#ticks % BROADCAST_TICKS > 0) return;
    const { dealings, complaints } = this.waiting;
    const own = this.#ownDealing;
    if (own !== undefined && dealings.includes(own)) mesh.broadcast('dealing', own);
    for (const complaint of this.#ownComplaints.values()) {
      if (complaints.includes(complaint)) mesh.broadcast('complaint', complaint);
    }
  }

  #committed(height: bigint, state: EpochState): void {
    const before = this.#state;
    this.#state = state;
    this.#received.onState(state, height);
    if (state.validators.epoch !== before.validators.epoch) {
      this.#onEpochEnd(height, before, state);
    } else if (hasMore(before, state)) {
      const { dealings, complaints } = state;
      void this.#queue(() => this.#current?.onIncluded({ dealings, complaints }));
    }
    this.#onHeight(height);
    if (state !== before) this.#options.onWork();
  }

  #onEpochEnd(height: bigint, ended: EpochState, state: EpochState): void {
    const { log } = this.#options;
    const items = joined(ended, itemsAt(this.#options, height));
    const { epoch, quorum, validators } = ended.validators;
    const valid = undisputed(items.dealings, items.complaints).length;
    const next = { set: state.validators, reshared: valid >= quorum };
    this.#ownDealing = undefined;
    this.#ownComplaints.clear();
    this.#isLate = false;
    if (!next.reshared && validators.length > 1) {
      const [dealings, complaints] = [items.dealings.length, items.complaints.length];
      log.warn({ epoch: `${epoch}`, dealings, complaints, quorum }, 'the group key was not reshared');
    }
    void this.#queue(async () => {
      const current = this.#current;
      this.#current = undefined;
      if (current?.context.epoch !== epoch) return;
      if (await current.final({ type: 'final', items, next })) await this.#eraseOldKeys(state);
    });
  }

  /**
   * Erases the encryption keys from before the present epoch: all that was sealed to them has been read.
   * @param announced the key in this validator's own dealing of the present epoch
   */
  async #eraseOldKeys(
    { validators: { validators }, encryptionKeys }: EpochState,
    announced?: Uint8Array,
  ): Promise<void> {
    const { identity, encryption } = this.#options;
    await encryption.keepOnly(encryptionKeys[indexIn(validators, identity.publicKey)], announced);
  }

  /** Starts the epoch's resharing, and later ends the wait for dealings, each once its height is reached. */
  #onHeight(height: bigint): void {
    const state = this.#state;
    const { parameters, validators } = state;
    const { epoch } = validators;
    const { epoch_length: length } = parameters;
    const phase = phaseAt(height + 1n, length);
    if (validators.validators.length === 1 || phase === 'changes') return;
    if (this.#startedEpoch !== epoch) {
      this.#startedEpoch = epoch;
      void this.#queue(() => this.#startEpoch(state, phase === 'dealings'));
    }
    const { begin, end } = dealingWindow(length);
    // Half of the dealing period is over. A dealing takes a block or two to be included.
    if (this.#isLate || height % length < begin + (end - begin) / 2n) return;
    this.#isLate = true;
    void this.#queue(() => this.#current?.deal({ type: 'deadline' }));
  }

  async #startEpoch(state: EpochState, deals: boolean): Promise<void> {
    const { record, log, crypto } = this.#options;
    const { validators: currentSet, dealings, complaints } = state;
    const { epoch } = currentSet;
    const file = await ResharingFile.open(record, epoch);
    const nextPlayers = membersAfter(crypto, state);
    const later = (work: () => Promise<void>) => void this.#queue(work);
    const current = new EpochResharing(this.#parts, { currentSet, nextPlayers, file, later, deals });
    this.#current = current;
    log.info({ epoch: epoch.toString() }, 'resharing the group key for the next epoch');
    await current.deal({ type: 'start' });
    if (dealings.length > 0) await current.onIncluded({ dealings, complaints });
  }

  #deal(dealing: Dealing): void {
    if (dealing.epoch !== this.#state.validators.epoch) return;
    this.#ownDealing = dealing;
    this.#received.addDealing(dealing);
    this.#options.mesh.broadcast('dealing', dealing);
    this.#options.onWork();
  }

  #complain(complaint: Complaint): void {
    if (complaint.epoch !== this.#state.validators.epoch) return;
    this.#ownComplaints.set(complaint.dealer, complaint);
    this.#received.addComplaint(complaint);
    this.#options.mesh.broadcast('complaint', complaint);
    this.#options.onWork();
  }

  /**
   * Recovers from a crash between an epoch's last block and the new share. Only the last resharing matters, even if the
   * crash interrupted several: its shares are those of the present epoch.
   */
  async #recover(): Promise<void> {
    const { chain, record, shares, identity, log } = this.#options;
    const set = this.#state.validators;
    const ended = this.#lastReshared(set, shares.share?.epoch ?? -1n);
    let isRead = true;
    if (ended !== undefined && indexIn(set.validators, identity.publicKey) >= 0) {
      const { epoch, quorum } = ended;
      const next = chain.validatorsAt(epoch + 1n) ?? set;
      const items = itemsOfEnded(this.#options, ended, this.#state.parameters.epoch_length);
      const file = await ResharingFile.read(record, epoch);
      if (undisputed(items.dealings, items.complaints).length >= quorum) {
        const later = (work: () => Promise<void>) => void this.#queue(work);
        // Sealed shares are tried with every key that this validator still has.
        const nextPlayers = next.validators.map((player) => ({
          ...player,
          encryption_key: new Uint8Array(0),
        }));
        const options = { currentSet: ended, nextPlayers, file, later, deals: false };
        const event = { type: 'final', items, next: { set: next, reshared: true } } as const;
        isRead = await new EpochResharing(this.#parts, options).final(event);
      } else {
        const why =
          "an epoch's dealings are not stored on this node: it gets no share until the next resharing";
        log.warn({ epoch: epoch.toString() }, why);
      }
    }
    // Erases the record of an earlier epoch. One of the present epoch may announce a key that no block has yet.
    const { own } = (await ResharingFile.open(record, set.epoch)).record;
    if (isRead) await this.#eraseOldKeys(this.#state, own?.encryption_key);
  }

  /** The set whose resharing made the present shares, if this validator's share is older than that. */
  #lastReshared(set: ValidatorSet, ownEpoch: bigint): ValidatorSet | undefined {
    const { chain } = this.#options;
    for (let epoch = set.epoch - 1n; epoch >= 0n && epoch >= ownEpoch; epoch--) {
      const ended = chain.validatorsAt(epoch);
      if (ended === undefined) return undefined;
      if (!sameShares(ended, set)) return ended;
    }
    return undefined;
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

function hasMore(before: EpochState, after: EpochState): boolean {
  return after.dealings.length > before.dealings.length || after.complaints.length > before.complaints.length;
}

function indexIn(validators: ValidatorSet['validators'], identityKey: Uint8Array): number {
  const identity = toHex(identityKey);
  return validators.findIndex(({ identity_key }) => toHex(identity_key) === identity);
}
