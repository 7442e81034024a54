import assert from 'node:assert/strict';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Forwards connections to a node until it cuts them. */
export class CuttingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  cuts = 0;

  private constructor(target: string) {
    const { hostname, port } = new URL(target);
    this.#server = createServer((incoming) => {
      const outgoing = connect(Number(port), hostname);
      for (const socket of [incoming, outgoing]) {
        this.#sockets.add(socket);
        socket.on('error', () => socket.destroy());
        socket.on('close', () => {
          this.#sockets.delete(socket);
          incoming.destroy();
          outgoing.destroy();
        });
      }
      incoming.pipe(outgoing).pipe(incoming);
    });
  }

  static async open(target: string): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    const address = this.#server.address();
    assert.ok(typeof address === 'object' && address !== null);
    return `http://127.0.0.1:${address.port}`;
  }

  cut(): void {
    if (this.#sockets.size > 0) this.cuts++;
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.#server.close();
    this.cut();
  }
}
