import { Worker } from 'node:worker_threads';
import type { SignedTransactions } from './submitter.js';

/** The transfers to sign: numbers `start` to `end` − 1 of an endless sequence in which all accounts take turns. */
export interface SignTask {
  readonly start: number;
  readonly end: number;
  readonly accounts: number;
  /** Nonce of each account's first transfer in the sequence. */
  readonly firstNonce: bigint;
  readonly chainId: bigint;
  readonly gasLimit: bigint;
  readonly maxFee: bigint;
  /** Also answer with the accounts' addresses, 40 hex digits each. */
  readonly withAddresses?: boolean;
}

interface SignAnswer {
  readonly signed: Uint8Array;
  readonly addresses: readonly string[];
}

/** Bytes of one signed transfer, borsh(SignedTransaction). */
export const SIGNED_TRANSFER_BYTES = 215;

/** Consecutive transfers of {@link SIGNED_TRANSFER_BYTES} each. */
export function signedTransfers(signed: Buffer): SignedTransactions {
  return {
    count: signed.length / SIGNED_TRANSFER_BYTES,
    hexAt: (index) => {
      const start = index * SIGNED_TRANSFER_BYTES;
      return signed.toString('hex', start, start + SIGNED_TRANSFER_BYTES);
    },
  };
}

/** Signs ranges of transfers on several threads. */
export class Presigner {
  readonly #workers: readonly Worker[];

  constructor(threads: number) {
    const entry = new URL('./presign-worker.js', import.meta.url);
    this.#workers = Array.from({ length: threads }, () => new Worker(entry));
  }

  /** The signed transfers of the range, consecutive, {@link SIGNED_TRANSFER_BYTES} each. */
  async sign(task: SignTask): Promise<Buffer> {
    const each = Math.ceil((task.end - task.start) / this.#workers.length);
    const parts = this.#workers.map((worker, i) => {
      const start = Math.min(task.end, task.start + i * each);
      return ask(worker, { ...task, start, end: Math.min(task.end, start + each) });
    });
    return Buffer.concat((await Promise.all(parts)).map((answer) => answer.signed));
  }

  /** The addresses of the first `accounts` accounts. */
  async addresses(accounts: number): Promise<readonly string[]> {
    const [worker] = this.#workers;
    if (worker === undefined) throw new Error('a presigner without threads');
    const nothing = { start: 0, end: 0, firstNonce: 0n, chainId: 0n, gasLimit: 0n, maxFee: 0n };
    return (await ask(worker, { ...nothing, accounts, withAddresses: true })).addresses;
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

function ask(worker: Worker, task: SignTask): Promise<SignAnswer> {
  return new Promise((resolve, reject) => {
    const done = (): void => {
      worker.off('message', answered);
      worker.off('error', failed);
    };
    const answered = (answer: SignAnswer): void => {
      done();
      resolve(answer);
    };
    const failed = (error: Error): void => {
      done();
      reject(error);
    };
    worker.on('message', answered);
    worker.on('error', failed);
    worker.postMessage(task);
  });
}
