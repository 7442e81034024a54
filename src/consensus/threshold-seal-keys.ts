import type { Log } from '../config/log.js';
import { sealIdentity } from '../crypto/sealing/seal-identity.js';
import type { SealKey } from '../generated/ledger.js';
import type { SealShare } from '../generated/mesh.js';
import { keyFinder, type SealKeyParts, type SealKeys, type UnopenedHeights } from './seal-keys.js';
import type { ThresholdSigner } from './shell/threshold-signatures.js';

/** Who holds the shares of the epoch that partial keys are made in. */
export interface SealEpoch {
  readonly epoch: bigint;
  readonly quorum: number;
  readonly validators: number;
  /** This validator's index, or -1 where it has no share. */
  readonly self: number;
}

export interface ThresholdSealKeysOptions {
  readonly chainId: bigint;
  readonly chain: UnopenedHeights & { tipHeight(): bigint };
  readonly signer: Pick<ThresholdSigner, 'sign' | 'assemble'>;
  /** That of the next block. */
  readonly epoch: () => SealEpoch;
  readonly send: (share: SealShare, to: number | undefined) => void;
  /** Ends the connection with a validator that sent what cannot be right. */
  readonly drop: (peer: number, reason: string) => void;
  /** Told when a key is known that was not. */
  readonly onKey: () => void;
  readonly log: Log;
}

/** Heights whose keys are made at a time, the lowest that are due; a block opens two. */
const AT_ONCE = 8;
/** A validator may be this many blocks ahead of this node when it sends its part. */
const AHEAD = 16n;
/** What is not known yet is asked for again, by sending the own part again: milliseconds. */
const REPEAT_MS = 1_000;

/** The partial keys of a height, by signer. */
interface Collected {
  readonly partials: Map<number, Uint8Array>;
  /** Those whose partial was no signature: no second one counts. */
  readonly refused: Set<number>;
  assembling: boolean;
}

/**
 * Collects the keys of heights from the validators' parts.
 *
 * 1. A part is signed only when its height is committed here, hence final at its place, and has envelopes.
 * 2. Parts are made with the shares of one epoch: when the next begins, all that is due is signed again.
 * 3. A part is looked at only when a quorum is there: if together they are no signature, each alone, and whoever sent one that
 *    is not good is dropped.
 * 4. One part a validator and height, of the lowest heights that are due and those just ahead: nothing else is kept.
 */
export class ThresholdSealKeys implements SealKeys {
  readonly #options: ThresholdSealKeysOptions;
  readonly #collected = new Map<bigint, Collected>();
  readonly #keys = new Map<bigint, SealKey>();
  readonly #signed = new Set<bigint>();
  /** The heights that are due, lowest first, as of the last commit; to look for them costs more than a part does. */
  #due: readonly bigint[] = [];
  #epoch = -1n;
  #repeat: NodeJS.Timeout | undefined;
  #isRunning = false;

  constructor(options: ThresholdSealKeysOptions) {
    this.#options = options;
  }

  start(): void {
    this.#isRunning = true;
    this.#repeat = setInterval(() => this.#resend(undefined), REPEAT_MS).unref();
    this.committed();
  }

  stop(): void {
    this.#isRunning = false;
    clearInterval(this.#repeat);
  }

  forProposal(): SealKeyParts {
    return keyFinder([...this.#keys.values()]);
  }

  committed(): void {
    if (!this.#isRunning) return;
    const { epoch } = this.#options.epoch();
    if (epoch !== this.#epoch) this.#enter(epoch);
    this.#forget();
    for (const height of this.#due) void this.#sign(height);
  }

  /** A validator is connected: it may have missed what was sent. */
  onPeerConnected(peer: number): void {
    this.#resend(peer);
  }

  /** Takes a validator's part. @param from its index in the epoch's set */
  receive(from: number, share: SealShare): void {
    const { epoch, validators, self } = this.#options.epoch();
    if (epoch !== this.#epoch) this.#enter(epoch);
    // Who is in another epoch may have another index there.
    if (share.epoch !== epoch) return;
    if (share.signer !== from) {
      this.#options.drop(from, 'a partial key of another validator');
      return;
    }
    if (from === self || from >= validators || !this.#isWanted(share.height)) return;
    this.#add(share);
  }

  /** Rule 2. */
  #enter(epoch: bigint): void {
    this.#epoch = epoch;
    this.#collected.clear();
    this.#signed.clear();
  }

  /** What is open, and what never comes to be due here. Rule 1: what is due is committed. */
  #forget(): void {
    const { chain } = this.#options;
    const tipHeight = chain.tipHeight();
    const unopened = chain.unopenedHeights().filter((height) => height <= tipHeight);
    this.#due = unopened.slice(0, AT_ONCE);
    const left = new Set(unopened);
    const isOver = (height: bigint) => height <= tipHeight && !left.has(height);
    for (const kept of [this.#keys, this.#collected]) {
      for (const height of kept.keys()) if (isOver(height)) kept.delete(height);
    }
    for (const height of this.#signed) if (isOver(height)) this.#signed.delete(height);
  }

  /** Rule 4. */
  #isWanted(height: bigint): boolean {
    const tipHeight = this.#options.chain.tipHeight();
    if (this.#keys.has(height)) return false;
    return height > tipHeight ? height <= tipHeight + AHEAD : this.#due.includes(height);
  }

  async #sign(height: bigint): Promise<void> {
    const { chainId, signer, epoch: current, send, log } = this.#options;
    const { epoch, self } = current();
    // Also where the key is known here: others may lack it.
    if (self < 0 || epoch !== this.#epoch || this.#signed.has(height)) return;
    this.#signed.add(height);
    try {
      const partial = await signer.sign(epoch, sealIdentity(chainId, height));
      if (!this.#isRunning || epoch !== this.#epoch) return;
      const share = { epoch, height, signer: self, partial };
      send(share, undefined);
      this.#add(share);
    } catch (error) {
      if (!this.#isRunning || epoch !== this.#epoch) return;
      this.#signed.delete(height);
      log.warn({ err: error, height: String(height) }, 'a partial key could not be made');
    }
  }

  #add({ height, signer, partial }: SealShare): void {
    let collected = this.#collected.get(height);
    if (collected === undefined) {
      collected = { partials: new Map(), refused: new Set(), assembling: false };
      this.#collected.set(height, collected);
    }
    if (collected.partials.has(signer) || collected.refused.has(signer)) return;
    collected.partials.set(signer, partial);
    void this.#assemble(height, collected);
  }

  /** Rule 3. */
  async #assemble(height: bigint, collected: Collected): Promise<void> {
    const { chainId, signer, epoch: current, log, drop, onKey } = this.#options;
    const { epoch, quorum, self } = current();
    if (collected.assembling || collected.partials.size < quorum || this.#keys.has(height)) return;
    collected.assembling = true;
    const partials = Array.from(collected.partials, ([index, signature]) => ({ index, signature }));
    try {
      const { signature, bad } = await signer.assemble(epoch, sealIdentity(chainId, height), partials);
      if (!this.#isRunning || this.#collected.get(height) !== collected) return;
      for (const index of bad) {
        collected.partials.delete(index);
        collected.refused.add(index);
        if (index !== self) drop(index, 'a partial key that is none');
      }
      if (signature !== undefined) {
        this.#keys.set(height, { height, signature });
        onKey();
      }
    } catch (error) {
      if (this.#isRunning)
        log.warn({ err: error, height: String(height) }, 'a key could not be put together');
    } finally {
      collected.assembling = false;
    }
    const tried = new Set(partials.map(({ index }) => index));
    const more = [...collected.partials.keys()].some((index) => !tried.has(index));
    if (more && this.#collected.get(height) === collected) await this.#assemble(height, collected);
  }

  #resend(to: number | undefined): void {
    if (!this.#isRunning) return;
    const { epoch, self } = this.#options.epoch();
    if (epoch !== this.#epoch) this.#enter(epoch);
    for (const height of this.#due) {
      const collected = this.#collected.get(height);
      const partial = collected?.partials.get(self);
      if (partial === undefined) void this.#sign(height);
      // Others may not know a key that is known here.
      else this.#options.send({ epoch, height, signer: self, partial }, to);
      // Where it could not be put together through no part's fault, it is tried again.
      if (collected !== undefined) void this.#assemble(height, collected);
    }
  }
}
