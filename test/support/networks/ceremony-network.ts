import type { CeremonyPhase } from '../../../src/consensus/ceremony/attempt.js';
import {
  Ceremony,
  type CeremonyEffect,
  type CeremonyEvent,
} from '../../../src/consensus/ceremony/ceremony.js';
import { CeremonyMessages } from '../../../src/consensus/ceremony/ceremony-messages.js';
import { configurationHash } from '../../../src/consensus/ceremony/configuration.js';
import type { CeremonyFailure } from '../../../src/consensus/ceremony/failure.js';
import type { BegunAttempt } from '../../../src/consensus/files/attempts-file.js';
import type { Genesis } from '../../../src/generated/ledger.js';
import type { CeremonyBody, CeremonyMessage, CeremonyRecord } from '../../../src/generated/mesh.js';
import { meshCodecs } from '../../../src/generated/mesh-codecs.js';
import { randomSource } from '../random-source.js';
import type { ValidatorWorld } from './validators.js';

/** Timeout of each phase, in milliseconds of the simulated clock. */
const CEREMONY_DURATIONS: Readonly<Record<CeremonyPhase, number>> = {
  pause: 50,
  deal: 200,
  respond: 600,
  answer: 200,
  approve: 600,
};

/** Time for a restart, and for a lost connection to come back. */
const AWAY_MS = 150;

/** A message on its way. */
export interface Passing {
  readonly message: CeremonyMessage;
  /** The message's sender, or a relay. */
  readonly from: number;
  readonly to: number;
}

/** What becomes of a message: nothing special, lost, late by milliseconds, sent twice, or other messages instead. */
export type Fate =
  | undefined
  | 'lost'
  | 'twice'
  | { readonly lateMs: number }
  /** Signed by the message's sender. */
  | { readonly body: CeremonyBody }
  | { readonly encoded: Uint8Array };

/** Final state of one participant. */
export interface ParticipantEnd {
  readonly failures: CeremonyFailure[];
  readonly refused: { from: number; reason: string }[];
  /** Number of states that it has synced. */
  synced: number;
  begun?: BegunAttempt | undefined;
  record?: CeremonyRecord | undefined;
  genesis?: Genesis;
  share?: Uint8Array;
}

export interface CeremonyNetworkOptions {
  readonly world: ValidatorWorld;
  readonly members: readonly number[];
  readonly seed: number;
  readonly fate?: (passing: Passing) => Fate;
  /** Whether a participant crashes right after it has synced its state for the nth time, from 1. */
  readonly crashes?: (index: number, synced: number) => boolean;
}

/**
 * A simulated network of ceremonies with a simulated clock, deterministic by seed. Messages of one link arrive in order,
 * except for those with a fate.
 */
export class CeremonyNetwork {
  readonly ends: readonly ParticipantEnd[];
  readonly #options: CeremonyNetworkOptions;
  readonly #random: ReturnType<typeof randomSource>;
  readonly #machines: (Ceremony | undefined)[];
  readonly #messages: CeremonyMessages;
  readonly #configuration: ReturnType<ValidatorWorld['configuration']>;
  /** Arrival of the last message, by link. */
  readonly #arrivals = new Map<string, number>();
  #queue: { readonly at: number; readonly order: number; readonly run: () => void }[] = [];
  #now = 0;
  #order = 0;

  constructor(options: CeremonyNetworkOptions) {
    const { world, members, seed } = options;
    this.#options = options;
    this.#random = randomSource(seed);
    this.#configuration = world.configuration(members);
    const keys = this.#configuration.validators.map(({ identity_key }) => identity_key);
    const hash = configurationHash(world.crypto, this.#configuration);
    this.#messages = new CeremonyMessages(world.crypto, hash, keys);
    this.ends = members.map(() => ({ failures: [], refused: [], synced: 0 }));
    this.#machines = members.map((_, index) => this.#machine(index));
  }

  /** Starts all participants except `absent`, and runs until nothing is left to do or the time is up. */
  run(timeMs: number, absent: readonly number[] = []): void {
    for (const index of this.ends.keys()) {
      if (absent.includes(index)) this.#machines[index] = undefined;
      else this.step(index, { type: 'start', begun: undefined });
    }
    this.goOn(timeMs);
  }

  goOn(timeMs: number): void {
    const end = this.#now + timeMs;
    for (;;) {
      this.#queue.sort((a, b) => a.at - b.at || a.order - b.order);
      const next = this.#queue[0];
      if (next === undefined || next.at > end) break;
      this.#queue.shift();
      this.#now = next.at;
      next.run();
    }
    this.#now = end;
  }

  state(index: number): Ceremony['state'] | undefined {
    return this.#machines[index]?.state;
  }

  /** Stops a participant; messages in flight to it are lost. */
  stop(index: number): void {
    this.#machines[index] = undefined;
  }

  /** Restarts a participant with its synced state. */
  restart(index: number): void {
    const machine = this.#machine(index, this.ends[index]?.record);
    this.#machines[index] = machine;
    if (machine.result !== undefined) this.#perform(index, machine, [machine.result]);
    this.step(index, { type: 'start', begun: this.ends[index]?.begun });
    this.reconnect(index);
  }

  /** Connects a participant with all others again. */
  reconnect(index: number): void {
    for (const peer of this.ends.keys()) {
      if (peer === index) continue;
      this.step(peer, { type: 'connected', peer: index });
      this.step(index, { type: 'connected', peer });
    }
  }

  /** Signs a body in a participant's name. */
  signed(sender: number, attempt: number, body: CeremonyBody): Uint8Array {
    const { sign } = this.#options.world.identity(this.#options.members[sender] ?? -1);
    return this.#messages.sign(sign, attempt, sender, body).encoded;
  }

  /** Sends a body in a participant's name to others, or to all of them. */
  say(sender: number, attempt: number, body: CeremonyBody, to = [...this.ends.keys()]): void {
    const encoded = this.signed(sender, attempt, body);
    for (const each of to) if (each !== sender) this.#deliver(sender, each, encoded, 1);
  }

  step(index: number, event: CeremonyEvent): void {
    const machine = this.#machines[index];
    if (machine !== undefined) this.#perform(index, machine, machine.step(event));
  }

  #machine(index: number, record?: CeremonyRecord): Ceremony {
    const { world, members } = this.#options;
    const { sign, encryption } = world.identity(members[index] ?? -1);
    return new Ceremony({
      crypto: world.crypto,
      bls: world.bls,
      random: this.#random.bytes,
      sign,
      configuration: this.#configuration,
      index,
      encryptionKey: encryption.privateKey,
      ...(record === undefined ? {} : { record }),
    });
  }

  #perform(index: number, machine: Ceremony, effects: readonly CeremonyEffect[]): void {
    const end = this.ends[index];
    if (end === undefined) throw new Error('no such participant');
    for (const effect of effects) {
      if (this.#machines[index] !== machine) return;
      switch (effect.type) {
        case 'send':
          for (const to of effect.to === 'all' ? this.ends.keys() : [effect.to]) {
            if (to !== index) this.#send(index, to, effect.encoded);
          }
          break;
        case 'relay':
          for (const to of this.ends.keys()) {
            if (to !== index && !effect.except.includes(to)) this.#send(index, to, effect.encoded);
          }
          break;
        case 'timer':
          this.#after(CEREMONY_DURATIONS[effect.phase], () => {
            if (this.#machines[index] !== machine) return;
            this.step(index, { type: 'timeout', attempt: effect.attempt, phase: effect.phase });
          });
          break;
        case 'begun':
          end.begun = effect.begun;
          this.#synced(index);
          break;
        case 'persist':
          end.record = effect.record;
          this.#synced(index);
          break;
        case 'forget':
          end.record = undefined;
          this.#synced(index);
          break;
        case 'refuse':
          end.refused.push({ from: effect.from, reason: effect.reason });
          break;
        case 'failed':
          end.failures.push(effect.failure);
          break;
        case 'finished':
          end.genesis = effect.genesis;
          end.share = effect.share;
          this.#synced(index);
          break;
      }
    }
  }

  #synced(index: number): void {
    const end = this.ends[index];
    if (end === undefined) return;
    end.synced++;
    if (this.#options.crashes?.(index, end.synced) !== true) return;
    this.stop(index);
    this.#after(AWAY_MS, () => this.restart(index));
  }

  #send(from: number, to: number, encoded: Uint8Array): void {
    const latency = 1 + this.#random.below(20);
    const { fate } = this.#options;
    const message = fate === undefined ? undefined : meshCodecs.CeremonyMessage.decode(encoded);
    const decided = message === undefined ? undefined : fate?.({ message, from, to });
    if (decided === 'lost') return;
    if (typeof decided === 'object' && message !== undefined) {
      if ('lateMs' in decided) this.#deliver(from, to, encoded, decided.lateMs);
      else if ('encoded' in decided) this.#deliver(from, to, decided.encoded, latency);
      else this.#deliver(from, to, this.signed(message.sender, message.attempt, decided.body), latency);
      return;
    }
    const link = `${from} ${to}`;
    const at = Math.max(this.#now + latency, this.#arrivals.get(link) ?? 0);
    this.#arrivals.set(link, at);
    for (let copy = 0; copy < (decided === 'twice' ? 2 : 1); copy++) {
      this.#deliver(from, to, encoded, at - this.#now);
    }
  }

  #deliver(from: number, to: number, encoded: Uint8Array, latency: number): void {
    this.#after(latency, () => this.step(to, { type: 'message', from, encoded }));
  }

  #after(delay: number, run: () => void): void {
    this.#queue.push({ at: this.#now + delay, order: this.#order++, run });
  }
}
