import type { SimMessage } from './model.js';
import type { SimWorld } from './sim-world.js';

/** Delay of a new connection, in virtual milliseconds. */
const CONNECT_MS = [1, 120] as const;
/** Delay of a connection after one side has dropped the other. */
const RECONNECT_MS = [100, 900] as const;
/** Fraction of the messages of a rare kind that are lost. */
const RARE_LOSS = 0.8;
/** Messages in flight on one connection; more are lost. */
const MAX_IN_FLIGHT = 2_000;

/** What happens to a message. */
export type Fate = 'lost' | { readonly lateMs: number };

/** One end of connections: a validator, or one of a pair of twins. */
export interface LinkEnd<M = SimMessage> {
  readonly isAlive: boolean;
  /** Counts the processes; a message to an earlier one is lost. */
  readonly life: number;
  receive(from: number, message: M): void;
  onConnection(peer: number, isConnected: boolean): void;
}

/** The connections between validators, and the messages on them. */
export class Links<M = SimMessage> {
  readonly #world: SimWorld;
  readonly #kindOf: (message: M) => string | undefined;
  readonly #fateOf: (to: number, message: M) => Fate | undefined;
  /** The ends by validator; twins have two. */
  readonly #ends: LinkEnd<M>[][] = [];
  readonly #up = new Set<number>();
  readonly #inFlight = new Map<number, number>();
  #partitions: (readonly number[])[] = [];
  /** When held messages of a direction are delivered, by direction. */
  readonly #heldUntil = new Map<number, number>();
  delivered = 0;

  /**
   * @param kindOf the kind of a message, which may be rare
   * @param fateOf what happens to a message while the network misbehaves, besides random loss and delay
   */
  constructor(
    world: SimWorld,
    kindOf: (message: M) => string | undefined,
    fateOf: (to: number, message: M) => Fate | undefined = () => undefined,
  ) {
    this.#world = world;
    this.#kindOf = kindOf;
    this.#fateOf = fateOf;
  }

  /** Adds the ends of the next validator, in order of their indices. */
  add(ends: readonly LinkEnd<M>[]): void {
    this.#ends.push([...ends]);
  }

  isConnected(a: number, b: number): boolean {
    return this.#up.has(this.#pair(a, b));
  }

  connected(index: number): readonly number[] {
    const peers: number[] = [];
    for (let peer = 0; peer < this.#world.scenario.validators; peer++)
      if (peer !== index && this.isConnected(index, peer)) peers.push(peer);
    return peers;
  }

  /** Connects a started validator to the others that run. */
  started(index: number): void {
    for (let peer = 0; peer < this.#world.scenario.validators; peer++)
      if (peer !== index) this.#connectSoon(index, peer, CONNECT_MS);
  }

  stopped(index: number): void {
    for (const peer of this.connected(index)) this.#disconnect(index, peer);
  }

  /** Breaks a connection, which returns soon; does nothing if it is broken already. */
  lose(a: number, b: number): void {
    // One attempt to connect for each connection, or messages in flight multiply the attempts, and these the messages.
    if (!this.isConnected(a, b)) return;
    this.#disconnect(a, b);
    this.#connectSoon(a, b, RECONNECT_MS);
  }

  partition(side: readonly number[]): void {
    this.#partitions.push(side);
    this.#update();
  }

  heal(side: readonly number[]): void {
    this.#partitions = this.#partitions.filter((one) => one !== side);
    this.#update();
  }

  /** Holds all messages of one direction until a time. */
  hold(from: number, to: number, untilMs: number): void {
    this.#heldUntil.set(this.#direction(from, to), untilMs);
  }

  send(from: number, to: number, message: M): void {
    const { scenario, random, isStable } = this.#world;
    if (from === to || !this.isConnected(from, to)) return;
    let lateMs = 0;
    if (!isStable) {
      if (random.chance(scenario.loss)) return;
      const isRare = scenario.rareKind !== undefined && this.#kindOf(message) === scenario.rareKind;
      if (isRare && random.chance(RARE_LOSS)) return;
      const fate = this.#fateOf(to, message);
      if (fate === 'lost') return;
      lateMs = fate?.lateMs ?? 0;
      if (random.chance(scenario.duplication)) this.#deliver(from, to, message, lateMs);
    }
    this.#deliver(from, to, message, lateMs);
  }

  #deliver(from: number, to: number, message: M, lateMs: number): void {
    const world = this.#world;
    const { scenario, random } = world;
    const direction = this.#direction(from, to);
    const inFlight = this.#inFlight.get(direction) ?? 0;
    if (inFlight >= MAX_IN_FLIGHT) return;
    this.#inFlight.set(direction, inFlight + 1);
    const [low, high] = scenario.latencyMs;
    let delayMs = lateMs + low + random.fraction() * (high - low);
    if (!world.isStable) {
      if (random.chance(scenario.delay)) delayMs += random.below(scenario.longDelayMs);
      delayMs += Math.max(0, (this.#heldUntil.get(direction) ?? 0) - world.nowMs);
    }
    const ends = (this.#ends[to] ?? []).map((end) => ({ end, life: end.life }));
    world.after(delayMs, () => {
      this.#inFlight.set(direction, (this.#inFlight.get(direction) ?? 1) - 1);
      for (const { end, life } of ends) {
        // A crash of the receiving process ends its connections.
        if (end.life !== life) continue;
        this.delivered++;
        end.receive(from, message);
      }
    });
  }

  #connectSoon(a: number, b: number, [low, high]: readonly [number, number]): void {
    const world = this.#world;
    world.after(world.random.between(low, high), () => {
      if (!this.#mayConnect(a, b) || this.isConnected(a, b)) return;
      this.#up.add(this.#pair(a, b));
      this.#tell(a, b, true);
    });
  }

  #disconnect(a: number, b: number): void {
    if (this.#up.delete(this.#pair(a, b))) this.#tell(a, b, false);
  }

  /** Applies the partitions to all connections. */
  #update(): void {
    const { validators } = this.#world.scenario;
    for (let a = 0; a < validators; a++) {
      for (let b = a + 1; b < validators; b++) {
        if (!this.#mayConnect(a, b)) this.#disconnect(a, b);
        else if (!this.isConnected(a, b)) this.#connectSoon(a, b, CONNECT_MS);
      }
    }
  }

  #tell(a: number, b: number, isConnected: boolean): void {
    for (const end of this.#ends[a] ?? []) end.onConnection(b, isConnected);
    for (const end of this.#ends[b] ?? []) end.onConnection(a, isConnected);
  }

  #mayConnect(a: number, b: number): boolean {
    if (this.#partitions.some((side) => side.includes(a) !== side.includes(b))) return false;
    return [a, b].every((index) => this.#ends[index]?.some(({ isAlive }) => isAlive));
  }

  #pair(a: number, b: number): number {
    return Math.min(a, b) * 64 + Math.max(a, b);
  }

  #direction(from: number, to: number): number {
    return from * 64 + to;
  }
}
