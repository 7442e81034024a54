import type { Genesis } from '../../generated/ledger.js';
import type { CeremonyRecord } from '../../generated/mesh.js';
import { type AttemptEffect, CeremonyAttempt, type CeremonyParts, type CeremonyPhase } from './attempt.js';
import { checkApprovals } from './check-ceremony.js';
import { checkConfiguration, configurationHash } from './configuration.js';
import { failure } from './failure.js';
import { type OpenedMessage, openMessage, signMessage } from './messages.js';

/** Maximum lead of a message's attempt over the current one, so that a participant cannot exhaust the numbers. */
const MAX_AHEAD = 1_000;
/** Upper bound of attempt numbers, half the range of their u32 field. */
const MAX_ATTEMPT = 2 ** 31;

/** Inputs to a participant. */
export type CeremonyEvent =
  /** @property attempt greater than every attempt begun before */
  | { readonly type: 'start'; readonly attempt: number }
  | { readonly type: 'message'; readonly from: number; readonly encoded: Uint8Array }
  | { readonly type: 'timeout'; readonly attempt: number; readonly phase: CeremonyPhase }
  /** A participant has connected, perhaps again. */
  | { readonly type: 'connected'; readonly peer: number };

/** A participant's effects, in order; `begun`, `persist` and `finished` are synced before any later effect. */
export type CeremonyEffect =
  | Exclude<AttemptEffect, { readonly type: 'signed' }>
  /** An attempt has begun and its number is used up. */
  | { readonly type: 'begun'; readonly attempt: number }
  /** Success: the genesis with all signatures, and this participant's secret 32-byte share. */
  | { readonly type: 'finished'; readonly genesis: Genesis; readonly share: Uint8Array };

export interface CeremonyOptions extends CeremonyParts {
  /** The last persisted record, if any. */
  readonly record?: CeremonyRecord;
  /** All signatures of the record's transcript if the ceremony has ended, because others may still need them. */
  readonly signatures?: readonly Uint8Array[];
}

/**
 * Joint-Feldman key generation (Pedersen, Eurocrypt 1991) among participants with one configuration, from one
 * participant's side:
 *
 * 1. *Gather.* An attempt begins when all participants are present.
 * 2. *Deal.* Each broadcasts commitments to a random polynomial of degree q − 1, and sends each participant its
 *    evaluation.
 * 3. *Respond.* Each reports the signed commitments that it has, and complains about dealers whose evaluation is
 *    missing or invalid. Later messages do not withdraw a complaint. A dealer is excluded if any participant lacks
 *    its commitments or more than f complain; a dealer that signed two commitments ends the attempt.
 * 4. *Reveal.* The remaining dealers with complaints reveal those evaluations to all, or are excluded.
 * 5. *Approve.* At least q dealers must remain; the sum of their polynomials makes the key. Each participant syncs
 *    its share, then signs the transcript: the resulting genesis.
 * 6. The ceremony succeeds only with the signatures of all n over one transcript. Otherwise the attempt fails, names
 *    the participants responsible, and the next begins from scratch.
 * 7. A participant with all signatures signs nothing more, and gives them to those that reconnect. One that signed a
 *    later transcript accepts no earlier one. Since every transcript needs every signature, at most one is ever used.
 *
 * Its curve arithmetic blocks the calling thread, for seconds with a hundred participants, so a ceremony needs its
 * own process.
 */
export class Ceremony {
  readonly #options: CeremonyOptions;
  readonly #configuration: Uint8Array;
  readonly #done = new Set<number>();
  #record: CeremonyRecord | undefined;
  #attempt = 0;
  #current: CeremonyAttempt | undefined;
  /** The encoded message with all signatures, once finished. */
  #finished: Uint8Array | undefined;

  /** @throws ConfigurationError, GenesisError if the configuration is invalid */
  constructor(options: CeremonyOptions) {
    checkConfiguration(options.configuration);
    this.#options = options;
    this.#configuration = configurationHash(options.crypto, options.configuration);
    this.#record = options.record;
    if (options.record !== undefined && options.signatures !== undefined) {
      this.#finish(options.record, options.signatures);
    }
  }

  /** The participant's progress, and the participants it waits for. */
  get state(): { readonly attempt: number; readonly stage: string; readonly waitsFor: readonly number[] } {
    if (this.#finished !== undefined) {
      const others = this.#options.configuration.validators.map((_, peer) => peer);
      const { index } = this.#options;
      const waitsFor = others.filter((peer) => peer !== index && !this.#done.has(peer));
      return { attempt: this.#attempt, stage: 'finished', waitsFor };
    }
    const { stage = 'gather', missing = [] } = this.#current ?? {};
    return { attempt: this.#attempt, stage, waitsFor: missing };
  }

  step(event: CeremonyEvent): CeremonyEffect[] {
    switch (event.type) {
      case 'start':
        // A participant with all signatures begins no further attempt.
        if (this.#finished !== undefined) return [];
        return this.#begin(event.attempt, []);
      case 'message':
        return this.#message(event.from, event.encoded);
      case 'timeout':
        if (event.attempt !== this.#attempt || this.#finished !== undefined) return [];
        return this.#follow(this.#current?.timeout(event.phase));
      case 'connected':
        return this.#resend(event.peer);
    }
  }

  #begin(attempt: number, blamed: readonly number[]): CeremonyEffect[] {
    this.#attempt = attempt;
    this.#current = new CeremonyAttempt(this.#options, { configuration: this.#configuration, attempt });
    return [{ type: 'begun', attempt }, ...this.#follow(this.#current.begin(blamed))];
  }

  #resend(peer: number): CeremonyEffect[] {
    if (this.#finished !== undefined) return [{ type: 'send', to: peer, encoded: this.#finished }];
    return this.#follow(this.#current?.resend(peer));
  }

  #message(from: number, encoded: Uint8Array): CeremonyEffect[] {
    const { crypto, configuration, index } = this.#options;
    const identityKey = configuration.validators[from]?.identity_key;
    if (identityKey === undefined || from === index) {
      return [{ type: 'refuse', from, reason: 'not another participant' }];
    }
    const expected = { configuration: this.#configuration, sender: from, identityKey };
    const message = openMessage(crypto, encoded, expected);
    if (typeof message === 'string') return [{ type: 'refuse', from, reason: message }];
    if (message.body.type === 'finished') return this.#takeSignatures(from, message);
    if (this.#finished !== undefined || this.#current === undefined) return this.#resend(from);
    if (message.attempt < this.#attempt) return this.#resend(from);
    if (message.attempt === this.#attempt) return this.#follow(this.#current.onMessage(message));
    return this.#supersede(from, message);
  }

  /** Joins a later attempt of another participant: the current one can no longer succeed. */
  #supersede(from: number, message: OpenedMessage): CeremonyEffect[] {
    if (message.attempt > Math.min(this.#attempt + MAX_AHEAD, MAX_ATTEMPT)) {
      return [{ type: 'refuse', from, reason: 'an attempt far ahead' }];
    }
    const under = this.#current?.stage !== 'gather';
    const blamed = message.body.type === 'hello' ? message.body.value : [];
    const whom = blamed.length === 0 ? '' : `, holding ${blamed.slice(0, 100).join(', ')} responsible`;
    const why = failure('superseded', [from], `began attempt ${message.attempt}${whom}`);
    const failed: CeremonyEffect[] = under ? [{ type: 'failed', attempt: this.#attempt, failure: why }] : [];
    const begun = this.#begin(message.attempt, []);
    return [...failed, ...begun, ...this.#follow(this.#current?.onMessage(message))];
  }

  #takeSignatures(from: number, { attempt, body }: OpenedMessage): CeremonyEffect[] {
    if (body.type !== 'finished') return [];
    this.#done.add(from);
    const record = this.#record;
    // The signatures of another attempt are useless without that attempt's share.
    if (this.#finished !== undefined || record === undefined || record.attempt !== attempt) return [];
    const wrong = checkApprovals(this.#options, record.genesis, body.value);
    if (wrong !== undefined) return [{ type: 'refuse', from, reason: wrong.message }];
    return this.#finish(record, body.value);
  }

  #finish(record: CeremonyRecord, signatures: readonly Uint8Array[]): CeremonyEffect[] {
    const { crypto, sign, index } = this.#options;
    const { attempt, genesis, share } = record;
    const session = { configuration: this.#configuration, attempt };
    const { encoded } = signMessage(crypto, sign, session, index, { type: 'finished', value: signatures });
    this.#finished = encoded;
    this.#attempt = attempt;
    this.#current = undefined;
    const { dealings = [] } = genesis.ceremony ?? {};
    return [
      { type: 'finished', genesis: { ...genesis, ceremony: { dealings, signatures } }, share },
      { type: 'send', to: 'all', encoded },
    ];
  }

  /** Handles the attempt's effects: success finishes the ceremony, failure begins the next attempt. */
  #follow(effects: readonly AttemptEffect[] = []): CeremonyEffect[] {
    return effects.flatMap((effect): CeremonyEffect[] => {
      switch (effect.type) {
        case 'persist':
          this.#record = effect.record;
          return [effect];
        case 'signed':
          return this.#record === undefined ? [] : this.#finish(this.#record, effect.signatures);
        case 'failed':
          return [effect, ...this.#begin(effect.attempt + 1, effect.failure.participants)];
        default:
          return [effect];
      }
    });
  }
}
