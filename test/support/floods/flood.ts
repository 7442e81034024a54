import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FloodWorld, WorldSize } from './flood-world.js';
import { LoopbackConnection, refusalIn } from './loopback-connection.js';

/** The address that floods come from; honest clients have another. */
export const FLOOD_ADDRESS = '127.0.0.2';
/** A connection sends no more than so many requests, however fast they are answered. */
const MAX_REQUESTS = 1_000_000;
/** After a connection that was refused or cut off. */
const RETRY_MS = 5;
const KEPT_BYTES = 4_096;

/** What a client does that means no good, or does not know better. */
export interface Flood {
  readonly name: string;
  /** What it sends, and which part of the node that strains. */
  readonly attacks: string;
  /** Flags that the node needs for it beside its own. */
  readonly nodeFlags?: readonly string[];
  /** What has to be on the chain for it to tell, beyond what is there for all; see `npm run bench:floods`. */
  readonly world?: Partial<WorldSize>;
  /** Makes what has to be ready before the time begins to count; the result floods until the attack is over. */
  arm(ground: FloodGround): Promise<(attack: FloodAttack) => Promise<void>> | FloodRun;
}

/** One run of a flood; resolves soon after the attack is over. */
export type FloodRun = (attack: FloodAttack) => Promise<void>;

/** What a flood is made for. */
export interface FloodGround {
  readonly url: string;
  readonly world: FloodWorld;
  /** How long it will run. */
  readonly seconds: number;
}

/** What came of the requests of a flood. */
export interface FloodCounts {
  sent: number;
  /** With a result. */
  answered: number;
  /** With an error, by its kind; `cut` where the connection ended first. */
  readonly refused: Record<string, number>;
}

export interface PacedRequest {
  readonly body: string | Uint8Array;
  readonly atMs: number;
}

/** A flood while it runs: its time, its connections, and what it counts. */
export class FloodAttack {
  readonly counts: FloodCounts = { sent: 0, answered: 0, refused: {} };
  readonly url: string;
  readonly #end: AbortController = new AbortController();
  readonly #connections: LoopbackConnection[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(url: string, milliseconds: number) {
    this.url = url;
    // Every request and every idle connection listens for the end.
    setMaxListeners(0, this.#end.signal);
    this.#timer = setTimeout(() => this.stop(), milliseconds);
  }

  /** Fires when the time is over: then everybody hangs up. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  get isOver(): boolean {
    return this.#end.signal.aborted;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#end.abort();
    for (const connection of this.#connections) connection.close();
  }

  connect(): LoopbackConnection {
    const connection = this.connectOnce();
    this.#connections.push(connection);
    return connection;
  }

  /** A connection that whoever asks for it closes. */
  connectOnce(): LoopbackConnection {
    return new LoopbackConnection(this.url, FLOOD_ADDRESS);
  }

  /** Waits, or less where the attack is over before. */
  async pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.signal }).catch((error: unknown) => {
      if (!this.isOver) throw error;
    });
  }

  /** Sends one request and counts what came of it. @param signal hangs up; by default the end of the attack does */
  async send(connection: LoopbackConnection, body: string | Uint8Array, signal = this.signal): Promise<void> {
    this.counts.sent++;
    try {
      const refusal = refusalIn(await connection.post(body, { keepBytes: KEPT_BYTES, signal }));
      if (refusal === undefined) this.counts.answered++;
      else this.refuse(refusal);
      if (refusal !== undefined) await this.pause(RETRY_MS);
    } catch {
      // Whether the node cut it off or the flood hung up: there is no answer.
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

  /** The same, no request before its time, which is `performance.now()`'s. */
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
