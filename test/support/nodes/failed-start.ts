import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import {
  type CommandResult,
  type RunningCommand,
  removeDirectory,
  startHeddle,
  temporaryDirectory,
} from './node-process.js';

const FAULT = fileURLToPath(new URL('./failing-front-thread.js', import.meta.url));
/** Time within which a node must obey a signal. */
const OBEYS_MS = 2_000;

/** Starts nodes that are not to live long, each on a directory of its own. */
export class FailedStarts {
  readonly #scratch = temporaryDirectory();
  #made = 0;

  /** @param fault of the front threads; see failing-front-thread.ts */
  start(flags: readonly string[] = [], fault?: string): RunningCommand {
    this.#made++;
    const args = ['start', '--port', '0', '--data-dir', this.dataDir, ...flags];
    const env = fault === undefined ? {} : { FRONT_FAULT: fault, NODE_OPTIONS: `--import ${FAULT}` };
    return startHeddle(args, { env, timeoutMs: 30_000 });
  }

  /** Of the latest node. */
  get dataDir(): string {
    return `${this.#scratch}/${this.#made}`;
  }

  /** Starts a node on a port that is taken. */
  async refusedPort(threads: string): Promise<void> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const node = this.start(['--front-threads', threads, '--port', `${port}`]);
    assertRefused(await node.ended, /is in use already/);
    server.close();
  }

  dispose(): void {
    removeDirectory(this.#scratch);
  }
}

export function assertRefused({ code, signal, stdout, stderr }: CommandResult, says: RegExp): void {
  assert.equal(signal, null, stderr);
  assert.equal(code, 1, stderr);
  assert.match(stdout + stderr, says);
}

export async function endsBySignal(node: RunningCommand): Promise<void> {
  const sentAt = performance.now();
  node.child.kill('SIGTERM');
  const { signal, stderr } = await node.ended;
  const ms = performance.now() - sentAt;
  assert.equal(signal, 'SIGTERM', stderr);
  assert.ok(ms < OBEYS_MS, `it took ${Math.round(ms)} ms`);
}
