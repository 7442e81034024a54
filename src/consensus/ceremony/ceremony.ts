import type { Genesis } from '../../generated/ledger.js';
import type { CeremonyRecord } from '../../generated/mesh.js';
import { type AttemptEffect, CeremonyAttempt, type CeremonyParts, type CeremonyPhase } from './attempt.js';
import { checkApprovals } from './check-ceremony.js';
import { checkConfiguration, configurationHash } from './configuration.js';
import { failure } from './failure.js';
import { type OpenedMessage, openMessage, signMessage } from './messages.js';

/** How far ahead of the own attempt a message may be: so that nobody uses the numbers up. */
const MAX_AHEAD = 1_000;
/** Far below what its field holds. */
const MAX_ATTEMPT = 2 ** 31;

/** What happens to a participant. */
export type CeremonyEvent =
  /** @property attempt above all that were begun before */
  | { readonly type: 'start'; readonly attempt: number }
  | { readonly type: 'message'; readonly from: number; readonly encoded: Uint8Array }
  | { readonly type: 'timeout'; readonly attempt: number; readonly phase: CeremonyPhase }
  /** A participant can be reached, perhaps again. */
  | { readonly type: 'connected'; readonly peer: number };

/** What a participant wants done, in this order; `begun`, `persist` and `finished` are synced before anything behind them. */
export type CeremonyEffect =
  | Exclude<AttemptEffect, { readonly type: 'signed' }>
  /** An attempt's number is used up. */
  | { readonly type: 'begun'; readonly attempt: number }
  /** It has ended well: the genesis with all signatures, and the own share, 32 bytes, secret. */
  | { readonly type: 'finished'; readonly genesis: Genesis; readonly share: Uint8Array };

export interface CeremonyOptions extends CeremonyParts {
  /** What was persisted last, if anything. */
  readonly record?: CeremonyRecord;
  /** All signatures of the record's transcript, where the ceremony has ended: others may still want them. */
  readonly signatures?: readonly Uint8Array[];
}

/**
 * Joint Feldman (Pedersen, Eurocrypt 1991) among participants with one configuration, as one of them goes through it:
 *
 * 1. *Gather.* An attempt begins when all are there.
 * 2. *Deal.* Each commits to a random polynomial of degree q − 1 before all, and sends each its evaluation.
 * 3. *Respond.* Each says whose commitments it has, with their signatures, and of whom it complains: of those whose
 *    evaluation did not come or does not fit. A complaint stands, whatever comes later. A dealer whose commitments did not
 *    come to everybody, or of whom more than f complain, is excluded; one that signed two commitments ends the attempt.
 * 4. *Reveal.* The others of whom somebody complains reveal those evaluations to all, or are excluded.
 * 5. *Approve.* At least q dealers are left; the sum of their polynomials makes the key. Each syncs its share, then signs the
 *    transcript: the genesis that comes of it.
 * 6. The ceremony ends well only with the signatures of all n over one transcript. Otherwise the attempt fails, says with
 *    whom, and the next begins with everything fresh.
 * 7. Whoever has all signatures signs nothing more, and gives them to whoever comes back. Whoever signed a later transcript
 *    takes no earlier one. As every transcript takes everybody's signature, one at most comes to be used.
 *
 * It works on points on the calling thread, up to seconds for a hundred participants: for a process of its own.
 */
export class Ceremony {
  readonly #options: CeremonyOptions;
  readonly #configuration: Uint8Array;
  readonly #done = new Set<number>();
  #record: CeremonyRecord | undefined;
  #attempt = 0;
  #current: CeremonyAttempt | undefined;
  /** What gives the signatures to others. */
  #finished: Uint8Array | undefined;

  /** @throws ConfigurationError, GenesisError where no chain can begin with the configuration */
  constructor(options: CeremonyOptions) {
    checkConfiguration(options.configuration);
    this.#options = options;
    this.#configuration = configurationHash(options.crypto, options.configuration);
    this.#record = options.record;
    if (options.record !== undefined && options.signatures !== undefined) {
      this.#finish(options.record, options.signatures);
    }
  }

  /** Where the participant is, and for whom it waits. */
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
        // Whoever has all signatures begins nothing more.
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
      return [{ type: 'refuse', from, reason: 'no other participant' }];
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

  /** Another has begun a later attempt: this one cannot end well any more. */
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
    // Of an attempt whose share is not here: another with all signatures will not come of this one.
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

  /** Looks at what the attempt wants: its end is the ceremony's, or the beginning of the next. */
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
