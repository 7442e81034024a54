// A minimal JSON-RPC client, so that no node code stands between the audit and the wire.
import assert from 'node:assert/strict';
import { Agent, type AgentOptions, type IncomingHttpHeaders, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface HttpCall {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export class RpcFailure extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data: { readonly kind?: string; readonly retryable?: boolean; readonly [name: string]: unknown },
    readonly httpStatus: number,
  ) {
    super(`${code} ${data.kind}: ${message} ${JSON.stringify(data)}`);
  }
}

interface RpcAnswer {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: RpcFailure['data'] };
}

/** One call of a batch: its result or its error. */
export type BatchEntry =
  | { readonly result: unknown }
  | { readonly failure: RpcFailure; readonly result?: undefined };

const MAX_BATCH = 200;
/** How often a batch is sent to an overloaded node. */
const MAX_TRIALS = 60;
/** The node closes idle connections after ten seconds, which a test that blocks its event loop does not notice. */
const MAX_IDLE_MS = 5_000;

/** Keeps connections, but not for longer than the node does. */
class KeepingAgent extends Agent {
  readonly #freeSinceMs = new WeakMap<object, number>();

  constructor(options: AgentOptions) {
    super(options);
    this.on('free', (socket: object) => this.#freeSinceMs.set(socket, performance.now()));
  }

  dropIdle(): void {
    const now = performance.now();
    for (const socket of Object.values(this.freeSockets).flat()) {
      if (socket !== undefined && now - (this.#freeSinceMs.get(socket) ?? now) > MAX_IDLE_MS)
        socket.destroy();
    }
  }
}

export class RpcClient {
  readonly #agent = new KeepingAgent({ keepAlive: true, maxSockets: 16 });
  readonly #url: URL;
  readonly #token: string | undefined;
  #nextId = 1;

  constructor(url: string, token?: string) {
    this.#url = new URL(url);
    this.#token = token;
  }

  http(call: HttpCall): Promise<HttpAnswer> {
    this.#agent.dropIdle();
    const { method = 'GET', path = '/v2/rpc' } = call;
    const begunMs = performance.now();
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          agent: this.#agent,
          host: this.#url.hostname,
          port: this.#url.port,
          method,
          path,
          headers: {
            ...(call.body === undefined ? {} : { 'content-length': Buffer.byteLength(call.body) }),
            ...call.headers,
          },
          timeout: 60_000,
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () =>
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              body: Buffer.concat(chunks),
            }),
          );
        },
      );
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer within 60 s')));
      outgoing.on('error', (error) => {
        const connection = outgoing.reusedSocket ? 'a kept connection' : 'a new connection';
        const ms = Math.round(performance.now() - begunMs);
        error.message += ` (${method} ${path} on ${connection}, after ${ms} ms)`;
        reject(error);
      });
      outgoing.end(call.body);
    });
  }

  /** POSTs a body to the RPC path unchanged. */
  post(body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): Promise<HttpAnswer> {
    const token = this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` };
    return this.http({
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...token, ...headers },
    });
  }

  async call(method: string, params: unknown = {}): Promise<unknown> {
    const id = this.#nextId++;
    const answer = await this.post(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const parsed = JSON.parse(answer.body.toString()) as RpcAnswer;
    if (parsed.jsonrpc !== '2.0') throw new Error(`${method}: not JSON-RPC 2.0: ${answer.body.toString()}`);
    if (parsed.error === undefined && parsed.id !== id)
      throw new Error(`${method}: id ${parsed.id}, not ${id}`);
    return unwrap(parsed, answer.status);
  }

  /** Sends calls in as few batches as the batch limit allows; returns results in call order. */
  async batch(
    calls: readonly { readonly method: string; readonly params: unknown }[],
  ): Promise<BatchEntry[]> {
    const entries: BatchEntry[] = [];
    for (let start = 0; start < calls.length; start += MAX_BATCH) {
      entries.push(...(await this.#batch(calls.slice(start, start + MAX_BATCH))));
    }
    return entries;
  }

  async #batch(
    calls: readonly { readonly method: string; readonly params: unknown }[],
  ): Promise<BatchEntry[]> {
    const firstId = this.#nextId;
    this.#nextId += calls.length;
    const body = JSON.stringify(calls.map((call, i) => ({ jsonrpc: '2.0', id: firstId + i, ...call })));
    const answer = await this.post(body);
    const parsed = JSON.parse(answer.body.toString()) as readonly RpcAnswer[] | RpcAnswer;
    if (!Array.isArray(parsed)) {
      unwrap(parsed as RpcAnswer, answer.status);
      throw new Error('a batch was answered with a single result');
    }
    const byId = new Map((parsed as readonly RpcAnswer[]).map((entry) => [entry.id, entry]));
    if (byId.size !== calls.length) throw new Error(`${calls.length} calls, ${byId.size} answers`);
    return calls.map((call, i) => {
      const entry = byId.get(firstId + i);
      if (entry === undefined) throw new Error(`no answer to call ${i} (${call.method}) of a batch`);
      try {
        return { result: unwrap(entry, answer.status) };
      } catch (error) {
        if (error instanceof RpcFailure) return { failure: error };
        throw error;
      }
    });
  }

  /** Sends a batch in which every call has to succeed; sends again what an overloaded node puts off. */
  async batchResults(
    calls: readonly { readonly method: string; readonly params: unknown }[],
  ): Promise<unknown[]> {
    const entries = await this.batch(calls);
    for (let trial = 1; trial < MAX_TRIALS; trial++) {
      const putOff = [...entries.keys()].filter((place) => retryAfterMs(entries[place]) !== undefined);
      if (putOff.length === 0) break;
      await sleep(Math.max(...putOff.map((place) => retryAfterMs(entries[place]) ?? 0)));
      const again = await this.batch(putOff.flatMap((place) => calls[place] ?? []));
      for (const [i, place] of putOff.entries()) entries[place] = again[i] ?? assert.fail();
    }
    return entries.map((entry) => {
      if ('failure' in entry) throw entry.failure;
      return entry.result;
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** How long an overloaded node asks to wait, milliseconds; undefined for any other answer. */
function retryAfterMs(entry: BatchEntry | undefined): number | undefined {
  if (entry === undefined || !('failure' in entry) || entry.failure.data['kind'] !== 'overloaded')
    return undefined;
  return Number(entry.failure.data['retry_after_ms']);
}

function unwrap(answer: RpcAnswer, httpStatus: number): unknown {
  if (answer.error !== undefined) {
    throw new RpcFailure(answer.error.code, answer.error.message, answer.error.data ?? {}, httpStatus);
  }
  if (!('result' in answer)) throw new Error(`neither result nor error: ${JSON.stringify(answer)}`);
  return answer.result;
}
