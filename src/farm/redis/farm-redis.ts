import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { errorMessage } from '../../base/errors.js';
import type { RedisAddress } from '../../config/quota-store-url.js';
import {
  isRefusal,
  redisOptions,
  retryDelayMs,
  withoutPassword,
} from '../../rpc/access/redis/redis-options.js';
import { FarmError } from '../farm-error.js';

const CONNECT_MS = 5_000;

/** Time after which a connection without an answer is given up, in milliseconds; the queue's longest wait is 10 s. */
const SILENCE_MS = 30_000;

/** Time between tries while Redis refuses writes, in milliseconds. */
const REFUSED_MS = 1_000;

export interface FarmRedisOptions {
  /** How long commands wait for a lost server before they fail, in milliseconds. */
  readonly patienceMs: number;
  /** Called when the server is lost, when it refuses writes, and when it is back. */
  readonly onChange?: (state: 'lost' | 'refuses' | 'back', why: string) => void;
}

/**
 * The farm's connection to a Redis or Valkey server. It reconnects by itself, and sends unanswered commands again; all
 * commands of the farm may be repeated. Once the server has been away for longer than the patience, they fail.
 */
export class FarmRedis {
  readonly client: Redis;
  /** The address without its password. */
  readonly name: string;
  /** Resolves when the connection has been given up. */
  readonly lost: Promise<FarmError>;
  readonly #address: RedisAddress;
  readonly #options: FarmRedisOptions;
  #lostSince: number | undefined;
  #wasReady = false;
  #why = 'no answer';
  #isClosed = false;

  private constructor(address: RedisAddress, options: FarmRedisOptions) {
    const { onChange } = options;
    this.#address = address;
    this.#options = options;
    this.name = address.name;
    this.client = new Redis({
      ...redisOptions(address),
      connectionName: 'heddle-farm',
      connectTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      // BullMQ's workers require commands without a limit of retries.
      maxRetriesPerRequest: null,
      // The queue's own connections copy this option; only the state of the first one counts.
      retryStrategy: (attempt) => (this.#isGivenUp() ? null : retryDelayMs(attempt)),
    });
    // Each queue listens.
    this.client.setMaxListeners(0);
    this.client.on('error', (error: unknown) => {
      this.#why = withoutPassword(errorMessage(error), address);
    });
    this.client.on('close', () => {
      if (this.#isClosed || this.#lostSince !== undefined) return;
      this.#lostSince = performance.now();
      if (this.#wasReady) onChange?.('lost', this.#why);
    });
    this.client.on('ready', () => {
      if (this.#wasReady && this.#lostSince !== undefined) onChange?.('back', '');
      this.#wasReady = true;
      this.#lostSince = undefined;
    });
    this.lost = new Promise((resolve) => {
      this.client.on('end', () => resolve(this.#gone()));
    });
  }

  /** @throws FarmError redis, if the server cannot be reached within five seconds, refuses, or evicts keys */
  static async open(address: RedisAddress, options: FarmRedisOptions): Promise<FarmRedis> {
    const redis = new FarmRedis(address, options);
    try {
      await redis.#first();
      await redis.#expectNoEviction();
      return redis;
    } catch (error) {
      redis.close();
      throw error;
    }
  }

  /**
   * Runs commands that may be repeated. Waits while Redis refuses writes, as when its disk is full.
   * @throws FarmError redis, without the library's error, which holds the commands' arguments
   */
  async run<T>(commands: (client: Redis) => Promise<T>): Promise<T> {
    const { patienceMs, onChange } = this.#options;
    const start = performance.now();
    for (;;) {
      try {
        return await commands(this.client);
      } catch (error) {
        const explained = this.explained(error);
        const waited = performance.now() - start;
        if (!refusesWrites(explained) || waited > patienceMs) throw explained;
        onChange?.('refuses', explained.message);
        await pause(REFUSED_MS);
      }
    }
  }

  /** Runs a script of `scripts.ts`. @throws FarmError redis */
  script(text: string, keys: readonly string[], args: readonly (string | Buffer | number)[]) {
    return this.run<unknown>((client) => client.call('EVAL', text, keys.length, ...keys, ...args));
  }

  /** The error of a command as one for users; errors of the farm stay as they are. */
  explained(error: unknown): FarmError {
    if (error instanceof FarmError) return error;
    const message = withoutPassword(errorMessage(error), this.#address);
    if (this.client.status === 'end') return this.#gone();
    return new FarmError('redis', `${this.name}: ${advice(message)}`);
  }

  close(): void {
    this.#isClosed = true;
    this.client.disconnect();
  }

  #isGivenUp(): boolean {
    return this.#lostSince !== undefined && performance.now() - this.#lostSince > this.#options.patienceMs;
  }

  #gone(): FarmError {
    const seconds = Math.round(this.#options.patienceMs / 1_000);
    return new FarmError('redis', `${this.name} has not answered for ${seconds} s: ${this.#why}`);
  }

  /** A server that deletes keys when its memory is full would delete calls and results. */
  async #expectNoEviction(): Promise<void> {
    const info = await this.run((client) => client.info('memory'));
    const [, policy = 'noeviction'] = /^maxmemory_policy:(\S+)/m.exec(info) ?? [];
    const hasLimit = /^maxmemory:[1-9]/m.test(info);
    if (!hasLimit || policy === 'noeviction') return;
    throw new FarmError(
      'redis',
      `--redis ${this.name} deletes keys when its memory is full: set its maxmemory-policy to noeviction, not ${policy}`,
    );
  }

  #first(): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (why: string) =>
        settle(() => reject(new FarmError('redis', `--redis ${this.name} ${why}`)));
      const timer = setTimeout(() => fail(`does not answer: ${this.#why}`), CONNECT_MS);
      const onReady = (): void => settle(resolve);
      const onError = (error: unknown): void => {
        const message = withoutPassword(errorMessage(error), this.#address);
        if (isRefusal(error)) fail(`refuses: ${message}`);
        else if (message.includes('ECONNREFUSED')) fail(`does not answer: ${message}; is it running?`);
      };
      const settle = (then: () => void): void => {
        clearTimeout(timer);
        this.client.off('ready', onReady);
        this.client.off('error', onError);
        then();
      };
      this.client.on('ready', onReady);
      this.client.on('error', onError);
    });
  }
}

/** Whether Redis refuses writes for now: its disk or its memory is full, or it is a replica. */
export function refusesWrites(error: unknown): error is FarmError {
  return (
    error instanceof FarmError &&
    error.code === 'redis' &&
    /: (MISCONF|OOM|READONLY|NOREPLICAS)\b/.test(error.message)
  );
}

function advice(message: string): string {
  if (message.startsWith('OOM')) {
    return `${message} (raise its maxmemory, or remove old runs with "heddle farm remove")`;
  }
  if (message.startsWith('MISCONF')) return `${message} (is its disk full?)`;
  return message;
}
