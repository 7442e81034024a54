import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseRedisUrl } from '../../../src/config/quota-store-url.js';
import { FarmRedis, type FarmRedisOptions } from '../../../src/farm/redis/farm-redis.js';
import { RunStore } from '../../../src/farm/run/run-store.js';
import { FarmWorker, type FarmWorkerOptions } from '../../../src/farm/worker/farm-worker.js';
import { DEADLINE_MS } from '../eventually.js';
import { type CommandOutcome, heddle } from '../nodes/command-line.js';
import {
  type CommandOptions,
  type CommandResult,
  type RunningCommand,
  removeDirectory,
  runHeddle,
  startHeddle,
  temporaryDirectory,
} from '../nodes/node-process.js';
import { RedisServer } from '../tokens/redis-server.js';

const COMMAND_MS = 120_000;

/** What `heddle farm status RUN --json` prints. */
export interface StatusJson {
  readonly phase: string;
  readonly lines: number;
  readonly jobs: number;
  readonly done: number;
  readonly waiting: number;
  readonly active: number;
  readonly failed_jobs: number;
  readonly calls: number;
  readonly answered: number;
  readonly failed: number;
  readonly undetermined: number;
  readonly errors: Readonly<Record<string, number>>;
  readonly failed_job_reasons: readonly { readonly job: number; readonly reason: string }[];
  readonly failures: readonly { readonly line: number; readonly kind: string; readonly message: string }[];
  readonly disagreements: readonly { readonly job: number; readonly lines: readonly [string, string] }[];
  readonly workers: readonly {
    readonly name: string;
    readonly nodes: readonly {
      readonly problem: string;
      readonly allowed: number;
      readonly overloads: number;
    }[];
  }[];
  readonly shares: readonly { readonly worker: string; readonly jobs: number; readonly calls: number }[];
}

/** A worker in this process. */
export interface LocalWorker {
  readonly worker: FarmWorker;
  readonly redis: FarmRedis;
  /** Its log. */
  readonly log: readonly string[];
  /** How it ended; undefined if in order. */
  readonly ended: Promise<unknown>;
  /** Finishes the jobs in progress. */
  stop(): Promise<void>;
}

/** A Redis server, and commands of the farm that use it. */
export class Farm {
  readonly server: RedisServer;
  readonly directory = temporaryDirectory();
  readonly #workers = new Set<LocalWorker>();
  readonly #children = new Set<RunningCommand>();
  #folders = 0;

  private constructor(server: RedisServer) {
    this.server = server;
  }

  static async start(): Promise<Farm> {
    return new Farm(await RedisServer.start());
  }

  get environment(): { readonly HEDDLE_REDIS: string } {
    return { HEDDLE_REDIS: this.server.url };
  }

  async dispose(): Promise<void> {
    for (const { child } of this.#children) child.kill('SIGKILL');
    await Promise.all([...this.#workers].map((worker) => worker.stop()));
    await this.server.dispose();
    removeDirectory(this.directory);
  }

  /** Writes lines to a file of the farm's directory. @returns its path */
  file(name: string, lines: readonly string[]): string {
    const path = join(this.directory, name);
    writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
    return path;
  }

  /** Runs `heddle farm …` in this process. */
  run(...args: readonly string[]): Promise<CommandOutcome> {
    return heddle(['farm', ...args], this.environment, this.directory);
  }

  /** The same; the command must succeed. @returns its standard output */
  async ok(...args: readonly string[]): Promise<string> {
    const { code, out, err } = await this.run(...args);
    assert.equal(code, 0, `heddle farm ${args.join(' ')}: ${err}`);
    return out;
  }

  /** Runs `heddle farm …` in a process of its own. */
  spawned(...args: readonly string[]): Promise<CommandResult> {
    return runHeddle(['farm', ...args], { env: this.environment, timeoutMs: COMMAND_MS });
  }

  /** Starts `heddle farm …`, which {@link dispose} kills. */
  begin(args: readonly string[], options: CommandOptions = {}): RunningCommand {
    const env = { ...this.environment, ...options.env };
    const command = startHeddle(['farm', ...args], { timeoutMs: DEADLINE_MS, ...options, env });
    this.#children.add(command);
    const forget = () => void this.#children.delete(command);
    void command.ended.then(forget, forget);
    return command;
  }

  /** Starts a worker in a process of its own. */
  worker(urls: readonly string[], ...args: readonly string[]): RunningCommand {
    return this.begin(['worker', '--url', urls.join(','), '--lease', '1', ...args]);
  }

  /** Starts a worker in this process. */
  async localWorker(
    name: string,
    urls: readonly string[],
    options: Partial<FarmWorkerOptions> & { readonly patienceMs?: number } = {},
  ): Promise<LocalWorker> {
    const { patienceMs = 60_000, ...rest } = options;
    const log: string[] = [];
    const note = (fields: object, message: string) => void log.push(`${message} ${JSON.stringify(fields)}`);
    const redis = await this.connect(patienceMs, (state, why) => note({ state, why }, 'Redis'));
    const worker = new FarmWorker({
      redis,
      name,
      concurrency: 64,
      jobsAtOnce: 2,
      leaseMs: 1_000,
      nodes: urls.map((url) => ({ url, token: undefined })),
      log: { debug: note, info: note, warn: note, error: note },
      ...rest,
    });
    const ending = new AbortController();
    const ended = worker.run(ending.signal).then(
      () => undefined,
      (error: unknown) => error,
    );
    const local = {
      worker,
      redis,
      log,
      ended,
      stop: async () => {
        ending.abort();
        await ended;
        redis.close();
        this.#workers.delete(local);
      },
    };
    this.#workers.add(local);
    return local;
  }

  /** A connection of its own; the caller closes it. */
  connect(patienceMs = 60_000, onChange?: FarmRedisOptions['onChange']): Promise<FarmRedis> {
    const address = parseRedisUrl(this.server.url);
    assert.ok(address !== undefined);
    return FarmRedis.open(address, { patienceMs, ...(onChange !== undefined && { onChange }) });
  }

  /** Uses the runs in Redis. */
  async withStore<T>(use: (store: RunStore) => Promise<T>): Promise<T> {
    const redis = await this.connect();
    try {
      return await use(new RunStore(redis));
    } finally {
      redis.close();
    }
  }

  async status(run: string): Promise<StatusJson> {
    return JSON.parse(await this.ok('status', run, '--json')) as StatusJson;
  }

  /** Waits until the status of a run holds. */
  async until(run: string, what: string, holds: (status: StatusJson) => boolean): Promise<StatusJson> {
    const deadline = performance.now() + DEADLINE_MS;
    for (;;) {
      const status = await this.status(run);
      if (holds(status)) return status;
      assert.ok(performance.now() < deadline, `${run} is not ${what}: ${JSON.stringify(status)}`);
      await sleep(50);
    }
  }

  complete(run: string): Promise<StatusJson> {
    return this.until(run, 'complete', ({ phase }) => phase === 'complete');
  }

  /** The result lines of a run, as `heddle farm results` writes them to a folder. */
  async results(run: string, ...args: readonly string[]): Promise<string[]> {
    const folder = join(this.directory, `results-${this.#folders++}`);
    await this.ok('results', run, '--out', folder, '--compress', 'none', ...args);
    return linesOfFolder(folder);
  }
}

/** The lines of the uncompressed result files of a folder. */
export function linesOfFolder(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ndjson'))
    .sort()
    .flatMap((name) => linesOf(readFileSync(join(folder, name), 'utf8')));
}

export function linesOf(text: string): string[] {
  return text === '' ? [] : text.trimEnd().split('\n');
}

/** A result line of the farm without the block, as `heddle simulate` writes it. */
export function withoutBlock(line: string): string {
  return line.replace(/,"height":\d+,"block_hash":"[0-9a-f]{64}"/, '');
}

/** A call of a stub. */
export function viewLine(input: number | string, more: Readonly<Record<string, unknown>> = {}): string {
  const contract = `0x${'11'.repeat(20)}`;
  return JSON.stringify({ method: 'view_call', params: { contract, input: `0x${input}`, ...more } });
}
