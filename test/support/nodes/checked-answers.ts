import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { hex } from '../../outside/bytes.js';
import { type BatchEntry, RpcClient, type RpcFailure } from '../../outside/rpc.js';
import { nodeStatus } from '../../outside/traffic.js';
import { devWallet, type SentTransaction, signTransaction, transfer } from '../../outside/wallet.js';
import { assemble } from '../contracts/wasm-assembler.js';

const SENDER = devWallet(6);
const CONNECTIONS = 6;
const MAX_ROUNDS = 8;
/** Both receive one unit in every bundle, so that their balances are always equal. */
const TWINS = [new Uint8Array(20).fill(0xa1), new Uint8Array(20).fill(0xa2)] as const;
const TWIN_NAMES = TWINS.map((twin) => `0x${hex(twin)}`);
const ECHO_AT = `0x${'ec'.repeat(20)}`;
const BALANCE_AT = `0x${'ba'.repeat(20)}`;

const readInput = 'i32.const 0; i32.const 0; call input_size; call input_read; drop;';
const ECHO = assemble({
  imports: ['input_size', 'input_read', 'set_output'],
  memory: [1, 1],
  functions: [
    {
      name: 'invoke',
      type: '>i',
      code: `${readInput} i32.const 0; call input_size; call set_output; i32.const 0`,
    },
  ],
});
/** Answers the balances of the two addresses in its input. */
const BALANCES = assemble({
  imports: ['input_size', 'input_read', 'set_output', 'balance'],
  memory: [1, 1],
  functions: [
    {
      name: 'invoke',
      type: '>i',
      code: `${readInput} i32.const 0; i32.const 64; call balance; i32.const 20; i32.const 80; call balance
        i32.const 64; i32.const 32; call set_output; i32.const 0`,
    },
  ],
});

/** A query, a check of its answer, and the acceptable failures. */
interface Question {
  readonly method: string;
  readonly params: unknown;
  readonly check: (answer: Readonly<Record<string, unknown>>) => void;
  readonly mayFail?: (failure: RpcFailure) => boolean;
}

/** Counts of a run. */
export interface CheckedCounts {
  answers: number;
  /** Answers about pruned heights. */
  pruned: number;
  bundles: number;
}

/**
 * Sends bundles to a node while querying it about them, many queries per batch, and checks that each answer belongs to
 * its query and to one height.
 */
export class CheckedAnswers {
  readonly counts: CheckedCounts = { answers: 0, pruned: 0, bundles: 0 };
  readonly #url: string;
  /** Age of queried heights in blocks: minimum, and exclusive maximum. */
  readonly #depths: readonly [number, number];
  /** The height of each bundle, and its transaction hashes. */
  readonly #bundles: { readonly height: number; readonly hashes: readonly string[] }[] = [];
  #end = 0;

  constructor(url: string, depths: readonly [number, number]) {
    this.#url = url;
    this.#depths = depths;
  }

  /**
   * Sends bundles and queries them in rounds until the counts are enough; a busy machine answers less per second.
   * @throws Error at the first wrong answer, or if eight rounds are not enough
   */
  async runUntil(isEnough: (counts: CheckedCounts) => boolean, roundMs: number): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS && !isEnough(this.counts); round++) await this.#run(roundMs);
    assert.ok(isEnough(this.counts), JSON.stringify(this.counts));
  }

  /** Sends a bundle and waits until it is included. */
  async sendBundle(rpc: RpcClient): Promise<void> {
    const nonce = BigInt(TWINS.length * this.#bundles.length);
    const { chain_id: chainId } = await nodeStatus(rpc);
    const sent = TWINS.map(
      (twin, index): SentTransaction =>
        signTransaction(SENDER, {
          chainId,
          nonce: nonce + BigInt(index),
          gasLimit: 50_000n,
          priorityFee: 1_000n,
          action: transfer(twin, 1n),
        }),
    );
    await rpc.call('tx_submit_bundle', { transactions: sent.map(({ encoded }) => encoded) });
    const [last] = sent.slice(-1);
    const hashes = sent.map(({ hash }) => hash);
    for (const deadline = performance.now() + 20_000; ; ) {
      const answer = (await rpc.call('tx_receipt', { tx_hash: last?.hash })) as {
        readonly receipt?: { readonly height: number };
      };
      if (answer.receipt !== undefined) {
        this.#bundles.push({ height: answer.receipt.height, hashes });
        this.counts.bundles++;
        return;
      }
      assert.ok(performance.now() < deadline, 'a bundle is included');
    }
  }

  async #run(milliseconds: number): Promise<void> {
    const rpc = new RpcClient(this.#url);
    try {
      await this.sendBundle(rpc);
      this.#end = performance.now() + milliseconds;
      await Promise.all([this.#send(rpc), ...Array.from({ length: CONNECTIONS }, () => this.#ask())]);
    } finally {
      this.#end = 0;
      rpc.close();
    }
  }

  async #send(rpc: RpcClient): Promise<void> {
    while (performance.now() < this.#end) await this.sendBundle(rpc);
  }

  async #ask(): Promise<void> {
    const rpc = new RpcClient(this.#url);
    try {
      while (performance.now() < this.#end) {
        const questions = Array.from({ length: 24 }, (_, place) => this.#question(place));
        // Bundles known when the queries were sent must be in the answers.
        const entries = await rpc.batch(questions);
        for (const [place, entry] of entries.entries()) this.#checkEntry(questions[place], entry);
      }
    } finally {
      rpc.close();
    }
  }

  #checkEntry(question: Question | undefined, entry: BatchEntry): void {
    assert.ok(question !== undefined);
    const { method, params, check, mayFail } = question;
    const asked = `${method} ${JSON.stringify(params).slice(0, 300)}`;
    if ('failure' in entry) {
      assert.ok(mayFail?.(entry.failure) === true, `${asked}: ${String(entry.failure)}`);
      this.counts.pruned++;
      return;
    }
    try {
      check(entry.result as Readonly<Record<string, unknown>>);
    } catch (error) {
      throw new Error(`${asked} was answered ${JSON.stringify(entry.result).slice(0, 600)}`, {
        cause: error,
      });
    }
    this.counts.answers++;
  }

  #question(place: number): Question {
    const known = this.#bundles.length;
    switch (place % 6) {
      case 0:
        return echo();
      case 1:
        return this.#receipt(known);
      case 2:
        return this.#balancesAt(known, 'view_call');
      case 3:
        return {
          method: 'accounts',
          params: { addresses: TWIN_NAMES },
          check: ({ accounts }) => {
            const balances = (accounts as { balance: string }[]).map(({ balance }) => Number(balance));
            assert.equal(balances[0], balances[1], 'both are of one height');
            assert.ok((balances[0] ?? 0) >= known, 'included transactions are present');
          },
        };
      case 4:
        return this.#trace(known);
      default:
        return this.#balancesAt(known, 'chain_traceCall');
    }
  }

  #receipt(known: number): Question {
    const { bundle, hash } = this.#pick(known);
    return {
      method: 'tx_receipt',
      params: { tx_hash: hash },
      check: ({ receipt }) => {
        const { tx_hash, height } = receipt as { tx_hash: string; height: number };
        assert.deepEqual([tx_hash.replace(/^0x/, ''), height], [hash, bundle.height]);
      },
    };
  }

  #trace(known: number): Question {
    const { hash, bundle } = this.#pick(known, 8);
    return {
      method: 'chain_traceTransaction',
      params: { tx_hash: hash },
      check: ({ receipt }) => {
        const { tx_hash, height } = receipt as { tx_hash: string; height: number };
        assert.deepEqual([tx_hash.replace(/^0x/, ''), height], [hash, bundle.height]);
      },
      mayFail: isPruned,
    };
  }

  /** The balances of the twins in the state after some block. */
  #balancesAt(known: number, method: string): Question {
    const tip = this.#bundles[known - 1]?.height ?? 0;
    const [least, most] = this.#depths;
    const height = Math.max(1, tip - least - Math.floor(Math.random() * (most - least)));
    const expected = this.#bundles.slice(0, known).filter((bundle) => bundle.height <= height).length;
    const input = TWINS.map(hex).join('');
    return {
      method,
      params: { ...callOf(BALANCE_AT, BALANCES, input), at: { type: 'height', value: height } },
      check: (answer) => {
        const { output, height: shown } = (answer['result'] ?? answer) as { output: string; height: number };
        assert.equal(shown, height);
        const bytes = Buffer.from(output.replace(/^0x/, ''), 'hex');
        assert.deepEqual([bytes.readUInt32LE(0), bytes.readUInt32LE(16)], [expected, expected]);
      },
      mayFail: isPruned,
    };
  }

  /** @param newest number of newest bundles to pick from */
  #pick(known: number, newest = known) {
    const bundle = this.#bundles[known - 1 - Math.floor(Math.random() * Math.min(known, newest))];
    const hash = bundle?.hashes[Math.floor(Math.random() * 2)];
    assert.ok(bundle !== undefined && hash !== undefined);
    return { bundle, hash };
  }
}

function isPruned({ data }: RpcFailure): boolean {
  return data.kind === 'state_unavailable';
}

function echo(): Question {
  const input = randomBytes(1 + Math.floor(Math.random() * 64)).toString('hex');
  return {
    method: 'view_call',
    params: callOf(ECHO_AT, ECHO, input),
    check: ({ output }) => assert.equal((output as string).replace(/^0x/, ''), input),
  };
}

function callOf(contract: string, code: Uint8Array, input: string) {
  return { contract, input: `0x${input}`, overrides: [{ address: contract, code: `0x${hex(code)}` }] };
}
