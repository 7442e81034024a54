import { sameBytes } from '../../base/same-bytes.js';
import type { Genesis } from '../../generated/ledger.js';
import type { CeremonyBody, CeremonyEnd, CeremonyRecord } from '../../generated/mesh.js';
import { toHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import type { AttemptEffect, CeremonyParts } from './attempt.js';
import { bodyDigest, type CeremonyMessages, type OpenedMessage } from './ceremony-messages.js';
import { checkApprovals } from './check-ceremony.js';
import { EndRule } from './end-rule.js';
import { type CeremonyFailure, fault, foundFailure } from './failure.js';

export type EndingEffect =
  | Extract<AttemptEffect, { readonly type: 'send' | 'relay' | 'persist' | 'refuse' }>
  /** The ceremony cannot end while this participant is in it. */
  | { readonly type: 'blocked'; readonly failure: CeremonyFailure }
  /** Success: the genesis with all signatures, and this participant's secret 32-byte share. */
  | { readonly type: 'finished'; readonly genesis: Genesis; readonly share: Uint8Array };

/** The end of an attempt that this participant approved, by {@link EndRule}. */
export class CeremonyEnding {
  readonly #parts: CeremonyParts;
  readonly #messages: CeremonyMessages;
  readonly #rule: EndRule;
  /** Messages to give to others, by kind and sender. */
  readonly #kept = new Map<string, Uint8Array>();
  /** The signatures of each genesis that somebody voted for, by its hash in hex. */
  readonly #signatures = new Map<string, readonly Uint8Array[]>();
  /** The signatures of the messages `confirmation`, by participant. */
  readonly #confirmations = new Map<number, Uint8Array>();
  readonly #done = new Set<number>();
  readonly #named = new Set<number>();
  #record: CeremonyRecord;
  #finished: OpenedMessage | undefined;
  #effects: EndingEffect[] = [];

  /** @param record as persisted; a vote in it is taken up again */
  constructor(parts: CeremonyParts, messages: CeremonyMessages, record: CeremonyRecord) {
    this.#parts = parts;
    this.#messages = messages;
    this.#record = record;
    this.#rule = new EndRule(messages.size, parts.index);
    this.#restore();
  }

  get attempt(): number {
    return this.#record.attempt;
  }

  /** True if this participant may take part in no other attempt. */
  get isBound(): boolean {
    const vote = this.#rule.ownVote;
    return this.#rule.confirmed !== undefined || (vote !== undefined && vote !== 'abandoned');
  }

  get stage(): 'complete' | 'confirm' | 'finished' {
    if (this.#finished !== undefined) return 'finished';
    return this.#rule.confirmed === undefined ? 'complete' : 'confirm';
  }

  /** Participants that the end is waiting for, ascending. */
  get missing(): number[] {
    switch (this.stage) {
      case 'complete':
        return this.#rule.missingVotes;
      case 'confirm':
        return this.#rule.missingConfirmations;
      default:
        return [...this.#parts.configuration.validators.keys()].filter((peer) => !this.#done.has(peer));
    }
  }

  complete(signatures: readonly Uint8Array[]): EndingEffect[] {
    this.#voteComplete(signatures);
    return this.#takeEffects();
  }

  /** This participant begins a later attempt with this hello, which is yet to be sent. */
  abandon(hello: OpenedMessage): EndingEffect[] {
    if (this.#rule.ownVote === undefined) {
      this.#persist({ vote: hello.encoded });
      this.#vote(hello, 'abandoned');
    }
    return this.#takeEffects();
  }

  /** @param from the participant that the message came from: its sender, or a relay */
  onMessage(from: number, message: OpenedMessage): EndingEffect[] {
    const { sender, attempt, body, encoded } = message;
    const relay = (isNew: boolean) => {
      if (isNew) this.#effects.push({ type: 'relay', except: [sender, from], encoded });
    };
    if (body.type === 'hello' && attempt > this.#record.attempt) relay(this.#vote(message, 'abandoned'));
    if (attempt === this.#record.attempt) {
      if (body.type === 'complete') relay(this.#takeVote(from, message, body.value));
      if (body.type === 'confirmation') relay(this.#takeConfirmation(message, body.value));
      if (body.type === 'finished') this.#takeEnd(from, message, body.value);
    }
    return this.#takeEffects();
  }

  /** Confirms as soon as all votes are there, and ends as soon as all confirmations are. */
  settle(): EndingEffect[] {
    const { outcome, confirmed } = this.#rule;
    if (confirmed === undefined && outcome !== undefined && outcome !== 'abandoned') {
      this.#confirm(outcome.genesis);
    }
    const { ended } = this.#rule;
    if (ended !== undefined && this.#finished === undefined) {
      const confirmations = [...this.#parts.configuration.validators.keys()].map(
        (participant) => this.#confirmations.get(participant) ?? new Uint8Array(64),
      );
      this.#finish({ signatures: this.#signatures.get(ended) ?? [], confirmations });
    }
    return this.#takeEffects();
  }

  resend(to: number): EndingEffect[] {
    const all = this.#finished === undefined ? [...this.#kept.values()] : [this.#finished.encoded];
    return all.map((encoded) => ({ type: 'send', to, encoded }));
  }

  /** The result of a ceremony that had ended before a restart. */
  get result(): Extract<EndingEffect, { readonly type: 'finished' }> | undefined {
    if (this.#finished === undefined) return undefined;
    const { confirmed, share } = this.#record;
    return { type: 'finished', genesis: this.#signedGenesis(confirmed), share };
  }

  #restore(): void {
    const { vote, confirmed, confirmations } = this.#record;
    const opened = vote.length === 0 ? undefined : this.#messages.open(vote);
    if (opened !== undefined && typeof opened !== 'string') {
      const { body } = opened;
      if (body.type === 'complete') this.#vote(opened, this.#remember(body.value));
      else this.#vote(opened, 'abandoned');
    }
    if (confirmed.length > 0) this.#sendConfirmation(this.#remember(confirmed).genesis);
    if (confirmations.length > 0) this.#keepEnd({ signatures: confirmed, confirmations });
    this.#effects = [];
  }

  /** Keeps the signatures of a genesis. @returns the vote for it */
  #remember(signatures: readonly Uint8Array[]): { readonly genesis: string } {
    const genesis = toHex(this.#hash(signatures));
    this.#signatures.set(genesis, signatures);
    return { genesis };
  }

  #voteComplete(signatures: readonly Uint8Array[]): void {
    const message = this.#sign({ type: 'complete', value: signatures });
    this.#persist({ vote: message.encoded });
    this.#vote(message, this.#remember(signatures));
    this.#effects.push({ type: 'send', to: 'all', encoded: message.encoded });
  }

  /** @returns false if the vote is known */
  #vote({ sender, encoded }: OpenedMessage, vote: Parameters<EndRule['vote']>[1]): boolean {
    const agrees = this.#rule.vote(sender, vote);
    if (!agrees) this.#name(sender, 'votes on an attempt');
    return this.#keep(agrees ? 'vote' : 'other vote', sender, encoded);
  }

  /** Keeps one message of a kind and sender. @returns false if there is one already */
  #keep(kind: string, sender: number, encoded: Uint8Array): boolean {
    const key = `${kind} ${sender}`;
    if (this.#kept.has(key)) return false;
    this.#kept.set(key, encoded);
    return true;
  }

  #takeVote(from: number, message: OpenedMessage, signatures: readonly Uint8Array[]): boolean {
    const wrong = checkApprovals(this.#parts, this.#record.genesis, signatures);
    if (wrong !== undefined) {
      this.#effects.push({ type: 'refuse', from, reason: wrong.message });
      return false;
    }
    const isNew = this.#vote(message, this.#remember(signatures));
    if (this.#rule.ownVote === undefined) this.#voteComplete(signatures);
    return isNew;
  }

  #takeConfirmation({ sender, signature, encoded }: OpenedMessage, genesis: Uint8Array): boolean {
    const agrees = this.#rule.confirm(sender, toHex(genesis));
    if (!agrees) {
      this.#name(sender, 'confirmations');
      return this.#keep('other confirmation', sender, encoded);
    }
    this.#confirmations.set(sender, signature);
    return this.#keep('confirmation', sender, encoded);
  }

  /** Takes all confirmations of a genesis at once. Everybody's are among them, so this participant has confirmed it. */
  #takeEnd(from: number, { sender, digest }: OpenedMessage, end: CeremonyEnd): void {
    const isKnown = sameBytes(this.#finished?.digest, digest);
    const wrong = isKnown
      ? undefined
      : (checkApprovals(this.#parts, this.#record.genesis, end.signatures)?.message ??
        this.#confirmationsProblem(end));
    if (wrong !== undefined) {
      this.#effects.push({ type: 'refuse', from, reason: wrong });
      return;
    }
    this.#done.add(sender);
    if (this.#finished === undefined) this.#finish(end);
  }

  #confirmationsProblem({ signatures, confirmations }: CeremonyEnd): string | undefined {
    const { crypto } = this.#parts;
    const { attempt } = this.#record;
    if (confirmations.length !== this.#messages.size) return 'an end without all confirmations';
    const digest = bodyDigest(crypto, { type: 'confirmation', value: this.#hash(signatures) });
    const isConfirmed = confirmations.every((signature, participant) =>
      this.#messages.isSigned(attempt, participant, 'confirmation', digest, signature),
    );
    return isConfirmed ? undefined : 'an end with an invalid confirmation';
  }

  #confirm(genesis: string): void {
    this.#persist({ confirmed: this.#signatures.get(genesis) ?? [] });
    this.#sendConfirmation(genesis);
  }

  #sendConfirmation(genesis: string): void {
    const { index } = this.#parts;
    const value = this.#hash(this.#signatures.get(genesis) ?? []);
    const message = this.#sign({ type: 'confirmation', value });
    this.#rule.confirm(index, genesis);
    this.#confirmations.set(index, message.signature);
    this.#keep('confirmation', index, message.encoded);
    this.#effects.push({ type: 'send', to: 'all', encoded: message.encoded });
  }

  #finish(end: CeremonyEnd): void {
    this.#persist({ confirmed: end.signatures, confirmations: end.confirmations });
    const { encoded } = this.#keepEnd(end);
    const genesis = this.#signedGenesis(end.signatures);
    this.#effects.push({ type: 'finished', genesis, share: this.#record.share });
    this.#effects.push({ type: 'send', to: 'all', encoded });
  }

  #keepEnd(end: CeremonyEnd): OpenedMessage {
    this.#finished = this.#sign({ type: 'finished', value: end });
    this.#done.add(this.#parts.index);
    return this.#finished;
  }

  #sign(body: CeremonyBody): OpenedMessage {
    const { sign, index } = this.#parts;
    return this.#messages.sign(sign, this.#record.attempt, index, body);
  }

  #persist(changed: Partial<CeremonyRecord>): void {
    this.#record = { ...this.#record, ...changed };
    this.#effects.push({ type: 'persist', record: this.#record });
  }

  /** Reports a participant that signed two different messages about the end, once. */
  #name(participant: number, detail: string): void {
    if (this.#named.has(participant)) return;
    this.#named.add(participant);
    const failure = foundFailure(fault('equivocation', [participant]), detail);
    this.#effects.push({ type: 'blocked', failure });
  }

  #signedGenesis(signatures: readonly Uint8Array[]): Genesis {
    const { genesis } = this.#record;
    const { dealings = [] } = genesis.ceremony ?? {};
    return { ...genesis, ceremony: { dealings, signatures } };
  }

  /** sha256(borsh(Genesis)) of the genesis with these signatures, 32 bytes. */
  #hash(signatures: readonly Uint8Array[]): Uint8Array {
    return this.#parts.crypto.sha256(ledger.Genesis.encode(this.#signedGenesis(signatures)));
  }

  #takeEffects(): EndingEffect[] {
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }
}
