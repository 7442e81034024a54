import type { EncodedBlock } from '../../chain/decode-block.js';
import type { PeerHealth } from '../../generated/node-rpc-v1.js';
import type { BlockFacts, BlockHash, Certificate, ConsensusCore, Vote } from '../core/types.js';
import { CertificateCheck } from './certificate-check.js';
import type { CoreInput } from './core-driver.js';
import type { KnownBlocks } from './known-blocks.js';
import { PeerHeights } from './peer-heights.js';
import type { PeerRequestHandler } from './peer-request-handler.js';
import type { Network, PeerMessage, VoteSignatures } from './ports.js';

/** Maximum number of messages held back before the first epoch and between epochs, in total and per peer. */
const MAX_HELD = 1_024;
const MAX_HELD_A_PEER = 128;
/** Maximum number of requested blocks that are tracked. */
const MAX_ASKED = 64;

export interface InboxOptions {
  readonly core: Pick<ConsensusCore, 'wantsBlock' | 'wantsCertificate' | 'wantsOwnVote' | 'ended' | 'status'>;
  readonly dispatch: (news: CoreInput) => void;
  readonly known: KnownBlocks;
  readonly serving: PeerRequestHandler;
  readonly signatures: VoteSignatures;
  readonly network: Pick<Network, 'send' | 'drop'>;
  /** This node's index in the set of the core's epoch, or -1. */
  readonly self: () => number;
  readonly hasStarted: () => boolean;
  /** Called with a peer's answer to a request for final blocks. */
  readonly onFinalized: (from: number, answer: Extract<PeerMessage, { readonly type: 'finalized' }>) => void;
  /** Called when a peer has reported its position in the core's epoch, or requested certificates of that epoch. */
  readonly onPositionReported: (from: number) => void;
  /** Called with a local error in handling a message. */
  readonly onError: (error: unknown) => void;
}

/**
 * Handles messages from peers. All input is untrusted, although senders are authenticated: invalid messages drop the
 * peer, useless ones cost next to nothing, and expensive ones are bounded.
 */
export class Inbox {
  readonly #options: InboxOptions;
  readonly #certificates: CertificateCheck;
  #held: { readonly from: number; readonly message: PeerMessage }[] = [];
  readonly #requested = new Set<BlockHash>();
  readonly #heights: PeerHeights;

  constructor(options: InboxOptions) {
    const { core, serving, dispatch, signatures, onPositionReported, onError } = options;
    const placed = (from: number, epoch: number) => {
      if (epoch === core.status().epoch) onPositionReported(from);
    };
    this.#options = options;
    this.#heights = new PeerHeights((hash) => serving.heightOf(hash));
    this.#certificates = new CertificateCheck({
      signatures,
      wants: (certificate) => core.wantsCertificate(certificate),
      onValid: (certificate, from) => {
        dispatch({ type: 'certificate', certificate, from });
        placed(from, certificate.epoch);
      },
      onUnwanted: (message, from) => {
        dispatch({ type: 'heard', from, message });
        placed(from, message.epoch);
      },
      onInvalid: (from) => this.#drop(from, "a certificate that is not the validators'"),
      onError,
    });
  }

  /** Never throws. */
  receive(from: number, message: PeerMessage): void {
    try {
      this.#receive(from, message);
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /** Records that a block is about to be requested. */
  noteRequested(hash: BlockHash): void {
    this.#requested.add(hash);
    const [oldest] = this.#requested;
    if (this.#requested.size > MAX_ASKED && oldest !== undefined) this.#requested.delete(oldest);
  }

  /** Number of messages held back until the next epoch begins. */
  get heldBack(): number {
    return this.#held.length;
  }

  /** Number of certificates waiting or being checked. */
  get certificates(): number {
    return this.#certificates.size;
  }

  /**
   * Renumbers the peers.
   * @param indexOf maps a former index to the current one; undefined for peers that left the set
   */
  reindex(indexOf: (former: number) => number | undefined): void {
    this.#held = this.#held.flatMap(({ from, message }) => {
      const now = indexOf(from);
      return now === undefined ? [] : [{ from: now, message }];
    });
    this.#heights.reindex(indexOf);
  }

  /** Adds each peer's lag in blocks. @param tip this node's height */
  annotate(peers: readonly PeerHealth[], tip: bigint): readonly PeerHealth[] {
    return this.#heights.annotate(peers, tip);
  }

  /** See `PeerHeights.best`. */
  bestHeight(validators: number): number | undefined {
    return this.#heights.best(validators);
  }

  /** Handles the held messages once the next epoch has begun. */
  deliverHeld(): void {
    const held = this.#held;
    this.#held = [];
    for (const { from, message } of held) this.receive(from, message);
  }

  #receive(from: number, message: PeerMessage): void {
    const { core, dispatch, serving, network, hasStarted } = this.#options;
    switch (message.type) {
      case 'vote':
        this.#vote(from, message.vote);
        break;
      case 'proposal':
        if (this.#vote(from, message.vote)) this.#block(from, message.block);
        break;
      case 'certificate':
        this.#certificate(from, message.certificate);
        break;
      case 'block':
        if (message.block !== undefined) this.#block(from, message.block);
        break;
      case 'get_block':
        if (serving.admit(from, message.type)) {
          const { hash } = message;
          network.send(from, { type: 'block', hash, block: serving.block(from, hash) });
        }
        break;
      case 'get_certificates': {
        const { epoch, fromView, toView } = message;
        if (epoch === core.status().epoch) this.#options.onPositionReported(from);
        if (serving.admit(from, message.type) && hasStarted() && !core.ended) {
          dispatch({ type: 'certificates_requested', peer: from, epoch, fromView, toView });
        }
        break;
      }
      case 'get_finalized':
        if (serving.admit(from, message.type)) {
          const { fromHeight, count } = message;
          this.#heights.noteRequest(from, fromHeight);
          const blocks = serving.finalized(from, fromHeight, count);
          network.send(from, { type: 'finalized', fromHeight, blocks });
        }
        break;
      case 'finalized':
        this.#options.onFinalized(from, message);
        break;
    }
  }

  /** Handles a returned vote that this node may have cast in a process whose journal is lost. */
  #onReturnedVote(from: number, vote: Vote): void {
    const { core, dispatch, signatures } = this.#options;
    if (!core.wantsOwnVote(vote)) return;
    if (signatures.isSigned(vote)) dispatch({ type: 'own_vote', message: vote });
    else this.#drop(from, "a forged vote in this validator's name");
  }

  /** @returns whether the vote was accepted */
  #vote(from: number, vote: Vote): boolean {
    const { core, dispatch, self } = this.#options;
    const { epoch } = core.status();
    if (this.#holds(from, vote.epoch, { type: 'vote', vote })) return false;
    if (vote.epoch !== epoch) {
      // The vote's signer is an index in the set of another epoch.
      dispatch({ type: 'heard', from, message: vote });
      return false;
    }
    if (vote.signer === self() && vote.signer !== from) {
      this.#onReturnedVote(from, vote);
      return false;
    }
    if (vote.signer !== from) {
      this.#drop(from, "another validator's vote");
      return false;
    }
    this.#heights.noteVote(from, vote);
    dispatch({ type: 'vote', vote });
    return true;
  }

  #certificate(from: number, certificate: Certificate): void {
    if (this.#holds(from, certificate.epoch, { type: 'certificate', certificate })) return;
    this.#certificates.check(certificate, from);
  }

  #block(from: number, block: EncodedBlock): void {
    const { core, known, dispatch, onError } = this.#options;
    const wants = (facts: BlockFacts) => core.wantsBlock(facts, from);
    const isAsked = (hash: BlockHash) => this.#requested.has(hash);
    known
      .take(from, block, isAsked, wants)
      .then((arrival) => {
        if (arrival.result === 'bad') this.#drop(from, arrival.reason);
        if (arrival.result !== 'new') return;
        this.#requested.delete(arrival.facts.hash);
        dispatch({ type: 'block', block: arrival.facts, from });
      })
      .catch(onError);
  }

  /** Holds back messages of an epoch that has not begun; a missing block is requested later, once its vote is known. */
  #holds(from: number, epoch: number, message: PeerMessage): boolean {
    const { core, hasStarted } = this.#options;
    const isOfNext = core.ended && epoch === core.status().epoch + 1;
    if (hasStarted() && !isOfNext) return false;
    const ofPeer = this.#held.filter((held) => held.from === from).length;
    if (this.#held.length < MAX_HELD && ofPeer < MAX_HELD_A_PEER) {
      this.#held.push({ from, message });
    }
    return true;
  }

  #drop(peer: number, reason: string): void {
    this.#options.network.drop(peer, reason);
  }
}
