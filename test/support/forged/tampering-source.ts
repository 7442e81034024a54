import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A received JSON-RPC call, parsed. */
export interface SourceCall {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The replacement of an answer: another result, or a broken answer. */
export type Tampered =
  | { readonly kind: 'result'; readonly result: unknown }
  /** The first half of the body, as if complete. */
  | { readonly kind: 'truncated' }
  /** A body that never ends. */
  | { readonly kind: 'endless' }
  /** A body that is sent byte by byte, with pauses. */
  | { readonly kind: 'dripping' }
  | { readonly kind: 'text'; readonly text: string };

export type Tamper = (
  call: SourceCall,
  result: unknown,
) => Tampered | undefined | Promise<Tampered | undefined>;

/** A source that tampers with an honest node's answers as a test wants. */
export class TamperingSource {
  /** undefined: the answer passes unchanged. */
  tamper: Tamper;
  /** Calls by method. */
  readonly calls = new Map<string, number>();
  /** Answers that were tampered with. */
  tampered = 0;
  honestUrl: string;
  /** While set, every connection is broken. */
  cut = false;
  /** Delay of every answer in milliseconds. */
  delayMs = 0;
  readonly #server: Server;
  readonly #timers = new Set<NodeJS.Timeout>();

  private constructor(honestUrl: string, tamper: Tamper) {
    this.honestUrl = honestUrl;
    this.tamper = tamper;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  static async start(honestUrl: string, tamper: Tamper = () => undefined): Promise<TamperingSource> {
    const source = new TamperingSource(honestUrl, tamper);
    await new Promise<void>((resolve) => source.#server.listen(0, '127.0.0.1', resolve));
    return source;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get address(): string {
    return new URL(this.url).host;
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.cut) {
      response.destroy();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const call = JSON.parse(body) as SourceCall;
    this.calls.set(call.method, (this.calls.get(call.method) ?? 0) + 1);
    const answer = await fetch(`${this.honestUrl}/v2/rpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const text = await answer.text();
    const parsed = JSON.parse(text) as { readonly result?: unknown };
    if (this.delayMs > 0) await sleep(this.delayMs);
    const tampered = 'result' in parsed ? await this.tamper(call, parsed.result) : undefined;
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    if (tampered === undefined) {
      response.end(text);
      return;
    }
    this.tampered++;
    switch (tampered.kind) {
      case 'result':
        response.end(JSON.stringify({ ...parsed, result: tampered.result }));
        return;
      case 'truncated':
        response.end(text.slice(0, Math.floor(text.length / 2)));
        return;
      case 'text':
        response.end(tampered.text);
        return;
      case 'endless':
        this.#keepSending(response, text.slice(0, -1), ' '.repeat(4 * 1_048_576), 5);
        return;
      case 'dripping':
        this.#keepSending(response, '', ' ', 200);
        return;
    }
  }

  #keepSending(response: ServerResponse, first: string, more: string, everyMs: number): void {
    response.write(first);
    const timer = setInterval(() => {
      if (!response.writableNeedDrain) response.write(more);
    }, everyMs);
    this.#timers.add(timer);
    response.on('close', () => {
      clearInterval(timer);
      this.#timers.delete(timer);
    });
  }
}
