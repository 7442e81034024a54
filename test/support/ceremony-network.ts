import type { CeremonyPhase } from '../../src/consensus/ceremony/attempt.js';
import { Ceremony, type CeremonyEffect, type CeremonyEvent } from '../../src/consensus/ceremony/ceremony.js';
import { configurationHash } from '../../src/consensus/ceremony/configuration.js';
import type { CeremonyFailure } from '../../src/consensus/ceremony/failure.js';
import { signMessage } from '../../src/consensus/ceremony/messages.js';
import type { Genesis } from '../../src/generated/ledger.js';
import type { CeremonyBody, CeremonyMessage, CeremonyRecord } from '../../src/generated/mesh.js';
import { meshCodecs } from '../../src/generated/mesh-codecs.js';
import { randomSource } from './random-source.js';
import type { ValidatorWorld } from './validators.js';

/** Timeout of each phase, in milliseconds of the simulated clock. */
const DURATIONS: Readonly<Record<CeremonyPhase, number>> = {
  pause: 50,
  deal: 200,
  respond: 600,
  reveal: 200,
  approve: 600,
};

/** Tampers with a message in transit. */
export type Tampering = (message: CeremonyMessage, to: number) => TamperedBody | 'lost' | number | undefined;

/** A replacement body, signed by the sender. */
interface TamperedBody {
  readonly body: CeremonyBody;
}

/** Final state of one participant. */
export interface ParticipantEnd {
  readonly failures: CeremonyFailure[];
  readonly refused: { from: number; reason: string }[];
  readonly records: CeremonyRecord[];
  genesis?: Genesis;
  share?: Uint8Array;
}

/** A simulated network of ceremonies with a simulated clock and random message order, deterministic by seed. */
export class CeremonyNetwork {
  readonly ends: readonly ParticipantEnd[];
  readonly #world: ValidatorWorld;
  readonly #members: readonly number[];
  readonly #random: ReturnType<typeof randomSource>;
  readonly #tamper: Tampering;
  readonly #machines: (Ceremony | undefined)[];
  readonly #configuration: ReturnType<ValidatorWorld['configuration']>;
  #queue: { readonly at: number; readonly order: number; readonly run: () => void }[] = [];
  #now = 0;
  #order = 0;

  constructor(
    world: ValidatorWorld,
    members: readonly number[],
    seed: number,
    tamper: Tampering = () => undefined,
  ) {
    this.#world = world;
    this.#members = members;
    this.#random = randomSource(seed);
    this.#tamper = tamper;
    this.#configuration = world.configuration(members);
    this.ends = members.map(() => ({ failures: [], refused: [], records: [] }));
    this.#machines = members.map((_, index) => this.#machine(index));
  }

  /** Starts all participants except `absent`, and runs until nothing is left to do or the time is up. */
  run(timeMs: number, absent: readonly number[] = []): void {
    for (const index of this.#members.keys()) {
      if (absent.includes(index)) this.#machines[index] = undefined;
      else this.step(index, { type: 'start', attempt: 1 });
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

  /** Restarts a participant with its stored state. */
  restart(index: number, attempt: number): void {
    const end = this.ends[index];
    const signatures = end?.genesis?.ceremony?.signatures;
    const record = end?.records.at(-1);
    this.#machines[index] = this.#machine(index, {
      ...(record === undefined ? {} : { record }),
      ...(signatures === undefined ? {} : { signatures }),
    });
    this.step(index, { type: 'start', attempt });
    for (const peer of this.#members.keys()) {
      if (peer !== index) this.step(peer, { type: 'connected', peer: index });
    }
  }

  /** Sends a body in a participant's name to all others, in the first attempt. */
  say(sender: number, body: CeremonyBody): void {
    for (const to of this.#members.keys()) {
      if (to !== sender) this.#deliver(sender, to, this.#signed({ attempt: 1, sender }, body), 1);
    }
  }

  step(index: number, event: CeremonyEvent): void {
    const machine = this.#machines[index];
    if (machine !== undefined) this.#perform(index, machine, machine.step(event));
  }

  #machine(
    index: number,
    kept: Pick<ConstructorParameters<typeof Ceremony>[0], 'record' | 'signatures'> = {},
  ) {
    const { crypto, bls, identity } = this.#world;
    return new Ceremony({
      crypto,
      bls,
      random: this.#random.bytes,
      sign: identity(this.#members[index] ?? -1).sign,
      configuration: this.#configuration,
      index,
      ...kept,
    });
  }

  #perform(index: number, machine: Ceremony, effects: readonly CeremonyEffect[]): void {
    const end = this.ends[index];
    if (end === undefined) throw new Error('no such participant');
    for (const effect of effects) {
      switch (effect.type) {
        case 'send':
          for (const to of effect.to === 'all' ? this.#members.keys() : [effect.to]) {
            if (to !== index) this.#send(index, to, effect.encoded);
          }
          break;
        case 'timer':
          this.#after(DURATIONS[effect.phase], () => {
            if (this.#machines[index] !== machine) return;
            this.step(index, { type: 'timeout', attempt: effect.attempt, phase: effect.phase });
          });
          break;
        case 'persist':
          end.records.push(effect.record);
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
          break;
        case 'begun':
          break;
      }
    }
  }

  #send(from: number, to: number, encoded: Uint8Array): void {
    const latency = 1 + this.#random.below(20);
    const message = meshCodecs.CeremonyMessage.decode(encoded);
    const tampered = this.#tamper(message, to);
    if (tampered === 'lost') return;
    if (typeof tampered === 'number') this.#deliver(from, to, encoded, tampered);
    else if (tampered === undefined) this.#deliver(from, to, encoded, latency);
    else this.#deliver(from, to, this.#signed(message, tampered.body), latency);
  }

  #deliver(from: number, to: number, encoded: Uint8Array, latency: number): void {
    this.#after(latency, () => this.step(to, { type: 'message', from, encoded }));
  }

  #signed({ attempt, sender }: Pick<CeremonyMessage, 'attempt' | 'sender'>, body: CeremonyBody): Uint8Array {
    const { crypto, identity } = this.#world;
    const configuration = configurationHash(crypto, this.#configuration);
    const { sign } = identity(this.#members[sender] ?? -1);
    return signMessage(crypto, sign, { configuration, attempt }, sender, body).encoded;
  }

  #after(delay: number, run: () => void): void {
    this.#queue.push({ at: this.#now + delay, order: this.#order++, run });
  }
}
