import { sameBytes } from '../../base/same-bytes.js';
import type { BlsKeyCheck, BlsKeys, Crypto } from '../../crypto/crypto.js';
import { decodeChecked } from '../../crypto/dkg/commitments.js';
import { matchesCommitments, proveDecryption } from '../../crypto/dkg/complaint.js';
import { commitmentsOf, evaluationFor, randomPolynomial } from '../../crypto/dkg/polynomial.js';
import { sealEvaluation, sharedPoint, unmaskEvaluation } from '../../crypto/dkg/sealed-share.js';
import { decodeEvaluation, encodeScalar, type RandomBytes } from '../../crypto/scalars/scalars.js';
import type { Complaint, SealedShare } from '../../generated/ledger.js';
import type {
  CeremonyBody,
  CeremonyConfiguration,
  CeremonyFault,
  CeremonyRecord,
} from '../../generated/mesh.js';
import { quorumOf } from '../../ledger/validators/quorum.js';
import type { CeremonyMessages, OpenedMessage } from './ceremony-messages.js';
import { type CeremonyFailure, fault, foundFailure } from './failure.js';
import { askedDealers, ceremonyContext, judgeComplaint, shareOf, withoutKey } from './outcome.js';
import { PUBLIC_KINDS, type PublicKind, ReceivedMessages } from './received-messages.js';
import { approvalMessage, ceremonyGenesis, transcriptHash } from './transcript.js';

/** The phases of an attempt, each with an external timeout. */
export type CeremonyPhase =
  /** Pause between attempts, so that a faulty participant cannot make the others spin. */
  | 'pause'
  | 'deal'
  /** Waits for all responses; longer than `deal`, because others may only respond when that is over. */
  | 'respond'
  /** Waits for the sealed shares of the dealers that were asked. */
  | 'answer'
  /** Waits for all signatures of the transcript. */
  | 'approve';

export type AttemptEffect =
  /** To one participant, or to all others. */
  | { readonly type: 'send'; readonly to: number | 'all'; readonly encoded: Uint8Array }
  /** Another participant's message, to all others except its sender and the one that it came from. */
  | { readonly type: 'relay'; readonly except: readonly number[]; readonly encoded: Uint8Array }
  | { readonly type: 'timer'; readonly attempt: number; readonly phase: CeremonyPhase }
  /** All participants have begun the attempt. @property hellos their messages */
  | { readonly type: 'gathered'; readonly hellos: readonly Uint8Array[] }
  /** Erase the records of earlier attempts, synced before any later effect. */
  | { readonly type: 'forget' }
  /** Synced before any later effect. Secret. */
  | { readonly type: 'persist'; readonly record: CeremonyRecord }
  /** A participant sent what no honest one sends. */
  | { readonly type: 'refuse'; readonly from: number; readonly reason: string }
  | { readonly type: 'failed'; readonly fault: CeremonyFault; readonly failure: CeremonyFailure }
  /** All signatures, by index. */
  | { readonly type: 'signed'; readonly signatures: readonly Uint8Array[] };

export interface CeremonyParts {
  readonly crypto: Pick<Crypto, 'sha256' | 'ed25519'>;
  readonly bls: BlsKeys & BlsKeyCheck;
  readonly random: RandomBytes;
  readonly sign: (message: Uint8Array) => Uint8Array;
  readonly configuration: CeremonyConfiguration;
  /** This participant's index in the configuration. */
  readonly index: number;
  /** The private half of this participant's encryption key in the configuration, 32 bytes. Secret. */
  readonly encryptionKey: Uint8Array;
}

type Stage = 'gather' | Exclude<CeremonyPhase, 'pause'> | 'over';

/** One attempt from one participant's side; see `Ceremony` for the rules. */
export class CeremonyAttempt {
  readonly #parts: CeremonyParts;
  readonly #messages: CeremonyMessages;
  readonly #attempt: number;
  readonly #received: ReceivedMessages;
  /** Evaluations dealt to this participant, by dealer; `fits` is set once checked against the commitments. */
  readonly #evaluations = new Map<number, { readonly share: Uint8Array; fits?: boolean }>();
  readonly #dealt = new Map<number, Uint8Array>();
  #polynomial: readonly bigint[] = [];
  #stage: Stage = 'gather';
  #paused = true;
  /** Evidence of a fault, the first that came. */
  #wrong?: { readonly fault: CeremonyFault; readonly detail: string };
  #transcript?: Uint8Array;
  #effects: AttemptEffect[] = [];

  constructor(parts: CeremonyParts, messages: CeremonyMessages, attempt: number) {
    this.#parts = parts;
    this.#messages = messages;
    this.#attempt = attempt;
    this.#received = new ReceivedMessages(parts);
  }

  get stage(): Stage {
    return this.#stage;
  }

  /** Participants that the attempt is waiting for, ascending. */
  get missing(): number[] {
    switch (this.#stage) {
      case 'gather':
        return this.#without('hello');
      case 'deal':
        return this.#everybody().filter(
          (dealer) => !this.#received.has('commitments', dealer) || !this.#evaluations.has(dealer),
        );
      case 'respond':
        return this.#without('response');
      case 'answer':
        return [...this.#asked().keys()].filter((dealer) => !this.#received.has('sealed', dealer));
      case 'approve':
        return this.#without('approval');
      default:
        return [];
    }
  }

  /** sha256(borsh(body)) of a participant's hello, if it is there. */
  helloDigest(participant: number): Uint8Array | undefined {
    return this.#received.digest('hello', participant);
  }

  begin(hello: OpenedMessage & { readonly body: { readonly type: 'hello' } }): AttemptEffect[] {
    this.#timer('pause');
    this.#effects.push({ type: 'send', to: 'all', encoded: hello.encoded });
    this.#received.add(hello);
    return this.#takeEffects();
  }

  /** @param from the participant that the message came from: its sender, or a relay */
  onMessage(from: number, message: OpenedMessage): AttemptEffect[] {
    if (this.#stage === 'over') return [];
    const { sender, body } = message;
    if (body.type === 'evaluation') {
      if (from === sender) this.#keepEvaluation(sender, body.value);
      else this.#effects.push({ type: 'refuse', from, reason: "another participant's evaluation" });
    } else if (isPublic(body)) {
      this.#take(from, { ...message, body });
    }
    this.#advance();
    return this.#takeEffects();
  }

  timeout(phase: CeremonyPhase): AttemptEffect[] {
    if (phase === 'pause') this.#paused = false;
    else if (phase !== this.#stage) return [];
    else if (phase === 'deal' && this.#received.isComplete('commitments')) this.#respond();
    else {
      const missing = phase === 'deal' ? this.#without('commitments') : this.missing;
      this.#fail(fault('silent', missing), phase);
    }
    this.#advance();
    return this.#takeEffects();
  }

  resend(to: number): AttemptEffect[] {
    const own = this.#dealt.get(to);
    const all = [...this.#received.all(), ...(own === undefined ? [] : [own])];
    return all.map((encoded) => ({ type: 'send', to, encoded }));
  }

  #take(from: number, message: OpenedMessage & { readonly body: { readonly type: PublicKind } }): void {
    const { sender, encoded } = message;
    // After a fault the attempt ends once all have begun it, so only hellos still count.
    if (this.#wrong !== undefined && message.body.type !== 'hello') return;
    const received = this.#received.add(message);
    if (received.type === 'known') return;
    // Evidence is relayed before this participant ends the attempt, so that others see it themselves.
    this.#effects.push({ type: 'relay', except: [sender, from], encoded });
    if (received.type === 'new') return;
    const detail = received.type === 'malformed' ? received.reason : message.body.type;
    this.#wrong = { fault: fault(received.type, [sender]), detail };
  }

  #advance(): void {
    if (this.#stage === 'gather' && !this.#paused && this.missing.length === 0) this.#deal();
    // A fault that shows before all have begun the attempt ends it after that.
    const wrong = this.#stage === 'gather' ? undefined : this.#wrong;
    if (wrong !== undefined) this.#fail(wrong.fault, wrong.detail);
    if (this.#stage === 'deal' && this.missing.length === 0) this.#respond();
    if (this.#stage === 'respond' && this.missing.length === 0) this.#answer();
    if (this.#stage === 'answer' && this.missing.length === 0) this.#conclude();
    if (this.#stage === 'approve') this.#compareApprovals();
  }

  #deal(): void {
    const { bls, random, index } = this.#parts;
    this.#effects.push({ type: 'gathered', hellos: this.#received.allOf('hello') }, { type: 'forget' });
    this.#enter('deal');
    this.#polynomial = randomPolynomial(quorumOf(this.#messages.size), random);
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

  /** Keeps an evaluation unless this participant has already asked for it in public. */
  #keepEvaluation(from: number, share: Uint8Array): void {
    const early = this.#stage === 'gather' || this.#stage === 'deal';
    if (early && !this.#evaluations.has(from)) this.#evaluations.set(from, { share });
  }

  #respond(): void {
    const commitments = this.#received.of('commitments');
    const asked = this.#everybody().filter((dealer) => !this.#fits(dealer, commitments.get(dealer) ?? []));
    this.#enter('respond');
    this.#broadcast({ type: 'response', value: asked });
  }

  #fits(dealer: number, commitments: readonly Uint8Array[]): boolean {
    const { bls, index } = this.#parts;
    const dealt = this.#evaluations.get(dealer);
    if (dealt === undefined) return false;
    const value = decodeEvaluation(dealt.share);
    dealt.fits ??= value !== undefined && matchesCommitments(bls, decodeChecked(commitments), index, value);
    return dealt.fits;
  }

  #answer(): void {
    const asked = this.#asked();
    this.#enter('answer');
    const players = asked.get(this.#parts.index);
    if (players !== undefined) {
      this.#broadcast({ type: 'sealed', value: players.map((player) => this.#seal(player)) });
    }
  }

  #seal(player: number): SealedShare {
    const { configuration, index } = this.#parts;
    const key = configuration.validators[player]?.encryption_key ?? new Uint8Array(0);
    const context = ceremonyContext(configuration, index, player);
    return { player, ...sealEvaluation(this.#parts, context, key, evaluationFor(this.#polynomial, player)) };
  }

  /** All public messages but approvals are there: complains or approves. */
  #conclude(): void {
    const asked = this.#asked();
    const sealed = this.#received.of('sealed');
    for (const [dealer, shares] of sealed) {
      if (shares.map(({ player }) => player).join() !== (asked.get(dealer) ?? []).join()) {
        this.#fail(fault('malformed', [dealer]), 'sealed shares of other players than asked');
        return;
      }
    }
    this.#enter('approve');
    const complaint = this.#openSealed(sealed);
    if (complaint !== undefined) this.#broadcast({ type: 'complaint', value: complaint });
    if (!this.#judge()) this.#approve();
  }

  /** Decrypts the evaluations that this participant asked for. @returns a complaint about the first that is wrong */
  #openSealed(sealed: ReadonlyMap<number, readonly SealedShare[]>): Complaint | undefined {
    const { crypto, bls, configuration, index, encryptionKey } = this.#parts;
    const secret = decodeEvaluation(encryptionKey) ?? 0n;
    for (const [dealer, shares] of sealed) {
      const own = shares.find(({ player }) => player === index);
      if (own === undefined) continue;
      const context = ceremonyContext(configuration, dealer, index);
      const value = unmaskEvaluation(crypto, context, own, sharedPoint(own.ephemeral, secret));
      const points = decodeChecked(this.#received.of('commitments').get(dealer) ?? []);
      if (value === undefined || !matchesCommitments(bls, points, index, value)) {
        const proof = proveDecryption(this.#parts, context, secret, own.ephemeral);
        return { epoch: 0n, dealer, player: index, ...proof };
      }
      this.#evaluations.set(dealer, { share: encodeScalar(value), fits: true });
    }
    return undefined;
  }

  /** Ends the attempt if there is a complaint: the dealer or the player is at fault. */
  #judge(): boolean {
    for (const [player, complaint] of this.#received.of('complaint')) {
      const commitments = this.#received.of('commitments').get(complaint.dealer) ?? [];
      const shares = this.#received.of('sealed').get(complaint.dealer) ?? [];
      const sealed = shares.find((share) => share.player === player);
      this.#fail(judgeComplaint(this.#parts, complaint, commitments, sealed));
      return true;
    }
    return false;
  }

  #approve(): void {
    const { crypto, configuration, sign, index } = this.#parts;
    const commitments = [...this.#received.of('commitments').values()];
    const genesis = ceremonyGenesis(crypto, configuration, commitments);
    const share = shareOf([...this.#evaluations.values()].map((evaluation) => evaluation.share));
    if (genesis === undefined || share === undefined) {
      this.#fail(fault('no_key', withoutKey(commitments)));
      return;
    }
    const unbound = { vote: new Uint8Array(0), confirmed: [], confirmations: [] };
    const record = { attempt: this.#attempt, genesis, index, share, ...unbound };
    this.#effects.push({ type: 'persist', record });
    const transcript = transcriptHash(crypto, genesis);
    this.#transcript = transcript;
    const signature = sign(approvalMessage(transcript));
    const value = { transcript, signature, commitments: this.#digests() };
    this.#broadcast({ type: 'approval', value });
  }

  #compareApprovals(): void {
    if (this.#judge()) return;
    const approvals = this.#received.of('approval');
    const own = this.#transcript;
    if (own === undefined) return;
    const digests = this.#digests();
    for (const [from, { transcript, commitments }] of approvals) {
      if (sameBytes(transcript, own)) continue;
      // The same commitments make the same transcript; of different ones, a dealer may have signed both.
      const isSame = (dealer: number) => sameBytes(digests[dealer], commitments[dealer]);
      const differing = this.#everybody().filter((dealer) => !isSame(dealer));
      this.#fail(fault('dissent', [from, ...differing]));
      return;
    }
    if (!this.#received.isComplete('approval')) return;
    this.#stage = 'over';
    const signatures = [...approvals.values()].map(({ signature }) => signature);
    this.#effects.push({ type: 'signed', signatures });
  }

  #digests(): Uint8Array[] {
    const digest = (dealer: number) => this.#received.digest('commitments', dealer) ?? new Uint8Array(32);
    return this.#everybody().map(digest);
  }

  #asked(): Map<number, readonly number[]> {
    return askedDealers(this.#received.of('response'));
  }

  #without(kind: PublicKind): number[] {
    return this.#everybody().filter((participant) => !this.#received.has(kind, participant));
  }

  #everybody(): number[] {
    return [...this.#parts.configuration.validators.keys()];
  }

  #enter(stage: Exclude<CeremonyPhase, 'pause'>): void {
    this.#stage = stage;
    this.#timer(stage);
  }

  #timer(phase: CeremonyPhase): void {
    this.#effects.push({ type: 'timer', attempt: this.#attempt, phase });
  }

  /** Sends a message to all, and records it as received from itself. */
  #broadcast(body: CeremonyBody & { readonly type: PublicKind }): void {
    const message = this.#sign(body);
    this.#effects.push({ type: 'send', to: 'all', encoded: message.encoded });
    this.#received.add({ ...message, body });
  }

  #sign(body: CeremonyBody): OpenedMessage {
    const { sign, index } = this.#parts;
    return this.#messages.sign(sign, this.#attempt, index, body);
  }

  #fail(why: CeremonyFault, detail?: string): void {
    if (this.#stage === 'over') return;
    this.#stage = 'over';
    this.#polynomial = [];
    this.#effects.push({ type: 'failed', fault: why, failure: foundFailure(why, detail) });
  }

  #takeEffects(): AttemptEffect[] {
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }
}

function isPublic(body: CeremonyBody): body is CeremonyBody & { readonly type: PublicKind } {
  return (PUBLIC_KINDS as readonly string[]).includes(body.type);
}
