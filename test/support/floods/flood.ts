import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FloodWorld, WorldSize } from './flood-world.js';
import { LoopbackConnection, refusalIn } from './loopback-connection.js';

/** The address of floods; honest clients have another. */
export const FLOOD_ADDRESS = '127.0.0.2';
/** Maximum number of requests of a connection, however fast they are answered. */
const MAX_REQUESTS = 1_000_000;
/** Pause after a connection was refused or cut off. */
const RETRY_MS = 5;
/** Time after which an attack ends even if it has sent nothing. */
const MAX_ATTACK_MS = 60_000;
const KEPT_BYTES = 4_096;

/** A malicious or careless client. */
export interface Flood {
  readonly name: string;
  /** The requests that it sends, and the part of the node that they strain. */
  readonly attacks: string;
  /** Further flags of the node that the flood needs. */
  readonly nodeFlags?: readonly string[];
  /** Chain data that the flood needs beyond the default; see `npm run bench -- floods`. */
  readonly world?: Partial<WorldSize>;
  /** Prepares the flood before its time starts. Returns a function that floods until the attack is over. */
  arm(ground: FloodGround): Promise<(attack: FloodAttack) => Promise<void>> | FloodRun;
}

/** One run of a flood; resolves soon after the attack is over. */
export type FloodRun = (attack: FloodAttack) => Promise<void>;

/** The environment that a flood is prepared for. */
export interface FloodGround {
  readonly url: string;
  readonly world: FloodWorld;
  /** Duration of the flood. */
  readonly seconds: number;
}

/** Outcomes of a flood's requests. */
export interface FloodCounts {
  sent: number;
  /** Answers with a result. */
  answered: number;
  /** Errors by kind; `cut` if the connection ended first. */
  readonly refused: Record<string, number>;
}

export interface PacedRequest {
  readonly body: string | Uint8Array;
  readonly atMs: number;
}

/** A running flood: its time, its connections, and its counts. */
export class FloodAttack {
  readonly counts: FloodCounts = { sent: 0, answered: 0, refused: {} };
  readonly url: string;
  readonly #end: AbortController = new AbortController();
  readonly #connections: LoopbackConnection[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(url: string, milliseconds: number) {
    this.url = url;
    // Every request and every idle connection listens to this signal.
    setMaxListeners(0, this.#end.signal);
    const begun = performance.now();
    // A thread that stalls may have used up the whole time before it sends anything.
    this.#timer = setInterval(() => {
      if (this.counts.sent > 0 || performance.now() - begun > MAX_ATTACK_MS) this.stop();
    }, milliseconds);
  }

  /** Fires when the time is over; all connections then hang up. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  get isOver(): boolean {
    return this.#end.signal.aborted;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#end.abort();
    for (const connection of this.#connections) connection.close();
  }

  connect(): LoopbackConnection {
    const connection = this.connectOnce();
    this.#connections.push(connection);
    return connection;
  }

  /** A connection that the caller must close. */
  connectOnce(): LoopbackConnection {
    return new LoopbackConnection(this.url, FLOOD_ADDRESS);
  }

  /** Waits, at most until the attack is over. */
  async pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.signal }).catch((error: unknown) => {
      if (!this.isOver) throw error;
    });
  }

  /** Sends one request and counts its outcome. @param signal aborts it; default: the end of the attack */
  async send(connection: LoopbackConnection, body: string | Uint8Array, signal = this.signal): Promise<void> {
    this.counts.sent++;
    try {
      const refusal = refusalIn(await connection.post(body, { keepBytes: KEPT_BYTES, signal }));
      if (refusal === undefined) this.counts.answered++;
      else this.refuse(refusal);
      if (refusal !== undefined) await this.pause(RETRY_MS);
    } catch {
      // No answer came: the node cut the connection off, or the flood hung up.
      if (!signal.aborted) this.refuse('cut');
      await this.pause(RETRY_MS);
    }
  }

  refuse(kind: string): void {
    this.counts.refused[kind] = (this.counts.refused[kind] ?? 0) + 1;
  }

  /** Keeps connections busy, each with its next request as soon as the last one is answered. */
  async keepSending(connections: number, next: () => string | Uint8Array): Promise<void> {
    await this.keepSendingPaced(connections, () => ({ body: next(), atMs: 0 }));
  }

  /** Like {@link keepSending}, but sends each request no earlier than its time on `performance.now()`. */
  async keepSendingPaced(connections: number, next: () => PacedRequest): Promise<void> {
    await Promise.all(
      Array.from({ length: connections }, async () => {
        const connection = this.connect();
        for (let sent = 0; sent < MAX_REQUESTS && !this.isOver; sent++) {
          const { body, atMs } = next();
          const early = atMs - performance.now();
          if (early > 0) await this.pause(early);
          if (!this.isOver) await this.send(connection, body);
        }
      }),
    );
  }
}

/** The body of a call. */
export function rpcBody(method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}
