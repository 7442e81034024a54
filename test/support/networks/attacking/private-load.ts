import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, devAccount, signTransaction } from '../../../../src/client/client.js';
import { DEV_CHAIN_ID } from '../../../../src/ledger/dev-genesis.js';
import { callOf } from '../../actions.js';
import { counting, deployCompute } from '../../contracts/compute-calls.js';
import { random } from './sample-frames.js';

/** Accounts that call; account 0 deploys. */
const CALLERS = 8;
/** Waiting calls to keep up: three blocks full of the costly ones. */
const WAITING = 72;
const LOOK_MS = 200;
const COSTLY_GAS = 20_000_000n;
/** Nearly the largest transaction. */
const LARGE_BYTES = 500 * 1024;
const LARGE_GAS = 20_000_000n;

export type LoadKind =
  /** Calls that burn most of a block's gas in computation. */
  | 'costly'
  /** Calls with an input as large as a transaction may be. */
  | 'large';

/** Keeps the pool of one validator full of calls; the others see them only in its blocks. */
export class PrivateLoad {
  readonly #client: Client;
  readonly #contract: string;
  readonly #nonces = new Map<number, bigint>();
  #isOver = false;
  #running: Promise<void> = Promise.resolve();

  private constructor(client: Client, contract: string) {
    this.#client = client;
    this.#contract = contract;
  }

  static async open(client: Client, url: string): Promise<PrivateLoad> {
    return new PrivateLoad(client, await deployCompute(url));
  }

  begin(kind: LoadKind): void {
    this.#isOver = false;
    this.#running = this.#keepFull(kind);
    // A failure is reported by `end`.
    this.#running.catch(() => undefined);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #keepFull(kind: LoadKind): Promise<void> {
    for (let count = 0; !this.#isOver; await sleep(LOOK_MS)) {
      const { size } = await this.#client.txpool_stats();
      for (let waiting = Number(size); waiting < WAITING && !this.#isOver; waiting++) {
        await this.#submit(kind, 1 + (count++ % CALLERS));
      }
    }
  }

  async #submit(kind: LoadKind, caller: number): Promise<void> {
    const sender = devAccount(caller);
    const nonce = this.#nonces.get(caller) ?? 0n;
    this.#nonces.set(caller, nonce + 1n);
    const gas_limit = kind === 'costly' ? COSTLY_GAS : LARGE_GAS;
    const input = kind === 'costly' ? counting(Number(COSTLY_GAS) * 0.9) : random(LARGE_BYTES);
    const { encoded } = await signTransaction(
      {
        chain_id: DEV_CHAIN_ID,
        sender: sender.address,
        lane: 0,
        nonce,
        gas_limit,
        max_fee: 10n ** 9n,
        priority_fee: 1n,
        action: callOf(this.#contract, input),
      },
      sender,
    );
    await this.#client.tx_submit({ encoded });
  }
}
