import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadRequest } from '../../../src/execution/read-requests.js';
import type { HttpServer } from '../../../src/rpc/http/http-server.js';
import type { EventSource } from '../../../src/rpc/subscriptions/channel-table.js';
import { FakeRpc, type FakeRpcOptions } from './fake-rpc.js';
import type { HttpImplementation } from './http-implementations.js';
import { SocketWire, type UpgradeOptions } from './socket-wire.js';

/** A chain of which a test decides when it grows; its blocks and logs are their heights. */
export class GrowingChain {
  height = 0n;
  firstHeight = 0n;
  /** Length of filler in each event. */
  padding = 0;
  /** Number of reads so far. */
  reads = 0;
  pending: ((transactions: readonly (string | undefined)[]) => void) | undefined;

  get source(): EventSource {
    const self = this;
    return {
      chain: {
        get tip() {
          return { header: { height: self.height } } as EventSource['chain']['tip'];
        },
        get finalizedHeight() {
          return self.height;
        },
        get firstHeight() {
          return self.firstHeight;
        },
      },
      reads: { read: (request) => self.#read(request) },
      pending: {
        listen: (listener) => {
          self.pending = listener;
        },
      },
    };
  }

  async #read(request: ReadRequest): Promise<string> {
    // Every block may have events of every filter.
    if (request.kind === 'event_bloom') return Buffer.of(0xff).toString('base64');
    if (request.kind !== 'events') throw new Error(`unexpected read of ${request.kind}`);
    this.reads++;
    await sleep(1);
    const { from, to, limit, maxLength } = request.query;
    const events: string[] = [];
    const padding = 'x'.repeat(this.padding);
    let length = 0;
    let height = from;
    for (; height <= to && events.length < limit && length < maxLength; height++) {
      const event = JSON.stringify({ height: Number(height), padding });
      length += event.length;
      events.push(event);
    }
    return [`${height}`, ...events].join('\u001e');
  }
}

/** The front end on a real socket, with its connections. */
export class SocketServer {
  readonly rpc: FakeRpc;
  readonly server: HttpServer;
  readonly chain = new GrowingChain();
  readonly #wires: SocketWire[] = [];

  static async open(implementation: HttpImplementation, options?: FakeRpcOptions): Promise<SocketServer> {
    const rpc = await FakeRpc.create(options);
    const server = await implementation.open({ host: '127.0.0.1', port: 0, ...rpc.frontEnd.httpOptions });
    return new SocketServer(rpc, server);
  }

  private constructor(rpc: FakeRpc, server: HttpServer) {
    this.rpc = rpc;
    this.server = server;
    rpc.frontEnd.events.open(this.chain.source);
  }

  async connect(options?: UpgradeOptions): Promise<SocketWire> {
    const wire = await SocketWire.open(this.server.port, options);
    this.#wires.push(wire);
    return wire;
  }

  async dispose(): Promise<void> {
    for (const wire of this.#wires) wire.close();
    await this.server.stop(0);
    await this.rpc.dispose();
  }
}
