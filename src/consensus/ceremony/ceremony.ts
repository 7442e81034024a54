import type { CeremonyFault, CeremonyRecord } from '../../generated/mesh.js';
import { toHex } from '../../idl/hex.js';
import { type AttemptEffect, CeremonyAttempt, type CeremonyParts, type CeremonyPhase } from './attempt.js';
import { checkConfiguration, configurationHash } from './configuration.js';
import { CeremonyEnding, type EndingEffect } from './ending.js';
import { type CeremonyFailure, fault, reportedFailure } from './failure.js';
import { CeremonyMessages, type OpenedMessage } from './messages.js';

/** Maximum lead of a message's attempt over the current one, so that a participant cannot exhaust the numbers. */
const MAX_AHEAD = 1_000;
/** Upper bound of attempt numbers, half the range of their u32 field. */
const MAX_ATTEMPT = 2 ** 31;
/** Bound of the hashes of known messages for each participant; an attempt has fewer kinds. */
const KNOWN_PER_PARTICIPANT = 16;

/** Inputs to a participant. */
export type CeremonyEvent =
  /** Once, first. @property begun number of the last attempt begun before, 0 if there was none */
  | { readonly type: 'start'; readonly begun: number }
  /** @property from the participant that sent it, perhaps another's message */
  | { readonly type: 'message'; readonly from: number; readonly encoded: Uint8Array }
  | { readonly type: 'timeout'; readonly attempt: number; readonly phase: CeremonyPhase }
  /** A participant has connected, perhaps again. */
  | { readonly type: 'connected'; readonly peer: number };

/** A participant's effects, in order; `begun`, `persist` and `forget` are synced before any later effect. */
export type CeremonyEffect =
  | Exclude<AttemptEffect, { readonly type: 'signed' | 'failed' }>
  | Exclude<EndingEffect, { readonly type: 'blocked' }>
  /** An attempt has begun and its number is used up. */
  | { readonly type: 'begun'; readonly attempt: number }
  /** An attempt has ended, or is blocked by a participant that contradicts itself. */
  | { readonly type: 'failed'; readonly attempt: number; readonly failure: CeremonyFailure };

export interface CeremonyOptions extends CeremonyParts {
  /** The last persisted record, if any. */
  readonly record?: CeremonyRecord;
}

/**
 * Joint-Feldman key generation (Pedersen, Eurocrypt 1991) among participants with one configuration, from one
 * participant's side:
 *
 * 1. *Gather.* An attempt begins when all participants are present. The hello of a later attempt holds the signed fault
 *    that ended the attempt before.
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
 * so. Any fault ends the attempt; the next begins from scratch.
 *
 * A ceremony needs its own process: with a hundred participants, its curve arithmetic blocks the calling thread for
 * seconds.
 */
export class Ceremony {
  readonly #options: CeremonyOptions;
  readonly #messages: CeremonyMessages;
  /** Hashes of messages that need not be verified again. */
  readonly #known = new Set<string>();
  #attempt = 0;
  #current: CeremonyAttempt | undefined;
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

  /** The participant's progress, and the participants it waits for. */
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
    switch (event.type) {
      case 'start':
        return [...this.#start(event.begun), ...this.#settle()];
      case 'message':
        return [...this.#message(event.from, event.encoded), ...this.#settle()];
      case 'timeout':
        if (event.attempt !== this.#attempt) return [];
        return [...this.#follow(this.#current?.timeout(event.phase)), ...this.#settle()];
      case 'connected':
        return [
          ...this.#followEnd(this.#ending?.resend(event.peer)),
          ...this.#follow(this.#current?.resend(event.peer)),
        ];
    }
  }

  #start(begun: number): CeremonyEffect[] {
    this.#attempt = Math.max(begun, this.#ending?.attempt ?? 0);
    // A participant that is bound to an attempt begins no further one.
    if (this.#ending?.isBound === true) return [];
    return this.#attempt === 0 ? this.#begin(1, new Uint8Array(0)) : this.#accuse(fault('restarted', []));
  }

  /** Begins the next attempt because of a fault of this one. */
  #accuse(why: CeremonyFault): CeremonyEffect[] {
    const { sign, index } = this.#options;
    const body = { type: 'fault', value: why } as const;
    const { encoded } = this.#messages.sign(sign, this.#attempt, index, body);
    return this.#begin(this.#attempt + 1, encoded);
  }

  /** @param reason the message with the fault of the attempt before; empty for the first */
  #begin(attempt: number, reason: Uint8Array): CeremonyEffect[] {
    const { sign, index } = this.#options;
    this.#attempt = attempt;
    this.#known.clear();
    this.#current = new CeremonyAttempt(this.#options, this.#messages, attempt);
    const body = { type: 'hello', value: reason } as const;
    const hello = { ...this.#messages.sign(sign, attempt, index, body), body };
    return [
      { type: 'begun', attempt },
      ...this.#followEnd(this.#ending?.abandon(hello)),
      ...this.#follow(this.#current.begin(hello)),
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
    if (sender === index) return [];
    if (body.type === 'fault') return [{ type: 'refuse', from, reason: 'a fault outside of a hello' }];
    if (attempt > Math.min(this.#attempt + MAX_AHEAD, MAX_ATTEMPT)) {
      // Another participant may be further ahead, and relays messages that are near to its own attempt.
      return sender === from ? [{ type: 'refuse', from, reason: 'an attempt far ahead' }] : [];
    }
    const superseded = body.type === 'hello' ? this.#hello(message, body.value) : [];
    if (superseded === undefined) return [{ type: 'refuse', from, reason: 'a hello without a fault' }];
    if (body.type !== 'evaluation') this.#remember(known);
    const ended = this.#followEnd(this.#ending?.onMessage(from, message));
    if (this.#ending?.isBound === true || attempt !== this.#attempt) return [...superseded, ...ended];
    // The attempt relays its hellos itself.
    const others = body.type === 'hello' ? ended.filter(({ type }) => type !== 'relay') : ended;
    return [...superseded, ...others, ...this.#follow(this.#current?.onMessage(from, message))];
  }

  /** Joins a later attempt of another participant. @returns undefined if its hello is invalid */
  #hello({ attempt }: OpenedMessage, value: Uint8Array): CeremonyEffect[] | undefined {
    const reason = this.#messages.reasonOf(attempt, value);
    if (typeof reason === 'string') return undefined;
    if (reason === undefined || attempt <= this.#attempt || this.#ending?.isBound === true) return [];
    const stage = this.#current?.stage;
    const isLost = stage !== undefined && stage !== 'gather' && stage !== 'over';
    const failure = reportedFailure(reason.accuser, reason.fault);
    const failed: CeremonyEffect[] = isLost ? [{ type: 'failed', attempt: this.#attempt, failure }] : [];
    return [...failed, ...this.#begin(attempt, reason.encoded)];
  }

  #remember(known: string): void {
    if (this.#known.size >= KNOWN_PER_PARTICIPANT * this.#messages.size) this.#known.clear();
    this.#known.add(known);
  }

  /** Confirms or ends the last approved attempt when it is due. */
  #settle(): CeremonyEffect[] {
    return this.#followEnd(this.#ending?.settle());
  }

  /** Handles the effects of an attempt: with all signatures it is complete, and a failure begins the next. */
  #follow(effects: readonly AttemptEffect[] = []): CeremonyEffect[] {
    return effects.flatMap((effect): CeremonyEffect[] => {
      switch (effect.type) {
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
          const failed: CeremonyEffect = {
            type: 'failed',
            attempt: this.#attempt,
            failure: effect.failure,
          };
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
