import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Limits } from '../../../src/config/limits.js';
import type { NativeMode } from '../../../src/config/native-mode.js';
import { ExecutionPool, type ExecutionPoolOptions } from '../../../src/execution/pool/execution-pool.js';
import type { NodeOverrides, RunningNode } from '../../../src/node.js';
import { ProofService, type ProofServiceOptions } from '../../../src/proofs/proof-service.js';
import { openStore } from '../../../src/storage/open-store.js';
import type { Store } from '../../../src/storage/store.js';
import { removeDirectory, temporaryDirectory } from '../temporary-directory.js';

export interface StorePart {
  /** Default `auto`. */
  readonly native?: NativeMode;
  /** Default: a node's cache size. */
  readonly cacheBytes?: number;
}

export interface ProofsPart extends Omit<ProofServiceOptions, 'onProgress'> {
  /** Default: none. */
  readonly onProgress?: ProofServiceOptions['onProgress'];
}

export interface NodePart extends NodeOverrides {
  /** Limits that no option sets. By default calls wait long, because the machine may be busy. */
  readonly limits?: Partial<Limits>;
  /** Options of the node by flag. By default it listens on a free port, logs errors, and keeps its data in `data`. */
  readonly flags?: Readonly<Record<string, string>>;
}

/**
 * Opens parts of a node on demand, in this process. {@link close} closes them in reverse order and removes their
 * directory.
 */
export class NodeParts {
  /** Holds the files of all parts. */
  readonly directory = temporaryDirectory();
  readonly #closing: (() => Promise<unknown>)[] = [];

  /** Parts for one test, closed after it. */
  static for(t: TestContext): NodeParts {
    const parts = new NodeParts();
    t.after(() => parts.close());
    return parts;
  }

  async store({ native = 'auto', cacheBytes }: StorePart = {}): Promise<Store> {
    const store = await openStore({
      directory: join(this.directory, 'store'),
      native,
      report: () => undefined,
      ...(cacheBytes === undefined ? {} : { cacheBytes }),
    });
    this.#closing.push(() => store.close());
    return store;
  }

  /** A pool of worker threads, which have no store unless `setup` names it. */
  execution(options: Partial<ExecutionPoolOptions> = {}): ExecutionPool {
    const pool = new ExecutionPool({ setup: { native: 'auto' }, workers: 1, ...options });
    this.#closing.push(() => pool.stop());
    return pool;
  }

  async proofs(options: ProofsPart): Promise<ProofService> {
    const service = await ProofService.start({ onProgress: () => undefined, ...options });
    this.#closing.push(() => service.stop());
    return service;
  }

  /** A whole node; it may be stopped before the others, to restart on its data. */
  async node({ flags = {}, limits = {}, ...overrides }: NodePart = {}): Promise<RunningNode> {
    // Imports these on demand, because a test of a single part does not need them.
    const [{ loadConfig }, { createLogger }, { startNode }] = await Promise.all([
      import('../../../src/config/config.js'),
      import('../../../src/log.js'),
      import('../../../src/node.js'),
    ]);
    const config = loadConfig({
      // The time limits are generous, because the machine may be busy; a test of refusals sets its own.
      flags: {
        'data-dir': 'data',
        port: '0',
        'log-level': 'error',
        // Front threads would stay until the process ends.
        'front-threads': '0',
        'max-call-ms': '60000',
        ...flags,
      },
      environment: {},
      workingDirectory: this.directory,
    });
    const node = await startNode(
      { ...config, maxCallWaitMs: 120_000, ...limits },
      await createLogger(config),
      overrides,
    );
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= node.stop();
      return stopped;
    };
    this.#closing.push(stop);
    return { ...node, stop };
  }

  async close(): Promise<void> {
    for (const close of this.#closing.splice(0).reverse()) await close();
    removeDirectory(this.directory);
  }
}
