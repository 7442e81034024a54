import { Redis, type RedisOptions } from 'ioredis';
import { errorMessage } from '../../../base/errors.js';
import type { RedisAddress } from '../../../config/quota-store-url.js';
import { QuotaError } from '../quota-store.js';
import { isRefusal, redisOptions, retryDelayMs, withoutPassword } from './redis-options.js';

const COMMAND_MS = 1_000;
const CONNECT_MS = 2_000;

/** The library's message, too. */
const TIMED_OUT = 'Command timed out';

export interface LinkWatcher {
  onUp(): void;
  /** @param why without secrets */
  onDown(why: string): void;
}

/**
 * A connection to a Redis server that reconnects by itself. Commands fail at once while there is no connection, and are
 * never sent twice: a repeated one could count twice.
 */
export class RedisLink {
  readonly client: Redis;
  /** The option and the address, without the password. */
  readonly name: string;
  readonly #address: RedisAddress;
  readonly #commandMs: number;
  #watcher: LinkWatcher | undefined;
  #isUp = false;
  #why = 'no answer';

  private constructor(address: RedisAddress, commandMs: number) {
    this.#address = address;
    this.#commandMs = commandMs;
    this.name = `--quota-store ${address.name}`;
    this.client = new Redis(optionsFor(address, commandMs));
    this.client.on('error', (error: unknown) => {
      this.#why = this.#clean(errorMessage(error));
    });
    this.client.on('ready', () => {
      this.#isUp = true;
      this.#watcher?.onUp();
    });
    this.client.on('close', () => {
      const wasUp = this.#isUp;
      this.#isUp = false;
      if (wasUp) this.#watcher?.onDown(this.#why);
    });
  }

  /**
   * @param commandMs time limit of a command, after which the link reconnects; default 1,000
   * @returns the link, even if the server cannot be reached within two seconds: it then keeps trying
   * @throws QuotaError refused, if the server answers and refuses, as for a wrong password
   */
  static async open(address: RedisAddress, commandMs = COMMAND_MS): Promise<RedisLink> {
    const link = new RedisLink(address, commandMs);
    try {
      await link.#first();
      return link;
    } catch (error) {
      link.close();
      throw error;
    }
  }

  get isUp(): boolean {
    // The client emits `close` one tick after its status changes.
    return this.#isUp && this.client.status === 'ready';
  }

  /** Why the link is down, without secrets. */
  get why(): string {
    return this.#why;
  }

  watch(watcher: LinkWatcher): void {
    this.#watcher = watcher;
  }

  /** Runs commands. @throws QuotaError unavailable, without the library's error, which holds the commands' arguments */
  async run<T>(commands: (client: Redis) => Promise<T>): Promise<T> {
    if (!this.isUp) throw this.#unavailable(this.#why);
    try {
      return await inTime(commands(this.client), this.#commandMs);
    } catch (error) {
      const why = this.#clean(errorMessage(error));
      // The server may hang, and a late reply must not be taken for that of the next command.
      if (why === TIMED_OUT) this.client.disconnect(true);
      throw this.#unavailable(why);
    }
  }

  /** Runs commands without waiting for each, and returns their results in order. @throws QuotaError unavailable */
  async pipeline(add: (pipeline: ReturnType<Redis['pipeline']>) => void): Promise<readonly unknown[]> {
    const answers = await this.run((client) => {
      const pipeline = client.pipeline();
      add(pipeline);
      return pipeline.exec();
    });
    return (answers ?? []).map(([error, result]) => {
      if (error !== null) throw new QuotaError('unavailable', `${this.name} refuses a command`);
      return result;
    });
  }

  /**
   * A second connection, for messages. Its errors show in the first one. It must subscribe whenever it is ready: nobody sees
   * the library's own subscription fail when the server hangs.
   */
  subscriber(): Redis {
    const subscriber = new Redis({
      ...optionsFor(this.#address, this.#commandMs),
      autoResubscribe: false,
    });
    subscriber.on('error', () => undefined);
    return subscriber;
  }

  close(): void {
    this.#watcher = undefined;
    this.#isUp = false;
    this.client.disconnect();
  }

  #first(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => settle(resolve), CONNECT_MS);
      const onReady = (): void => settle(resolve);
      const onError = (error: unknown): void => {
        if (!isRefusal(error)) return;
        const why = this.#clean(errorMessage(error));
        settle(() => reject(new QuotaError('refused', `${this.name} refuses this node: ${why}`)));
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

  #unavailable(why: string): QuotaError {
    return new QuotaError('unavailable', `${this.name} does not answer: ${why}`);
  }

  #clean(message: string): string {
    return withoutPassword(message, this.#address);
  }
}

/** @throws Error after the time limit of a command, unless the reply has arrived while this thread was busy */
function inTime<T>(reply: Promise<T>, commandMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    // Timers run before sockets are read.
    const timer = setTimeout(() => setImmediate(() => reject(new Error(TIMED_OUT))), commandMs);
    reply.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function optionsFor(address: RedisAddress, commandMs: number): RedisOptions & { replyMapping: 'legacy' } {
  return {
    ...redisOptions(address),
    // For what the library sends while it logs in; `inTime` ends the other commands first.
    commandTimeout: 2 * commandMs,
    connectTimeout: CONNECT_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: retryDelayMs,
  };
}
