import { sameBytes } from '../../base/same-bytes.js';
import type { Bls, Crypto } from '../../crypto/crypto.js';
import { commitmentsOf, evaluationFor, randomPolynomial } from '../../crypto/dkg/polynomial.js';
import { encodeScalar, type RandomBytes } from '../../crypto/scalars/scalars.js';
import type { Genesis } from '../../generated/ledger.js';
import type { CeremonyBody, CeremonyConfiguration, CeremonyRecord } from '../../generated/mesh.js';
import { checkEvaluation } from '../../ledger/validators/check-evaluation.js';
import { quorumOf } from '../../ledger/validators/quorum.js';
import { type CeremonyFailure, failure } from './failure.js';
import { type OpenedMessage, type Session, signMessage } from './messages.js';
import { candidates, equivocatingDealer, findDissenter, qualifiedDealings, shareOf } from './outcome.js';
import { type Attested, ReceivedMessages } from './received-messages.js';
import { approvalMessage, ceremonyGenesis, transcriptHash } from './transcript.js';

/** The phases of an attempt, each with an external timeout. */
export type CeremonyPhase =
  /** Pause between attempts, so that a faulty participant cannot make the others spin. */
  | 'pause'
  /** Waits for commitments and evaluations. */
  | 'deal'
  /** Waits for all responses. */
  | 'respond'
  /** Waits for the disputed evaluations. */
  | 'reveal'
  /** Waits for all signatures of the transcript. */
  | 'approve';

export type AttemptEffect =
  /** To one participant, or broadcast. */
  | { readonly type: 'send'; readonly to: number | 'all'; readonly encoded: Uint8Array }
  | { readonly type: 'timer'; readonly attempt: number; readonly phase: CeremonyPhase }
  /** Synced before any later effect. Secret. */
  | { readonly type: 'persist'; readonly record: CeremonyRecord }
  | { readonly type: 'refuse'; readonly from: number; readonly reason: string }
  | { readonly type: 'failed'; readonly attempt: number; readonly failure: CeremonyFailure }
  /** All signatures, by index. */
  | { readonly type: 'signed'; readonly signatures: readonly Uint8Array[] };

/** A participant's dependencies. */
export interface CeremonyParts {
  readonly crypto: Pick<Crypto, 'sha256' | 'ed25519'>;
  readonly bls: Pick<Bls, 'publicKey' | 'isPublicKey'>;
  readonly random: RandomBytes;
  readonly sign: (message: Uint8Array) => Uint8Array;
  readonly configuration: CeremonyConfiguration;
  /** This participant's index in the configuration. */
  readonly index: number;
}

type Stage = 'gather' | Exclude<CeremonyPhase, 'pause'> | 'over';

/** One attempt from one participant's side; see `Ceremony` for the rules. */
export class CeremonyAttempt {
  readonly #parts: CeremonyParts;
  readonly #session: Session;
  readonly #size: number;
  /** Identity keys by participant. */
  readonly #keys: readonly Uint8Array[];
  readonly #received: ReceivedMessages;
  /** Evaluations dealt to this participant, by dealer; `fits` is set once checked against the commitments. */
  readonly #evaluations = new Map<number, { readonly share: Uint8Array; fits?: boolean }>();
  /** Broadcast messages in order; `#dealt` holds each participant's evaluation message. */
  readonly #sentMessages: Uint8Array[] = [];
  readonly #dealt = new Map<number, Uint8Array>();
  #polynomial: readonly bigint[] = [];
  #stage: Stage = 'gather';
  #paused = true;
  /** This participant's resulting genesis, from the approve stage on. */
  #genesis?: Genesis;
  #effects: AttemptEffect[] = [];

  constructor(parts: CeremonyParts, session: Session) {
    this.#parts = parts;
    this.#session = session;
    this.#keys = parts.configuration.validators.map(({ identity_key }) => identity_key);
    this.#size = this.#keys.length;
    this.#received = new ReceivedMessages({
      crypto: parts.crypto,
      bls: parts.bls,
      session,
      keys: this.#keys,
    });
  }

  get stage(): Stage {
    return this.#stage;
  }

  /** Participants that the attempt is waiting for, ascending. */
  get missing(): number[] {
    const waits: Readonly<Record<Stage, { has(participant: number): boolean } | undefined>> = {
      gather: this.#received.present,
      deal: this.#evaluations,
      respond: this.#received.responses,
      reveal: this.#received.reveals,
      approve: this.#received.approvals,
      over: undefined,
    };
    const there = waits[this.#stage];
    if (there === undefined) return [];
    const awaited = this.#stage === 'reveal' ? this.#complainedAbout() : this.#everybody();
    return awaited.filter((participant) => !there.has(participant));
  }

  /** @param blamed participants held responsible for the previous attempt's failure */
  begin(blamed: readonly number[]): AttemptEffect[] {
    this.#timer('pause');
    this.#broadcast({ type: 'hello', value: blamed });
    return this.#takeEffects();
  }

  onMessage(message: OpenedMessage): AttemptEffect[] {
    if (this.#stage === 'over') return [];
    const from = message.statement.participant;
    const received = this.#received.add(message);
    if (received.type === 'equivocation') {
      this.#fail(failure('equivocation', [from], `sent two different messages "${message.body.type}"`));
    }
    if (received.type === 'unfit') this.#effects.push({ type: 'refuse', from, reason: received.reason });
    if (message.body.type === 'evaluation') this.#keepEvaluation(from, message.body.value);
    this.#advance();
    return this.#takeEffects();
  }

  timeout(phase: CeremonyPhase): AttemptEffect[] {
    if (phase === 'pause') this.#paused = false;
    else if (phase !== this.#stage) return [];
    else if (phase === 'deal') this.#respond();
    else if (phase === 'reveal') this.#approve();
    else this.#fail(failure('silent', this.missing, `did not respond in time ("${phase}")`));
    this.#advance();
    return this.#takeEffects();
  }

  /** All messages sent so far, for a participant that may have missed them. */
  resend(to: number): AttemptEffect[] {
    const own = this.#dealt.get(to);
    return [...this.#sentMessages, ...(own === undefined ? [] : [own])].map((encoded) => ({
      type: 'send',
      to,
      encoded,
    }));
  }

  /** Advances through the stages as far as the received messages allow. */
  #advance(): void {
    if (this.#stage === 'gather' && !this.#paused && this.missing.length === 0) this.#deal();
    if (this.#stage === 'deal' && this.#hasAllDealt()) this.#respond();
    if (this.#stage === 'respond' && this.missing.length === 0) this.#compareResponses();
    if (this.#stage === 'reveal' && this.missing.length === 0) this.#approve();
    if (this.#stage === 'approve') this.#compareApprovals();
  }

  #deal(): void {
    const { bls, random, index } = this.#parts;
    this.#enter('deal');
    this.#polynomial = randomPolynomial(quorumOf(this.#size), random);
    this.#broadcast({ type: 'commitments', value: commitmentsOf(bls, this.#polynomial) });
    for (const player of this.#everybody()) {
      const share = encodeScalar(evaluationFor(this.#polynomial, player));
      if (player === index) {
        this.#evaluations.set(index, { share, fits: true });
        continue;
      }
      const { encoded } = this.#sign({ type: 'evaluation', value: share });
      this.#dealt.set(player, encoded);
      this.#effects.push({ type: 'send', to: player, encoded });
    }
  }

  /** Keeps an evaluation unless this participant has already responded: a complaint stands. */
  #keepEvaluation(from: number, share: Uint8Array): void {
    const early = this.#stage === 'gather' || this.#stage === 'deal';
    if (early && !this.#evaluations.has(from)) this.#evaluations.set(from, { share });
  }

  #hasAllDealt(): boolean {
    return this.#evaluations.size === this.#size && this.#received.commitments.size === this.#size;
  }

  #respond(): void {
    const { commitments } = this.#received;
    const seen = [...commitments.values()]
      .map(({ statement }) => statement)
      .sort((a, b) => a.participant - b.participant);
    const complaints = seen
      .map(({ participant }) => participant)
      .filter((dealer) => !this.#fits(dealer, commitments.get(dealer)?.value ?? []));
    this.#enter('respond');
    this.#broadcast({ type: 'response', value: { seen, complaints } });
  }

  #fits(dealer: number, commitments: readonly Uint8Array[]): boolean {
    const { bls, index } = this.#parts;
    const dealt = this.#evaluations.get(dealer);
    if (dealt === undefined) return false;
    dealt.fits ??= checkEvaluation(bls, { commitments, player: index, share: dealt.share }) === undefined;
    return dealt.fits;
  }

  #compareResponses(): void {
    const responses = this.#responses();
    const liar = equivocatingDealer(responses);
    if (liar !== undefined) {
      this.#fail(failure('equivocation', [liar], 'signed different commitments for different participants'));
      return;
    }
    this.#enter('reveal');
    const complaining = candidates(responses).get(this.#parts.index) ?? [];
    if (complaining.length === 0) return;
    const value = complaining.map((player) => ({
      player,
      share: encodeScalar(evaluationFor(this.#polynomial, player)),
    }));
    this.#broadcast({ type: 'reveals', value });
  }

  #approve(): void {
    const { crypto, bls, configuration, sign, index } = this.#parts;
    const commitments = values(this.#received.commitments);
    const dealings = qualifiedDealings(bls, this.#responses(), commitments, values(this.#received.reveals));
    const qualified = dealings.map(({ dealer }) => dealer);
    const genesis =
      dealings.length < quorumOf(this.#size) ? undefined : ceremonyGenesis(crypto, configuration, dealings);
    const dealt = new Map([...this.#evaluations].map(([dealer, evaluation]) => [dealer, evaluation.share]));
    const share = shareOf(dealings, index, dealt);
    if (genesis === undefined || share === undefined) {
      const others = this.#everybody().filter((dealer) => !qualified.includes(dealer));
      this.#fail(failure('too_few_dealers', others, 'their dealings do not qualify'));
      return;
    }
    this.#genesis = genesis;
    this.#enter('approve');
    const record = { attempt: this.#session.attempt, genesis, index, share };
    this.#effects.push({ type: 'persist', record });
    const transcript = transcriptHash(crypto, genesis);
    const signature = sign(approvalMessage(transcript));
    this.#broadcast({
      type: 'approval',
      value: { transcript, signature, qualified, responses: this.#statements() },
    });
  }

  #compareApprovals(): void {
    const { approvals } = this.#received;
    const own = approvals.get(this.#parts.index)?.value;
    if (own === undefined || this.#genesis === undefined) return;
    for (const [from, { value }] of approvals) {
      if (sameBytes(value.transcript, own.transcript)) continue;
      this.#fail(findDissenter(this.#parts.crypto, this.#session, this.#keys, from, { theirs: value, own }));
      return;
    }
    if (approvals.size < this.#size) return;
    const signatures = this.#everybody().map(
      (participant) => approvals.get(participant)?.value.signature ?? new Uint8Array(0),
    );
    this.#stage = 'over';
    this.#effects.push({ type: 'signed', signatures });
  }

  #responses() {
    return this.#everybody().flatMap((participant) => this.#received.responses.get(participant)?.value ?? []);
  }

  #statements() {
    return this.#everybody().flatMap(
      (participant) => this.#received.responses.get(participant)?.statement ?? [],
    );
  }

  /** Dealers that must reveal evaluations. */
  #complainedAbout(): number[] {
    return [...candidates(this.#responses())].flatMap(([dealer, complaining]) =>
      complaining.length > 0 ? [dealer] : [],
    );
  }

  #everybody(): number[] {
    return Array.from({ length: this.#size }, (_, participant) => participant);
  }

  #enter(stage: Exclude<CeremonyPhase, 'pause'>): void {
    this.#stage = stage;
    this.#timer(stage);
  }

  #timer(phase: CeremonyPhase): void {
    this.#effects.push({ type: 'timer', attempt: this.#session.attempt, phase });
  }

  /** Broadcasts a message and records it as received from itself. */
  #broadcast(body: CeremonyBody): void {
    const { encoded, statement } = this.#sign(body);
    this.#sentMessages.push(encoded);
    this.#effects.push({ type: 'send', to: 'all', encoded });
    this.#received.add({ attempt: this.#session.attempt, body, statement });
  }

  #sign(body: CeremonyBody) {
    const { crypto, sign, index } = this.#parts;
    return signMessage(crypto, sign, this.#session, index, body);
  }

  #fail(why: CeremonyFailure): void {
    if (this.#stage === 'over') return;
    this.#stage = 'over';
    this.#polynomial = [];
    this.#effects.push({ type: 'failed', attempt: this.#session.attempt, failure: why });
  }

  #takeEffects(): AttemptEffect[] {
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }
}

function values<T>(recorded: ReadonlyMap<number, Attested<T>>): Map<number, T> {
  return new Map([...recorded].map(([participant, { value }]) => [participant, value]));
}
