import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NodeRpcV1Methods } from '../../../src/generated/node-rpc-v1.js';
import { rpcMethods } from '../../../src/ledger/rpc-codecs.js';

/** An error for a fake handler to answer with. */
export class FakeRpcError extends Error {
  readonly code: number;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: number, kind: string, data: Readonly<Record<string, unknown>> = {}) {
    super(`fake ${kind}`);
    this.code = code;
    this.data = { kind, retryable: false, ...data };
  }
}

export function rejected(reason: string, retryable = false): FakeRpcError {
  return new FakeRpcError(-32010, 'transaction_rejected', { reason, retryable });
}

export type FakeHandlers = {
  -readonly [M in keyof NodeRpcV1Methods]?: (
    params: NodeRpcV1Methods[M]['params'],
  ) => NodeRpcV1Methods[M]['result'] | Promise<NodeRpcV1Methods[M]['result']>;
};

export interface FakeRequest {
  readonly headers: IncomingMessage['headers'];
  /** Parsed. */
  readonly body: unknown;
}

/** An interference with the normal answer to a request. */
export type Interference =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Answers with a body that does not end. */
  | { readonly kind: 'endless' }
  /** Executes the request, but breaks the connection before the answer. */
  | { readonly kind: 'lose answer' }
  /** Breaks the connection without reading the request. */
  | { readonly kind: 'reset' }
  /** Never answers. */
  | { readonly kind: 'hang' };

/** A JSON-RPC server on a free port whose behaviour a test sets, method by method and request by request. */
export class FakeNode {
  readonly handlers: FakeHandlers;
  /** Every HTTP request that arrived, in order. */
  readonly requests: FakeRequest[] = [];
  /** Called for each request; undefined lets it pass. */
  interfere: (request: FakeRequest, index: number) => Interference | undefined = () => undefined;
  /** Requests in flight now, and the maximum so far. */
  inFlight = 0;
  mostInFlight = 0;
  readonly #server: Server;

  private constructor(handlers: FakeHandlers) {
    this.handlers = handlers;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        response.destroy(error instanceof Error ? error : new Error(String(error)));
      });
    });
  }

  static async start(handlers: FakeHandlers = {}): Promise<FakeNode> {
    const node = new FakeNode(handlers);
    await new Promise<void>((resolve) => node.#server.listen(0, '127.0.0.1', resolve));
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const seen = { headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) as unknown };
    const index = this.requests.push(seen) - 1;
    this.inFlight++;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    try {
      const interference = this.interfere(seen, index);
      if (interference?.kind === 'hang') return;
      if (interference?.kind === 'reset') {
        response.destroy();
        return;
      }
      if (interference?.kind === 'answer') {
        response.writeHead(interference.status, interference.headers).end(interference.body);
        return;
      }
      if (interference?.kind === 'endless') {
        writeForever(response);
        return;
      }
      const answer = Array.isArray(seen.body)
        ? `[${(await Promise.all(seen.body.map((call) => this.#answer(call)))).join(',')}]`
        : await this.#answer(seen.body);
      if (interference?.kind === 'lose answer') response.destroy();
      else response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    } finally {
      this.inFlight--;
    }
  }

  async #answer(call: unknown): Promise<string> {
    const { id, method, params } = call as { id: number; method: string; params: unknown };
    const codec = rpcMethods.get(method);
    const handler = this.handlers[method as keyof NodeRpcV1Methods] as
      | ((params: unknown) => unknown)
      | undefined;
    try {
      if (codec === undefined || handler === undefined) {
        throw new FakeRpcError(-32601, 'method_not_found', { method });
      }
      const result = codec.encodeResult(await handler(codec.decodeParams(params)));
      return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
    } catch (error) {
      if (!(error instanceof FakeRpcError)) throw error;
      const { code, message, data } = error;
      return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } });
    }
  }
}

function writeForever(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
  };
  response.on('drain', more);
  more();
}
