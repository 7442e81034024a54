import type { MessagePort } from 'node:worker_threads';
import { errorMessage } from '../../base/errors.js';
import { loadHashes } from '../../crypto/load-hashes.js';
import { ledger } from '../../ledger/codecs.js';
import { cachedValue, cacheWrites } from '../../storage/fork-base/fork-cache.js';
import { Mailboxes, type Question } from '../../storage/fork-base/mailboxes.js';
import { latin1 } from '../../storage/latin1.js';
import { openStore } from '../../storage/open-store.js';
import type { Store } from '../../storage/store.js';
import type { ForkReply, ForkRequest, ForkWorkerData } from './fork-messages.js';
import { ForkedChain } from './forked-chain.js';

/** The thread's side of fork-messages.ts: reads the forked chain for blocked threads until stopped. */
export async function serveFork(port: MessagePort, data: ForkWorkerData): Promise<void> {
  const crypto = await loadHashes(data.native);
  const { directory, native } = data;
  const cache = await openStore({ directory, native, report: () => undefined });
  const chain = new ForkedChain(data, ledger.BlockHeader.decode(data.header), crypto);
  const post = (reply: ForkReply) => port.postMessage(reply);
  const server = new ForkServer(chain, cache, new Mailboxes(data.mailboxes), post);
  port.on('message', async (request: ForkRequest) => {
    switch (request.type) {
      case 'copying':
        server.copying(request.names);
        break;
      case 'flush':
        post({ type: 'flushed' });
        break;
      case 'stop':
        server.stop();
        await cache.close();
        post({ type: 'stopped' });
    }
  });
  post({ type: 'ready', cache: cache.handle });
  await server.run();
}

/** Interval of looking for the boxes of threads that have ended. */
const RECLAIM_MS = 10_000;

class ForkServer {
  /** Reads in progress by name, so that threads with the same question share one. */
  readonly #reads = new Map<string, Promise<Uint8Array | undefined>>();
  #copying = new Set<string>();
  #isStopped = false;

  constructor(
    readonly chain: ForkedChain,
    readonly cache: Store,
    readonly boxes: Mailboxes,
    readonly post: (reply: ForkReply) => void,
  ) {}

  async run(): Promise<void> {
    setInterval(() => this.boxes.reclaim(performance.now()), RECLAIM_MS).unref();
    while (!this.#isStopped) {
      const { count } = this.boxes;
      for (const question of this.boxes.take()) void this.#answer(question);
      await this.boxes.asked(count);
    }
  }

  stop(): void {
    this.#isStopped = true;
  }

  copying(names: readonly Uint8Array[]): void {
    this.#copying = new Set(names.map(latin1));
  }

  async #answer(question: Question): Promise<void> {
    try {
      this.boxes.answer(question, { isHidden: await this.#isHidden(question) });
    } catch (error) {
      this.boxes.answer(question, { error: errorMessage(error) });
    }
  }

  /** Reads a value into the cache. An execution must not see one that its own block copies. */
  async #isHidden({ name, purpose }: Question): Promise<boolean> {
    const text = latin1(name);
    if (purpose === 'execute' && this.#copying.has(text)) return true;
    const known = cachedValue(this.cache, name);
    const value = known === undefined ? await this.#read(name, text) : known.value;
    if (purpose === 'execute' && value !== undefined) this.post({ type: 'missed', name });
    return false;
  }

  #read(name: Uint8Array, text: string): Promise<Uint8Array | undefined> {
    let read = this.#reads.get(text);
    if (read === undefined) {
      read = this.#fetch(name).finally(() => this.#reads.delete(text));
      this.#reads.set(text, read);
    }
    return read;
  }

  async #fetch(name: Uint8Array): Promise<Uint8Array | undefined> {
    const forked = await this.chain.read(name);
    await this.cache.write(cacheWrites(name, forked), { sync: false });
    return forked.value;
  }
}
