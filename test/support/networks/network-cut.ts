import assert from 'node:assert/strict';
import { createServer, connect as dial, type Server, type Socket } from 'node:net';

interface Line {
  readonly near: Socket;
  /** Absent if the other validator is cut off. */
  readonly far: Socket | undefined;
  isHushed: boolean;
}

interface Proxy {
  readonly from: number;
  readonly to: number;
  readonly port: number;
  readonly server: Server;
  readonly lines: Set<Line>;
}

/** Effect of a cut: connections break and are refused, or data silently stops. */
export type CutKind = 'severed' | 'silent';

/** A TCP proxy for every pair of validators and each direction of dialling, which a test can cut and heal. */
export class NetworkCut {
  readonly #ports: readonly number[];
  readonly #proxies: Proxy[] = [];
  #groups: readonly (readonly number[])[] | undefined;
  #kind: CutKind = 'severed';

  private constructor(ports: readonly number[]) {
    this.#ports = ports;
  }

  /** @param ports where the validators listen, by index */
  static async open(ports: readonly number[]): Promise<NetworkCut> {
    const cut = new NetworkCut(ports);
    for (const from of ports.keys()) {
      for (const to of ports.keys()) if (from !== to) await cut.#listen(from, to);
    }
    return cut;
  }

  /** The other validators' proxy addresses, for a validator's `--peers`. */
  peersOf(index: number): readonly string[] {
    return this.#proxies
      .filter(({ from }) => from === index)
      .map(({ to, port }) => `${to}@127.0.0.1:${port}`);
  }

  /** From here on, only members of the same group reach each other. */
  cut(groups: readonly (readonly number[])[], kind: CutKind): void {
    this.#groups = groups;
    this.#kind = kind;
    for (const proxy of this.#proxies) {
      if (this.#isOpen(proxy)) continue;
      for (const line of proxy.lines) kind === 'severed' ? close(line) : hush(line);
    }
  }

  /** Heals the cut; silent connections break, as they do after a while in real networks. */
  heal(): void {
    this.#groups = undefined;
    for (const { lines } of this.#proxies) {
      for (const line of lines) if (line.isHushed) close(line);
    }
  }

  async close(): Promise<void> {
    for (const { server, lines } of this.#proxies) {
      for (const line of lines) close(line);
      await new Promise((resolve) => server.close(resolve));
    }
  }

  #isOpen({ from, to }: Proxy): boolean {
    return this.#groups?.some((group) => group.includes(from) && group.includes(to)) ?? true;
  }

  async #listen(from: number, to: number): Promise<void> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    const proxy = { from, to, port: address.port, server, lines: new Set<Line>() };
    this.#proxies.push(proxy);
    server.on('connection', (near) => this.#accept(proxy, near));
  }

  #accept(proxy: Proxy, near: Socket): void {
    const far = this.#isOpen(proxy)
      ? dial({ port: this.#ports[proxy.to] ?? 0, host: '127.0.0.1' })
      : undefined;
    const line: Line = { near, far, isHushed: false };
    proxy.lines.add(line);
    for (const socket of [near, far]) {
      socket?.setNoDelay(true);
      socket?.on('error', () => close(line));
      socket?.on('close', () => {
        close(line);
        proxy.lines.delete(line);
      });
    }
    if (far !== undefined) {
      near.pipe(far);
      far.pipe(near);
    } else if (this.#kind === 'severed') close(line);
    else hush(line);
  }
}

function close({ near, far }: Line): void {
  near.destroy();
  far?.destroy();
}

/** Stops forwarding; sent data stays in the system's buffers. */
function hush(line: Line): void {
  const { near, far } = line;
  line.isHushed = true;
  near.unpipe();
  near.pause();
  far?.unpipe();
  far?.pause();
}
