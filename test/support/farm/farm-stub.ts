import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BlockSummary, Status, TxSimulateResult } from '../../../src/generated/node-rpc-v1.js';
import { rpcMethods } from '../../../src/ledger/rpc-codecs.js';

/** Height of the stub's tip. */
export const TIP = 20;

/** JSON text of a result, or the error that answers a call. */
export type StubAnswer =
  | string
  | { readonly kind: string; readonly message?: string; readonly data?: Readonly<Record<string, unknown>> };

/** Parameters of a call, parsed. */
export type StubParams = Readonly<Record<string, unknown>>;

/** Hash of a block of the stub's chain. */
export function stubHash(height: number): string {
  return height.toString(16).padStart(2, '0').repeat(32);
}

/** A finished view call. */
export function viewAnswer(gas: number, more = ''): string {
  return `{"status":{"type":"success","value":null},"output":"0x","gas_used":${gas}${more}}`;
}

/** A node with a chain of 20 empty blocks whose answers to `view_call` a test chooses. */
export class FarmStub {
  /** Answers `view_call`. */
  view: (params: StubParams, text: string) => StubAnswer | Promise<StubAnswer> = () => viewAnswer(1);
  /** Highest block whose state the node has. */
  newest = TIP;
  /** Answers a whole request in place of the node; undefined lets it pass. */
  interfere: (body: string) => { readonly status: number; readonly body: string } | 'reset' | undefined =
    () => undefined;
  /** Calls of `view_call` so far, in flight, and at most in flight. */
  calls = 0;
  inFlight = 0;
  mostInFlight = 0;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        response.destroy(error instanceof Error ? error : new Error(String(error)));
      });
    });
  }

  static async start(): Promise<FarmStub> {
    const stub = new FarmStub();
    await stub.listen(0);
    return stub;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  listen(port: number): Promise<void> {
    return new Promise((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const interference = this.interfere(text);
    if (interference === 'reset') {
      response.destroy();
      return;
    }
    if (interference !== undefined) {
      response.writeHead(interference.status).end(interference.body);
      return;
    }
    const body = JSON.parse(text) as unknown;
    const answer = Array.isArray(body)
      ? `[${(await Promise.all(body.map((call) => this.#answer(call, text)))).join(',')}]`
      : await this.#answer(body, text);
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  }

  async #answer(call: unknown, text: string): Promise<string> {
    const { id, method, params } = call as { id: number; method: string; params: StubParams };
    const answer = await this.#resultOf(method, params, text);
    if (typeof answer === 'string') return `{"jsonrpc":"2.0","id":${id},"result":${answer}}`;
    const { kind, message = `stub ${kind}`, data } = answer;
    const error = { code: -32_001, message, data: { kind, retryable: kind === 'overloaded', ...data } };
    return JSON.stringify({ jsonrpc: '2.0', id, error });
  }

  #resultOf(method: string, params: StubParams, text: string): StubAnswer | Promise<StubAnswer> {
    switch (method) {
      case 'view_call':
        return this.#viewed(params, text);
      case 'status':
        return encoded('status', this.#status());
      case 'get_block_summaries': {
        const [from, to] = [Number(params['from_height']), Number(params['to_height'])];
        if (from > this.newest) return { kind: 'not_found', data: { next: this.newest + 1 } };
        const heights = Array.from({ length: Math.max(0, to - from + 1) }, (_, place) => from + place);
        return encoded('get_block_summaries', {
          blocks: heights.filter((height) => height <= this.newest).map(summary),
        });
      }
      case 'tx_simulate': {
        const { value: hash } = params['at'] as { readonly value: string };
        const height = Number.parseInt(hash.slice(0, 2), 16);
        if (height > this.newest) return { kind: 'not_found', data: { what: 'block', hash } };
        return encoded('tx_simulate', simulated(height));
      }
      default:
        return { kind: 'method_not_found', data: { method } };
    }
  }

  async #viewed(params: StubParams, text: string): Promise<StubAnswer> {
    this.calls++;
    this.inFlight++;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    try {
      return await this.view(params, text);
    } finally {
      this.inFlight--;
    }
  }

  #status(): Status {
    const height = BigInt(this.newest);
    const hash = Buffer.from(stubHash(this.newest), 'hex');
    return {
      version: '0.0.0',
      chain_id: 77n,
      now_ms: 1_000n,
      uptime_ms: 1_000n,
      block_time_ms: 250,
      tip: { height, hash, timestamp_ms: 1n, state_root: hash, epoch: 0n, view: height },
      finalized_height: height,
      latest_checkpoint: { height: 0n, state_root: hash },
      txpool_size: 0,
      epoch: 0n,
      validator_set: { epoch: 0n, quorum: 1, group_public_key: new Uint8Array(48), validators: [] },
      syncing: false,
    };
  }
}

function encoded(method: string, result: unknown): string {
  return String(rpcMethods.get(method)?.encodeResult(result));
}

function summary(height: number): BlockSummary {
  const hash = Buffer.from(stubHash(height), 'hex');
  return {
    height: BigInt(height),
    hash,
    parent_hash: hash,
    state_root: hash,
    timestamp_ms: 1n,
    proposer: 0,
    epoch: 0n,
    view: BigInt(height),
    tx_count: 0,
    gas_used: 0n,
    gas_limit: 1n,
    base_fee: 10n,
    finalized: true,
  };
}

function simulated(height: number): TxSimulateResult {
  return {
    status: { type: 'success' },
    gas_used: 1n,
    gas_estimate: 1n,
    fee: 0n,
    output: new Uint8Array(0),
    logs: [],
    state_diff: [],
    height: BigInt(height),
  };
}
