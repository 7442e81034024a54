import type { EncodedBlock } from '../../chain/decode-block.js';
import type { BlockFacts, BlockHash, Certificate, Vote } from '../core/types.js';
import { CertificateCheck } from './certificate-check.js';
import type { ListeningPhase } from './listening-phase.js';
import type { PeerRecords } from './peer-records.js';
import type { PeerRequestHandler } from './peer-request-handler.js';
import type { IndexOf, PeerMessage } from './ports.js';
import type { ShellContext } from './shell-context.js';
import type { SyncStatus } from './sync-status.js';

/** Maximum number of messages held back before the first epoch and between epochs, in total and per peer. */
const MAX_HELD = 1_024;
const MAX_HELD_A_PEER = 128;
/** Maximum number of requested blocks that are tracked. */
const MAX_ASKED = 64;

export interface InboxParts {
  readonly serving: Pick<PeerRequestHandler, 'admit' | 'block' | 'finalized'>;
  readonly peers: Pick<PeerRecords, 'noteVote' | 'noteRequest'>;
  readonly sync: Pick<SyncStatus, 'onAnswer'>;
  readonly listening: Pick<ListeningPhase, 'onPosition'>;
}

/** Handles peers' messages, all untrusted: invalid ones drop the peer, and the cost of others is bounded. */
export class Inbox {
  readonly #context: ShellContext;
  readonly #parts: InboxParts;
  readonly #certificates: CertificateCheck;
  #held: { readonly from: number; readonly message: PeerMessage }[] = [];
  readonly #requested = new Set<BlockHash>();

  constructor(context: ShellContext, parts: InboxParts) {
    const { core, signatures } = context;
    this.#context = context;
    this.#parts = parts;
    this.#certificates = new CertificateCheck({
      signatures,
      wants: (certificate) => core.wantsCertificate(certificate),
      onValid: (certificate, from) => {
        context.events.push({ type: 'certificate', certificate, from });
        this.#notePosition(from, certificate.epoch);
      },
      onUnwanted: (message, from) => {
        context.events.push({ type: 'heard', from, message });
        this.#notePosition(from, message.epoch);
      },
      onInvalid: ({ epoch }, from) =>
        this.#dropSender(from, epoch, "a certificate that is not the validators'"),
      onError: (error) => this.#onError(error),
    });
  }

  /** Never throws. */
  receive(from: number, message: PeerMessage): void {
    try {
      this.#receive(from, message);
    } catch (error) {
      this.#onError(error);
    }
  }

  noteRequested(hash: BlockHash): void {
    this.#requested.add(hash);
    const [oldest] = this.#requested;
    if (this.#requested.size > MAX_ASKED && oldest !== undefined) this.#requested.delete(oldest);
  }

  get heldBack(): number {
    return this.#held.length;
  }

  get certificates(): number {
    return this.#certificates.size;
  }

  reindex(indexOf: IndexOf): void {
    this.#held = this.#held.flatMap(({ from, message }) => {
      const now = indexOf(from);
      return now === undefined ? [] : [{ from: now, message }];
    });
  }

  deliverHeld(): void {
    const held = this.#held;
    this.#held = [];
    for (const { from, message } of held) this.receive(from, message);
  }

  #receive(from: number, message: PeerMessage): void {
    const { core, events, network } = this.#context;
    const { serving, peers, sync, listening } = this.#parts;
    switch (message.type) {
      case 'vote':
        this.#vote(from, message.vote);
        break;
      case 'proposal':
        this.#proposal(from, message.vote, message.block);
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
        if (epoch === core.status().epoch) listening.onPosition(from);
        if (serving.admit(from, message.type) && events.hasStarted && !core.ended) {
          events.push({ type: 'certificates_requested', peer: from, epoch, fromView, toView });
        }
        break;
      }
      case 'get_finalized':
        if (serving.admit(from, message.type)) {
          const { fromHeight, count } = message;
          peers.noteRequest(from, fromHeight);
          const blocks = serving.finalized(from, fromHeight, count);
          network.send(from, { type: 'finalized', fromHeight, blocks });
        }
        break;
      case 'finalized':
        sync.onAnswer(from, message);
        break;
    }
  }

  /** Handles a returned vote that this node may have cast in a process whose journal is lost. */
  #onReturnedVote(from: number, vote: Vote): void {
    const { core, events, signatures } = this.#context;
    if (!core.wantsOwnVote(vote)) return;
    if (signatures.isSigned(vote)) events.push({ type: 'own_vote', message: vote });
    else this.#drop(from, "a forged vote in this validator's name");
  }

  #vote(from: number, vote: Vote): void {
    const { core, events, signatures, membership } = this.#context;
    const { epoch } = core.status();
    if (this.#holds(from, vote.epoch, { type: 'vote', vote })) return;
    if (vote.epoch !== epoch) {
      // The vote's signer is an index in the set of another epoch.
      events.push({ type: 'heard', from, message: vote });
      return;
    }
    if (vote.signer === membership.self && vote.signer !== from) {
      this.#onReturnedVote(from, vote);
      return;
    }
    if (vote.signer !== from) {
      this.#drop(from, "another validator's vote");
      return;
    }
    // Two votes are evidence only if both are signed, so an unsigned one must never take a signer's place.
    if (core.wantsVote(vote) && !signatures.isSigned(vote)) {
      this.#drop(from, 'a vote with an invalid identity signature');
      return;
    }
    this.#parts.peers.noteVote(from, vote);
    events.push({ type: 'vote', vote });
  }

  /** Takes the block before the vote, or the core would request at once the block that it is about to get. */
  #proposal(from: number, vote: Vote, block: EncodedBlock): void {
    const { core, events } = this.#context;
    const isCurrent = () => vote.epoch === core.status().epoch;
    if (!events.hasStarted || !isCurrent() || vote.signer !== from) {
      this.#vote(from, vote);
      return;
    }
    this.#block(from, block, () => {
      // The index may be another peer's once the next epoch has begun.
      if (isCurrent()) this.receive(from, { type: 'vote', vote });
    });
  }

  #certificate(from: number, certificate: Certificate): void {
    if (this.#holds(from, certificate.epoch, { type: 'certificate', certificate })) return;
    this.#certificates.check(certificate, from);
  }

  /** @param afterwards called once the block is taken or refused */
  #block(from: number, block: EncodedBlock, afterwards?: () => void): void {
    const { core, known, events } = this.#context;
    const { epoch } = core.status();
    const wants = (facts: BlockFacts) => core.wantsBlock(facts, from);
    const isAsked = (hash: BlockHash) => this.#requested.has(hash);
    known
      .take(from, block, isAsked, wants)
      .then((arrival) => {
        if (arrival.result === 'bad') this.#dropSender(from, epoch, arrival.reason);
        if (arrival.result !== 'new') return;
        this.#requested.delete(arrival.facts.hash);
        events.push({ type: 'block', block: arrival.facts, from });
      })
      .catch((error: unknown) => this.#onError(error))
      .finally(afterwards);
  }

  /** Holds back messages of an epoch that has not begun; a missing block is requested later, once its vote is known. */
  #holds(from: number, epoch: number, message: PeerMessage): boolean {
    const { core, events, membership } = this.#context;
    const isOfNext = core.ended && epoch === core.status().epoch + 1;
    if (events.hasStarted && !isOfNext) return false;
    const ofPeer = this.#held.filter((held) => held.from === from).length;
    // An equal share, so that no peer takes the room of others.
    const share = Math.min(MAX_HELD_A_PEER, Math.floor(MAX_HELD / membership.validators));
    if (this.#held.length < MAX_HELD && ofPeer < share) {
      this.#held.push({ from, message });
    }
    return true;
  }

  #drop(peer: number, reason: string): void {
    this.#context.network.drop(peer, reason);
  }

  /** Drops the sender of a message that was checked meanwhile, unless its index may be another peer's by now. */
  #dropSender(peer: number, epoch: number, reason: string): void {
    const { core } = this.#context;
    if (!core.ended && core.status().epoch === epoch) this.#drop(peer, reason);
  }

  #notePosition(from: number, epoch: number): void {
    if (epoch === this.#context.core.status().epoch) this.#parts.listening.onPosition(from);
  }

  #onError(error: unknown): void {
    this.#context.lifecycle.handleError(error, "handling a validator's message");
  }
}
