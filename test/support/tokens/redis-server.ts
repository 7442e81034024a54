import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEADLINE_MS } from '../eventually.js';
import { freePorts } from '../free-ports.js';
import { removeDirectory, temporaryDirectory } from '../temporary-directory.js';

/** Why tests that need a Redis server are skipped; false if they run. */
export const WITHOUT_REDIS =
  spawnSync('redis-server', ['--version']).error === undefined
    ? false
    : 'redis-server (Debian: redis-server) is not installed';

/** Files of a certificate and its key. */
export interface RedisTls {
  readonly certificate: string;
  readonly key: string;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A real Redis server on a free port of 127.0.0.1, which syncs each change before it answers. */
export class RedisServer {
  readonly port: number;
  readonly #directory = temporaryDirectory();
  readonly #password: string | undefined;
  readonly #tls: RedisTls | undefined;
  #child: ChildProcess | undefined;

  private constructor(port: number, password: string | undefined, tls: RedisTls | undefined) {
    this.port = port;
    this.#password = password;
    this.#tls = tls;
  }

  /** @param tls its port takes TLS in place of plain connections, so that {@link command} cannot reach it */
  static async start(password?: string, tls?: RedisTls): Promise<RedisServer> {
    const [port = 0] = await freePorts(1);
    const server = new RedisServer(port, password, tls);
    await server.start();
    return server;
  }

  get url(): string {
    const login = this.#password === undefined ? '' : `:${encodeURIComponent(this.#password)}@`;
    return `${this.#tls === undefined ? 'redis' : 'rediss'}://${login}127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Starts the server on its data, and waits until it answers. */
  async start(): Promise<void> {
    const ports = this.#tls === undefined ? { port: this.port } : tlsSettings(this.port, this.#tls);
    const settings = { ...ports, bind: '127.0.0.1', dir: this.#directory, save: '' };
    const durable = { appendonly: 'yes', appendfsync: 'always', 'maxmemory-policy': 'noeviction' };
    const login = this.#password === undefined ? {} : { requirepass: this.#password };
    const args = Object.entries({ ...settings, ...durable, ...login }).flatMap(([name, value]) => [
      `--${name}`,
      String(value),
    ]);
    const child = spawn('redis-server', args, { stdio: 'ignore' });
    running.add(child);
    child.on('exit', () => running.delete(child));
    this.#child = child;
    const deadline = performance.now() + DEADLINE_MS;
    while (!(await this.#answers())) {
      if (performance.now() > deadline || child.exitCode !== null)
        throw new Error('redis-server does not start');
      await sleep(20);
    }
  }

  /** Ends the server by a signal; its data stay. */
  async stop(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** Lets the server hang, or go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(signal);
  }

  async dispose(): Promise<void> {
    await this.stop('SIGKILL');
    removeDirectory(this.#directory);
  }

  /** Sends a command in the inline form and returns the beginning of the answer. */
  command(line: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.port, '127.0.0.1');
      let text = '';
      socket.setEncoding('utf8');
      socket.on('error', reject);
      socket.on('data', (piece: string) => {
        text += piece;
        if (text.startsWith('+OK') && this.#password !== undefined) text = text.replace('+OK\r\n', '');
        if (text.endsWith('\r\n')) socket.destroy();
      });
      socket.on('close', () => resolve(text));
      const login = this.#password === undefined ? '' : `AUTH ${this.#password}\r\n`;
      socket.write(`${login}${line}\r\n`);
    });
  }

  async #answers(): Promise<boolean> {
    try {
      if (this.#tls !== undefined) return await accepts(this.port);
      return (await this.command('PING')).includes('PONG');
    } catch {
      return false;
    }
  }
}

function tlsSettings(
  port: number,
  { certificate, key }: RedisTls,
): Readonly<Record<string, string | number>> {
  const files = { 'tls-cert-file': certificate, 'tls-key-file': key, 'tls-ca-cert-file': certificate };
  return { port: 0, 'tls-port': port, ...files, 'tls-auth-clients': 'no' };
}

/** Whether something listens on a port of 127.0.0.1. */
function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
