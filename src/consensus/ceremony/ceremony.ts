import { sameBytes } from '../../base/same-bytes.js';
import type { CeremonyFault, CeremonyRecord } from '../../generated/mesh.js';
import { toHex } from '../../idl/hex.js';
import type { BegunAttempt } from '../files/attempts-file.js';
import { type AttemptEffect, CeremonyAttempt, type CeremonyParts, type CeremonyPhase } from './attempt.js';
import { type Accusation, CeremonyMessages, type OpenedMessage } from './ceremony-messages.js';
import { checkConfiguration, configurationHash } from './configuration.js';
import { CeremonyEnding, type EndingEffect } from './ending.js';
import { type CeremonyFailure, type FaultCode, fault, foundFailure, reportedFailure } from './failure.js';

/** Bound of the hashes of known messages for each participant; an attempt has fewer kinds. */
const KNOWN_PER_PARTICIPANT = 16;

export type CeremonyEvent =
  /** Once, first. @property begun the last attempt begun before, if there was one */
  | { readonly type: 'start'; readonly begun: BegunAttempt | undefined }
  /** @property from the participant that sent it, perhaps another's message */
  | { readonly type: 'message'; readonly from: number; readonly encoded: Uint8Array }
  | { readonly type: 'timeout'; readonly attempt: number; readonly phase: CeremonyPhase }
  /** A participant has connected, perhaps again. */
  | { readonly type: 'connected'; readonly peer: number };

/** A participant's effects, in order; `begun`, `persist` and `forget` are synced before any later effect. */
export type CeremonyEffect =
  | Exclude<AttemptEffect, { readonly type: 'gathered' | 'signed' | 'failed' }>
  | Exclude<EndingEffect, { readonly type: 'blocked' }>
  /** An attempt has begun, or all have begun it and this participant is about to deal. */
  | { readonly type: 'begun'; readonly begun: BegunAttempt }
  /** An attempt has ended, or a participant has signed something that no honest one signs. */
  | { readonly type: 'failed'; readonly attempt: number; readonly failure: CeremonyFailure };

export interface CeremonyOptions extends CeremonyParts {
  readonly record?: CeremonyRecord;
}

interface EarlyHello {
  readonly from: number;
  readonly message: OpenedMessage;
  readonly reason: Accusation;
}

/**
 * Joint-Feldman key generation (Pedersen, Eurocrypt 1991) among participants with one configuration, from one
 * participant's side:
 *
 * 1. *Gather.* Each says hello; the hello of a later attempt holds the signed fault that ended the attempt before. An
 *    attempt goes on when all n hellos of it are there, and before that no fault ends it.
 * 2. *Deal.* Each broadcasts commitments to a random polynomial of degree q − 1, and sends each participant its
 *    evaluation. All n must deal.
 * 3. *Respond.* Each names the dealers with a missing or wrong evaluation: it asks for it in public.
 * 4. *Answer.* A dealer that was asked publishes the evaluations, each sealed to its player's encryption key.
 * 5. *Approve.* A player that got garbage publishes a complaint with its proof: the dealer or the player is at fault,
 *    and everybody can tell which. Otherwise it syncs its share in a record and signs the transcript: the resulting
 *    genesis.
 * 6. The ceremony ends by `EndRule` with the signatures of all n over one transcript.
 *
 * Everything but evaluations is signed and public: each participant relays the first copy that it gets, and two
 * different messages of one kind prove a fault. So a participant cannot look silent to some only, nor make others look
 * so. Any fault after the first step ends the attempt; the next begins from scratch.
 *
 * *Honest participants are never more than one attempt apart.* One that begins attempt a + 1 has the hellos of a from all
 * n, also after a restart, and gives them to those that are still in the first step of a. So a hello from further ahead
 * proves its sender's fault, a participant cannot move the others while one is absent, and each attempt that it
 * spoils takes as long as the pause at its start, at least.
 *
 * A ceremony needs its own process: with a hundred participants, its curve arithmetic blocks the calling thread for
 * seconds.
 */
export class Ceremony {
  readonly #options: CeremonyOptions;
  readonly #messages: CeremonyMessages;
  /** Hashes of messages that need not be verified again. */
  readonly #known = new Set<string>();
  /** Participants that signed a hello that no honest one signs. */
  readonly #named = new Set<number>();
  #begun: BegunAttempt = { attempt: 0, hasDealt: false, reason: new Uint8Array(0), gathered: [] };
  #current: CeremonyAttempt | undefined;
  /** The first hello of the next attempt of each participant, until this one begins it. */
  #early = new Map<number, EarlyHello>();
  /** The end of the last approved attempt, unless all have abandoned it. */
  #ending: CeremonyEnding | undefined;

  /** @throws ConfigurationError, GenesisError if the configuration is invalid */
  constructor(options: CeremonyOptions) {
    const { crypto, bls, configuration, record } = options;
    checkConfiguration(configuration, bls);
    this.#options = options;
    const keys = configuration.validators.map(({ identity_key }) => identity_key);
    this.#messages = new CeremonyMessages(crypto, configurationHash(crypto, configuration), keys);
    if (record !== undefined) this.#ending = new CeremonyEnding(options, this.#messages, record);
  }

  get state(): { readonly attempt: number; readonly stage: string; readonly waitsFor: readonly number[] } {
    const ending = this.#ending;
    if (ending?.isBound === true) {
      return { attempt: ending.attempt, stage: ending.stage, waitsFor: ending.missing };
    }
    const { stage = 'gather', missing = [] } = this.#current ?? {};
    return { attempt: this.#attempt, stage, waitsFor: missing };
  }

  /** The result of a ceremony that ended before a restart. */
  get result(): CeremonyEnding['result'] {
    return this.#ending?.result;
  }

  step(event: CeremonyEvent): CeremonyEffect[] {
    const effects = [...this.#handle(event), ...this.#joinNext()];
    return [...effects, ...this.#followEnd(this.#ending?.settle())];
  }

  get #attempt(): number {
    return this.#begun.attempt;
  }

  #handle(event: CeremonyEvent): CeremonyEffect[] {
    switch (event.type) {
      case 'start':
        return this.#start(event.begun);
      case 'message':
        return this.#message(event.from, event.encoded);
      case 'timeout':
        if (event.attempt !== this.#attempt) return [];
        return this.#follow(this.#current?.timeout(event.phase));
      case 'connected':
        return this.#resend(event.peer);
    }
  }

  #start(begun: BegunAttempt = this.#begun): CeremonyEffect[] {
    const approved = this.#ending?.attempt ?? 0;
    this.#begun = begun.attempt < approved ? { ...begun, attempt: approved, hasDealt: true } : begun;
    // A participant that is bound to an attempt begins no further one.
    if (this.#ending?.isBound === true) return [];
    const { attempt, hasDealt, reason } = this.#begun;
    if (attempt === 0) return this.#begin(1, new Uint8Array(0));
    // It has forgotten its polynomial, but a hello can be signed again.
    return hasDealt ? this.#accuse(fault('restarted', [])) : this.#begin(attempt, reason);
  }

  #resend(to: number): CeremonyEffect[] {
    // Others may lack hellos of the attempt before. After that, all messages are in the current one.
    const before = this.#current?.stage === 'gather' ? this.#begun.gathered : [];
    return [
      ...before.map((encoded): CeremonyEffect => ({ type: 'send', to, encoded })),
      ...this.#followEnd(this.#ending?.resend(to)),
      ...this.#follow(this.#current?.resend(to)),
    ];
  }

  #accuse(why: CeremonyFault): CeremonyEffect[] {
    const { sign, index } = this.#options;
    const body = { type: 'fault', value: why } as const;
    const { encoded } = this.#messages.sign(sign, this.#attempt, index, body);
    return this.#begin(this.#attempt + 1, encoded);
  }

  /** @param reason the message with the fault of the attempt before; empty for the first */
  #begin(attempt: number, reason: Uint8Array): CeremonyEffect[] {
    const { sign, index } = this.#options;
    this.#begun = { ...this.#begun, attempt, hasDealt: false, reason };
    this.#known.clear();
    const current = new CeremonyAttempt(this.#options, this.#messages, attempt);
    this.#current = current;
    const early = [...this.#early.values()].filter(({ message }) => message.attempt === attempt);
    this.#early = new Map();
    const body = { type: 'hello', value: reason } as const;
    const hello = { ...this.#messages.sign(sign, attempt, index, body), body };
    return [
      { type: 'begun', begun: this.#begun },
      ...this.#followEnd(this.#ending?.abandon(hello)),
      ...this.#follow(current.begin(hello)),
      ...early.flatMap(({ from, message }) => this.#follow(current.onMessage(from, message))),
    ];
  }

  #message(from: number, encoded: Uint8Array): CeremonyEffect[] {
    const { crypto, index } = this.#options;
    if (from === index || from >= this.#messages.size) {
      return [{ type: 'refuse', from, reason: 'not another participant' }];
    }
    const known = toHex(crypto.sha256(encoded));
    if (this.#known.has(known)) return [];
    const message = this.#messages.open(encoded);
    if (typeof message === 'string') return [{ type: 'refuse', from, reason: message }];
    const { sender, attempt, body } = message;
    if (sender === index) return this.#recover(message);
    if (body.type === 'fault') return [{ type: 'refuse', from, reason: 'a fault outside of a hello' }];
    const isHello = body.type === 'hello';
    const reason = isHello ? this.#messages.reasonOf(attempt, body.value) : undefined;
    if (typeof reason === 'string') return [{ type: 'refuse', from, reason: 'a hello without a fault' }];
    const breach = this.#breach(message);
    if (breach !== undefined) return this.#refuse(from, message, breach);
    if (body.type !== 'evaluation') this.#remember(known);
    const ended = this.#followEnd(this.#ending?.onMessage(from, message));
    if (this.#ending?.isBound === true || attempt < this.#attempt) return ended;
    if (attempt > this.#attempt) {
      if (reason !== undefined) this.#early.set(sender, { from, message, reason });
      return ended;
    }
    // The attempt relays its hellos itself.
    const others = isHello ? ended.filter(({ type }) => type !== 'relay') : ended;
    return [...others, ...this.#follow(this.#current?.onMessage(from, message))];
  }

  /** Why no honest participant signs a message; undefined if one may. */
  #breach({ sender, attempt, body, digest }: OpenedMessage): FaultCode | undefined {
    const next = this.#attempt + 1;
    if (attempt > next || (attempt === next && body.type !== 'hello')) return 'malformed';
    if (body.type !== 'hello') return undefined;
    const before =
      attempt === next ? this.#early.get(sender)?.message.digest : this.#current?.helloDigest(sender);
    const isOther = attempt >= this.#attempt && before !== undefined && !sameBytes(before, digest);
    return isOther ? 'equivocation' : undefined;
  }

  /** Names the sender of a wrong hello, once. It ends no attempt, or the number of attempts would be the sender's choice. */
  #refuse(from: number, { sender, attempt, body }: OpenedMessage, code: FaultCode): CeremonyEffect[] {
    const what = `a ${body.type} of attempt ${attempt}`;
    const detail =
      code === 'malformed' ? `${what} while this participant is in attempt ${this.#attempt}` : what;
    const effects: CeremonyEffect[] = [];
    if (body.type === 'hello' && !this.#named.has(sender)) {
      this.#named.add(sender);
      const failure = foundFailure(fault(code, [sender]), detail);
      effects.push({ type: 'failed', attempt: this.#attempt, failure });
    }
    if (from === sender) effects.push({ type: 'refuse', from, reason: detail });
    return effects;
  }

  /** Joins others in the next attempt, once all have begun this one. */
  #joinNext(): CeremonyEffect[] {
    const [first] = this.#early.values();
    if (first === undefined || this.#current === undefined || this.#current.stage === 'gather') return [];
    const { accuser, fault: why, encoded } = first.reason;
    return [
      { type: 'failed', attempt: this.#attempt, failure: reportedFailure(accuser, why) },
      ...this.#begin(this.#attempt + 1, encoded),
    ];
  }

  /** Handles an own message from another: one of a later attempt shows that this participant's files were lost. */
  #recover({ attempt, body }: OpenedMessage): CeremonyEffect[] {
    if (body.type !== 'hello' || attempt <= this.#attempt || this.#ending?.isBound === true) return [];
    this.#begun = { ...this.#begun, attempt, gathered: [] };
    const why = fault('restarted', [this.#options.index]);
    const failure = foundFailure(why, 'and its files of the ceremony were lost');
    return [{ type: 'failed', attempt, failure }, ...this.#accuse(fault('restarted', []))];
  }

  #remember(known: string): void {
    if (this.#known.size >= KNOWN_PER_PARTICIPANT * this.#messages.size) this.#known.clear();
    this.#known.add(known);
  }

  /** Handles the effects of an attempt: with all signatures it is complete, and a failure begins the next. */
  #follow(effects: readonly AttemptEffect[] = []): CeremonyEffect[] {
    return effects.flatMap((effect): CeremonyEffect[] => {
      switch (effect.type) {
        case 'gathered':
          this.#begun = { ...this.#begun, hasDealt: true, gathered: effect.hellos };
          return [{ type: 'begun', begun: this.#begun }];
        case 'forget':
          if (this.#ending === undefined) return [];
          this.#ending = undefined;
          return [effect];
        case 'persist':
          this.#ending = new CeremonyEnding(this.#options, this.#messages, effect.record);
          return [effect];
        case 'signed':
          return this.#followEnd(this.#ending?.complete(effect.signatures));
        case 'failed': {
          const failed: CeremonyEffect = { type: 'failed', attempt: this.#attempt, failure: effect.failure };
          return [failed, ...this.#accuse(effect.fault)];
        }
        default:
          return [effect];
      }
    });
  }

  #followEnd(effects: readonly EndingEffect[] = []): CeremonyEffect[] {
    if (this.#ending?.isBound === true) this.#current = undefined;
    return effects.map((effect): CeremonyEffect => {
      if (effect.type !== 'blocked') return effect;
      return { type: 'failed', attempt: this.#ending?.attempt ?? this.#attempt, failure: effect.failure };
    });
  }
}
