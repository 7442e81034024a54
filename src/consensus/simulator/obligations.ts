import type { Certificate, CertificateRequest, Vote, VoteMessage } from '../core/types.js';
import type { PeerMessage } from '../shell/ports.js';
import { describeVote, nameOf, shortHash } from './model.js';
import type { SimValidator } from './sim-validator.js';

/** Views before the current one whose finalize votes are surely repeated. */
const SURE_FINALIZE_WINDOW = 14;
/** Time limit for meeting an obligation, in virtual milliseconds. */
const SOON_MS = 1_500;
/** Time after which a validator in the same view is stuck, and has repeated its nullify. */
const STUCK_MS = 2_600;
const REPEATED_AFTER_MS = 900;
/** Time within which a quorum of votes makes a certificate, if signatures may fail. */
const CERTIFIED_MS = 5_000;
/** Time within which a failed certificate is tried again. */
const ASSEMBLED_AGAIN_MS = 1_200;
/** Time within which a process takes up a message, in virtual milliseconds. */
const TAKEN_UP_MS = 150;
/** Requests of one peer that are surely within its limits. */
const SURE_REQUESTS = 10;

/** Number of requested views whose certificates are within every limit. */
const SURE_ANSWERS = 4;

interface Obligation {
  /** The peer that must be sent a message; undefined for any. */
  readonly to: number | undefined;
  readonly isMetBy: (message: PeerMessage, to: number | undefined) => boolean;
  isMet: boolean;
}

/** A process with obligations. */
export interface WatchedProcess {
  readonly validator: SimValidator;
  /** Whether the process has duties: a killed, failed or stopping one has none. */
  readonly isRunning: boolean;
  /** Whether the process surely handles messages of its epoch. */
  readonly isReady: boolean;
  /** Whether the process surely votes in its epoch. */
  readonly isVoting: boolean;
  readonly epoch: number;
  /** The lowest view in which the process can be. */
  readonly view: number;
  /** The highest view that the process may know to be final. */
  readonly finalizedView: number;
  /** The highest view on disk that was final when the process entered its epoch. */
  readonly initialFinalizedView: number;
  /** Height of the process's chain. */
  readonly height: number;
  /** Names of votes of a peer that are surely kept. */
  votesOf(peer: number): readonly string[];
  hasCertificate(message: VoteMessage): boolean;
  /** Fails the run if, after a time, the process has not done something that it must still do. */
  expect(withinMs: number, otherwise: string, isDone: () => boolean): void;
  /** The highest view of an epoch that was known to be final before a time. */
  finalizedBefore(epoch: number, beforeMs: number): number;
}

/** What one process of an honest validator must send to others, and whether it does (rules 5 to 7 and 9). */
export class Obligations {
  readonly #watch: WatchedProcess;
  readonly #validator: SimValidator;
  readonly #open = new Set<Obligation>();
  readonly #requests = new Map<number, number>();
  /** When each vote was sent last, by name. */
  readonly #sentMs = new Map<string, number>();
  /** When each certificate was last tried to be made, by name. */
  readonly #assembledMs = new Map<string, number>();
  /** When each peer was sent a certificate last. */
  readonly #toldMs = new Map<number, number>();

  constructor(watch: WatchedProcess) {
    this.#watch = watch;
    this.#validator = watch.validator;
  }

  onSend(to: number | undefined, message: PeerMessage): void {
    const { nowMs } = this.#world;
    if (message.type === 'vote') this.#sentMs.set(nameOf(message.vote), nowMs);
    if (message.type === 'certificate' && to !== undefined) this.#toldMs.set(to, nowMs);
    for (const obligation of this.#open) {
      if (to !== undefined && obligation.to !== undefined && to !== obligation.to) continue;
      if (obligation.isMetBy(message, to)) obligation.isMet = true;
    }
  }

  /** A new connection must get this validator's votes that count, the peer's stored votes, and the position. */
  onConnected(peer: number): void {
    const watch = this.#watch;
    const { records } = this.#validator;
    if (!watch.isReady) return;
    const { view, epoch, finalizedView } = watch;
    const counts = (vote: VoteMessage) =>
      vote.kind === 'finalize' ? vote.view > view - SURE_FINALIZE_WINDOW : vote.view === view;
    const own = records.votesOf(epoch).filter((vote) => vote.view > finalizedView && counts(vote));
    for (const name of [...own.map(nameOf), ...watch.votesOf(peer)]) {
      const isVote = (message: PeerMessage) =>
        (message.type === 'vote' || message.type === 'proposal') && nameOf(message.vote) === name;
      this.#expect(peer, `repeat to ${peer}: ${name}`, isVote);
    }
    const knownFinal = watch.initialFinalizedView;
    if (knownFinal > 0)
      this.#expect(peer, `send ${peer} its finalization of view ${epoch}/${knownFinal}`, (message) =>
        isCertificate(
          message,
          ({ kind, view: at, epoch: of }) =>
            kind === 'finalize' && (of > epoch || (of === epoch && at >= knownFinal)),
        ),
      );
    else if (epoch > 0 || view > 1)
      this.#expect(peer, `send ${peer} its position`, (message) => isCertificate(message, () => true));
  }

  /** A certificate that the process has made is sent to all. */
  onMade(certificate: Certificate): void {
    const name = nameOf(certificate);
    this.#expect(
      undefined,
      `send a certificate that it has made: ${describeVote(certificate)}`,
      (message, to) => to === undefined && isCertificate(message, (one) => nameOf(one) === name),
    );
  }

  /** A vote whose signature failed is signed again and sent. */
  onSignFailed(message: VoteMessage): void {
    const name = nameOf(message);
    this.#expect(undefined, `send a vote after a failed signature: ${describeVote(message)}`, (sent) => {
      return (sent.type === 'vote' || sent.type === 'proposal') && nameOf(sent.vote) === name;
    });
  }

  /** Requests within their limits are answered. */
  onRequest(from: number, message: PeerMessage): void {
    const requests = (this.#requests.get(from) ?? 0) + 1;
    this.#requests.set(from, requests);
    if (requests > SURE_REQUESTS || !this.#watch.isReady) return;
    if (message.type === 'get_block') {
      const { hash } = message;
      if (!this.#mustServe(hash)) return;
      this.#expect(
        from,
        `send ${from} block ${shortHash(hash)}`,
        (answer) => answer.type === 'block' && answer.hash === hash && answer.block !== undefined,
      );
    } else if (message.type === 'get_finalized') {
      const { fromHeight, count } = message;
      if (fromHeight < 1 || count < 1 || fromHeight > this.#validator.records.height) return;
      this.#expect(
        from,
        `send ${from} the final block ${fromHeight}`,
        (answer) =>
          answer.type === 'finalized' && answer.fromHeight === fromHeight && answer.blocks.length > 0,
      );
    } else if (message.type === 'get_certificates') {
      const { epoch, toView } = message;
      if (epoch > this.#watch.epoch || toView === 0) return;
      this.#expect(
        from,
        `answer the request of ${from} for certificates`,
        (answer) => answer.type === 'certificate' || answer.type === 'get_certificates',
      );
      this.#answerCertificates(from, message);
    }
  }

  /** A peer that asks for certificates on disk gets them, or a finalization above them. */
  #answerCertificates(from: number, { epoch, fromView, toView }: CertificateRequest): void {
    const { finalizedView } = this.#watch;
    const { records } = this.#validator;
    if (epoch !== this.#watch.epoch) return;
    const first = Math.max(fromView, finalizedView + 1);
    for (let view = first; view <= Math.min(toView, first + SURE_ANSWERS - 1); view++) {
      for (const kind of ['notarize', 'nullify'] as const) {
        if (!records.hasCertificateAt(kind, epoch, view)) continue;
        this.#expect(from, `send ${from} the certificate ${kind} ${epoch}/${view}`, (answer) =>
          isCertificate(
            answer,
            (one) =>
              one.epoch > epoch ||
              (one.kind === 'finalize' ? one.view >= view : one.kind === kind && one.view === view),
          ),
        );
      }
    }
  }

  /** A validator that is stuck in a view repeats its nullify every second. */
  onNullify(message: VoteMessage): void {
    const watch = this.#watch;
    const name = nameOf(message);
    const sinceMs = this.#world.nowMs;
    watch.expect(STUCK_MS, `does not repeat ${describeVote(message)}`, () => {
      const isStuck = watch.isReady && watch.epoch === message.epoch && watch.view === message.view;
      return !isStuck || (this.#sentMs.get(name) ?? 0) > sinceMs + REPEATED_AFTER_MS;
    });
  }

  /** A peer of an earlier epoch is sent the end of that epoch, once a second. */
  onOldMessage(from: number): void {
    const sinceMs = this.#world.nowMs;
    this.#watch.expect(
      SOON_MS,
      `does not tell ${from} that the epoch has ended`,
      () => (this.#toldMs.get(from) ?? Number.NEGATIVE_INFINITY) >= sinceMs - SOON_MS,
    );
  }

  /** A quorum of valid votes makes a certificate. */
  onQuorum(message: VoteMessage): void {
    const otherwise = `makes no certificate: ${describeVote(message)}`;
    this.#watch.expect(CERTIFIED_MS, otherwise, () => this.#isCertified(message));
  }

  onAssemble(message: VoteMessage): void {
    this.#assembledMs.set(nameOf(message), this.#world.nowMs);
  }

  /** A certificate that a worker failed to make is tried again. */
  onAssemblyFailed(message: VoteMessage): void {
    const failedMs = this.#world.nowMs;
    this.#watch.expect(
      ASSEMBLED_AGAIN_MS,
      `does not try again to make a certificate: ${describeVote(message)}`,
      () => this.#isCertified(message) || (this.#assembledMs.get(nameOf(message)) ?? 0) > failedMs,
    );
  }

  /** Whether the process has a certificate, or none is of use any more. */
  #isCertified(message: VoteMessage): boolean {
    const { epoch, finalizedView, isReady } = this.#watch;
    const isOfUse = isReady && epoch === message.epoch && finalizedView < message.view;
    return !isOfUse || this.#watch.hasCertificate(message);
  }

  /** A returned vote is journaled before anything else is signed in its view. */
  onReturned(message: VoteMessage): void {
    const receivedMs = this.#world.nowMs;
    this.#watch.expect(
      SOON_MS,
      `does not journal a returned vote: ${describeVote(message)}`,
      () =>
        this.#validator.records.hasVote(message) ||
        this.#watch.finalizedBefore(message.epoch, receivedMs + TAKEN_UP_MS) >= message.view,
    );
  }

  /** Evidence is stored of a vote that contradicts one that the process surely keeps. */
  onConflict(vote: Vote): void {
    // A failed write loses evidence, and nothing else.
    if (this.#world.scenario.writeFailure > 0) return;
    const otherwise = `keeps no evidence of two votes of validator ${vote.signer}: ${describeVote(vote)}`;
    this.#watch.expect(SOON_MS, otherwise, () => this.#validator.hasEvidence(vote));
  }

  /** A validator nullifies its view because f + 1 others do (rule 4), unless it leaves the view. */
  onNullifiers(view: number): void {
    const watch = this.#watch;
    const { epoch } = watch;
    watch.expect(
      SOON_MS,
      `does not join the nullify votes of view ${epoch}/${view}`,
      () => watch.epoch !== epoch || watch.view > view || this.#validator.hasEnded(epoch, view),
    );
  }

  /** Whether a block is final here, or journaled and above the final ones. */
  #mustServe(hash: string): boolean {
    const { world, records } = this.#validator;
    const facts = world.blocks.get(hash)?.facts;
    // The genesis is no block that validators send.
    if (facts === undefined || facts.height === 0) return false;
    const { epoch, finalizedView, height } = this.#watch;
    if (world.finalAt(facts.height) === hash && facts.height <= Math.min(height, records.height)) return true;
    return (
      facts.epoch === epoch && facts.view > finalizedView && facts.height > height && records.hasBlock(hash)
    );
  }

  #expect(to: number | undefined, what: string, isMetBy: Obligation['isMetBy']): void {
    const obligation: Obligation = { to, isMetBy, isMet: false };
    this.#open.add(obligation);
    this.#world.after(SOON_MS, () => {
      this.#open.delete(obligation);
      if (!obligation.isMet && this.#watch.isRunning) this.#validator.fail(`does not ${what}`);
    });
  }

  get #world() {
    return this.#validator.world;
  }
}

function isCertificate(message: PeerMessage, fits: (certificate: Certificate) => boolean): boolean {
  return message.type === 'certificate' && fits(message.certificate);
}
