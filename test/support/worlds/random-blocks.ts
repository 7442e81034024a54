import type { Crypto } from '../../../src/crypto/crypto.js';
import type { BundleSpan, Candidates } from '../../../src/execution/atomic-groups.js';
import type { Action } from '../../../src/generated/ledger.js';
import type { VerifiedTransaction } from '../../../src/ledger/transaction-envelope.js';
import { balanceReader, payer, pointerChaser, relay } from '../contracts/interacting-contracts.js';
import { text } from '../hex.js';
import { type BlockWorld, deployment, numbered, type TransactionOptions, unsigned } from './block-world.js';
import { contractAbi } from './contract-world.js';

const SENDERS = 14;
/** Can pay for about one transaction. */
const POOR = [10, 11];
/** Begin without a balance. */
const EMPTY = [12, 13];
const LANES = 3;
/** Holds the rest of the supply, so that amounts and fees close to it are possible. */
const WHALE = 9;
const PLENTY = 10n ** 15n;
const MOST = 2n ** 128n - 1n;
/** Part of the supply reserved for later contracts and accounts. */
const SPARE = 10n ** 20n;
const HOT = numbered(777);

/** The contracts that random blocks call. */
export interface RandomContracts {
  readonly tokenA: Uint8Array;
  readonly tokenB: Uint8Array;
  readonly amm: Uint8Array;
  readonly escrow: Uint8Array;
  readonly balances: Uint8Array;
  readonly chaser: Uint8Array;
  readonly payer: Uint8Array;
  readonly relay: Uint8Array;
}

const token = contractAbi('token');
const amm = contractAbi('amm');
const escrow = contractAbi('escrow');
const NEVER = 99_999_999_999_999;

/** Adds accounts and contracts to a world. */
export function deployRandomContracts(world: BlockWorld): RandomContracts {
  const owner = numbered(0);
  for (let number = 0; number < SENDERS; number++) {
    if (!EMPTY.includes(number)) world.state.fund(numbered(number), PLENTY);
  }
  const init = (symbol: string) => ({
    name: `Token ${symbol}`,
    symbol,
    decimals: 0,
    supply: '1000000000',
    owner: text(owner),
    minter: text(owner),
  });
  const tokenA = world.example(owner, 'token', init('A'));
  const tokenB = world.example(owner, 'token', init('B'));
  const pool = world.example(owner, 'amm', { token_a: text(tokenA), token_b: text(tokenB) });
  const call = (from: Uint8Array, contract: Uint8Array, input: Uint8Array): void => {
    world.do(from, { type: 'call', value: { contract, input, value: 0n } });
  };
  for (const each of [tokenA, tokenB]) {
    for (let number = 0; number < SENDERS; number++) {
      const who = numbered(number);
      if (number > 0) {
        call(owner, each, token.function('transfer').encodeCall({ to: text(who), amount: '1000000' }));
      }
      if (!EMPTY.includes(number)) {
        const approval = { spender: text(pool), amount: '100000000' };
        call(who, each, token.function('approve').encodeCall(approval));
      }
    }
  }
  const deposit = {
    amount_a: '500000',
    amount_b: '800000',
    min_a: '0',
    min_b: '0',
    to: text(owner),
    deadline_ms: NEVER,
  };
  call(owner, pool, amm.function('add_liquidity').encodeCall(deposit));
  const contracts = {
    tokenA,
    tokenB,
    amm: pool,
    escrow: world.example(owner, 'escrow'),
    balances: world.deploy(owner, balanceReader()),
    chaser: world.deploy(owner, pointerChaser()),
    payer: world.deploy(owner, payer()),
    relay: world.deploy(owner, relay()),
  };
  world.state.fund(contracts.payer, 100_000n);
  for (const number of POOR) world.state.fund(numbered(number), 25_000_000n);
  world.state.fund(numbered(WHALE), MOST - SPARE);
  return contracts;
}

/** Random blocks for one world, deterministic by seed. */
export class RandomBlocks {
  readonly #crypto: Crypto;
  readonly #contracts: RandomContracts;
  readonly #random: () => number;

  /** True if transactions declare random gas limits, up to slightly above the world's block gas limit. */
  anyLimits = false;

  constructor(crypto: Crypto, contracts: RandomContracts, random: () => number) {
    this.#crypto = crypto;
    this.#contracts = contracts;
    this.#random = random;
  }

  /** @param share the share of contract calls in the block, 0 to 1 */
  next(world: BlockWorld, size: number): Candidates<VerifiedTransaction> {
    const nonces = new Map<string, bigint>();
    const transactions: VerifiedTransaction[] = [];
    // Some blocks have a single theme, for many conflicts.
    const theme = this.#random() < 0.3 ? this.#below(KINDS) : undefined;
    const lanes = this.#random() < 0.5 ? 1 : LANES;
    // Some blocks are full of unaffordable transactions and extreme numbers.
    const extreme = this.#random() < 0.25;
    while (transactions.length < size) {
      const number = this.#below(SENDERS);
      const sender = numbered(number);
      const lane = this.#below(lanes);
      const name = `${number}/${lane}`;
      const nonce = nonces.get(name) ?? world.nonce(sender, lane);
      const kind = theme !== undefined && this.#random() < 0.8 ? theme : this.#below(KINDS);
      const usual = number === 0 && this.#random() < 0.2 ? this.#upgrade() : this.#action(kind);
      const action = extreme && this.#random() < 0.25 ? this.#enormous() : usual;
      const wrong = this.#random();
      const options: TransactionOptions = {
        lane,
        gas: wrong < 0.03 ? 60_000n : this.anyLimits ? this.#limit(world.gasLimit) : 2_000_000n,
        priorityFee: BigInt(this.#below(4)),
        ...(wrong > 0.98 ? { maxFee: 3n } : {}),
        ...(wrong > 0.96 && wrong < 0.98 ? { validUntil: world.height - 1n } : {}),
        ...(extreme && this.#random() < 0.25 ? this.#excess() : {}),
      };
      const given = wrong > 0.94 && wrong < 0.96 ? nonce + 1n : nonce;
      transactions.push(unsigned(this.#crypto, sender, given, action, options));
      // Sometimes another transaction with the same nonce retries a failed inclusion.
      if (wrong < 0.94 || this.#random() < 0.5) nonces.set(name, nonce + 1n);
    }
    return { transactions, bundles: this.#bundles(transactions.length) };
  }

  /** Fees and gas limits that few accounts or none can pay. */
  #excess(): Pick<TransactionOptions, 'gas' | 'maxFee' | 'priorityFee'> {
    switch (this.#below(6)) {
      case 0:
        return { maxFee: MOST, priorityFee: MOST };
      case 1:
        return { gas: 2n ** 64n - 1n, maxFee: MOST, priorityFee: MOST };
      case 2:
        return { maxFee: MOST / 2_000_000n, priorityFee: MOST / 2_000_000n };
      case 3:
        return { maxFee: MOST / 2_000_000n + 1n, priorityFee: MOST };
      case 4:
        return { maxFee: MOST / 3_000_000n, priorityFee: MOST / 3_000_000n };
      default:
        return { gas: 2n ** 64n - 1n, maxFee: MOST / 2n ** 64n + 1n, priorityFee: MOST };
    }
  }

  /** Amounts that few accounts have, or that exceed the supply. */
  #enormous(): Action {
    const { tokenA, payer: purse, escrow: deals, amm: pool } = this.#contracts;
    const amount = [MOST, MOST - 1n, MOST / 2n, MOST - SPARE, MOST / 3n][this.#below(5)] ?? MOST;
    switch (this.#below(6)) {
      case 0:
        return this.#transfer(this.#someone(), amount);
      case 1:
        return this.#call(deals, this.#deal(), amount);
      case 2:
        return this.#call(purse, this.#payment(), amount);
      case 3:
        return {
          type: 'batch',
          value: [
            { contract: purse, input: this.#payment(), value: amount },
            { contract: pool, input: this.#swap(), value: amount },
            { contract: tokenA, input: this.#tokenTransfer(this.#someone()), value: 0n },
          ],
        };
      case 4:
        return deployment(this.#code(), new Uint8Array(0), amount);
      default:
        return { type: 'batch', value: [] };
    }
  }

  #bundles(count: number): BundleSpan[] {
    const bundles: BundleSpan[] = [];
    if (this.#random() < 0.5) return bundles;
    for (let start = this.#below(6); start < count; start += this.#below(8)) {
      const length = Math.min(count - start, 1 + this.#below(4));
      bundles.push({ start, length });
      start += length;
    }
    return bundles;
  }

  #action(kind: number): Action {
    const {
      tokenA,
      tokenB,
      amm: pool,
      escrow: deals,
      balances,
      chaser,
      payer: purse,
      relay: through,
    } = this.#contracts;
    switch (kind) {
      case 0:
        return this.#transfer(this.#someone(), BigInt(this.#below(50_000_000)));
      case 1:
        return this.#transfer(HOT, 5n);
      case 2:
        return this.#call(tokenA, this.#tokenTransfer(this.#someone()));
      case 3:
        return this.#call(tokenB, this.#tokenTransfer(HOT));
      case 4:
        return this.#call(pool, this.#swap());
      case 5:
        return this.#call(deals, this.#deal(), BigInt(1 + this.#below(1_000)));
      case 6:
        return this.#call(deals, escrow.function('release').encodeCall({ id: this.#below(8) }));
      case 7:
        return this.#call(balances, this.#random() < 0.5 ? HOT : this.#someone());
      case 8:
        return this.#call(chaser, Buffer.alloc(32, this.#below(5)));
      case 9:
        return this.#call(purse, this.#payment(), BigInt(this.#below(2) * 100));
      case 10:
        return this.#call(through, this.#relayed());
      case 11:
        return {
          type: 'batch',
          value: [
            { contract: tokenA, input: this.#tokenTransfer(this.#someone()), value: 0n },
            { contract: tokenB, input: this.#tokenTransfer(this.#someone(), 3_000_000), value: 0n },
          ],
        };
      case 12:
        return this.#deployed();
      case 13:
        return this.#upgrade();
      default:
        return this.#call(this.#someone(), new Uint8Array(4));
    }
  }

  #call(contract: Uint8Array, input: Uint8Array, value = 0n): Action {
    return { type: 'call', value: { contract, input, value } };
  }

  #transfer(to: Uint8Array, amount: bigint): Action {
    return { type: 'transfer', value: { to, amount } };
  }

  #tokenTransfer(to: Uint8Array, most = 200_000): Uint8Array {
    return token.function('transfer').encodeCall({ to: text(to), amount: String(this.#below(most)) });
  }

  #swap(): Uint8Array {
    const { tokenA, tokenB } = this.#contracts;
    return amm.function('swap').encodeCall({
      token_in: text(this.#random() < 0.5 ? tokenA : tokenB),
      amount_in: String(1 + this.#below(20_000)),
      min_out: this.#random() < 0.3 ? String(this.#below(20_000)) : '0',
      to: text(this.#someone()),
      deadline_ms: NEVER,
    });
  }

  #deal(): Uint8Array {
    return escrow.function('open').encodeCall({
      payee: text(this.#someone()),
      arbiter: text(this.#someone()),
      deadline_ms: NEVER,
    });
  }

  #payment(): Uint8Array {
    const amount = Buffer.alloc(16);
    amount.writeUInt32LE(this.#below(60_000));
    return Buffer.concat([this.#random() < 0.5 ? HOT : this.#someone(), amount]);
  }

  #relayed(): Uint8Array {
    const { chaser, balances, payer: purse, relay: through } = this.#contracts;
    const flag = Buffer.from([this.#below(6)]);
    switch (this.#below(4)) {
      case 0:
        return Buffer.concat([chaser, flag, Buffer.alloc(32, this.#below(5))]);
      case 1:
        return Buffer.concat([balances, flag, this.#someone()]);
      case 2:
        return Buffer.concat([purse, flag, this.#payment()]);
      default:
        return Buffer.concat([
          through,
          flag,
          chaser,
          Buffer.from([this.#below(3)]),
          Buffer.alloc(32, this.#below(5)),
        ]);
    }
  }

  /** A deployment of code that may be invalid. */
  #deployed(): Action {
    const code = this.#code();
    if (this.#random() < 0.2) return deployment(code.subarray(0, 40));
    return deployment(code, new Uint8Array(0), 0n, numbered(this.#below(SENDERS)));
  }

  /** Other code for a popular contract: valid only from account zero. */
  #upgrade(): Action {
    const { chaser, balances } = this.#contracts;
    const contract = this.#random() < 0.5 ? chaser : balances;
    return {
      type: 'upgrade',
      value: { contract, code: this.#code(), abi_version: 2, input: new Uint8Array(0) },
    };
  }

  #code(): Uint8Array {
    return [pointerChaser(), balanceReader(), relay()][this.#below(3)] ?? new Uint8Array(0);
  }

  /** A gas limit: mostly near the gas used, at times far more, rarely above the block's limit. */
  #limit(blockGas: bigint): bigint {
    const how = this.#random();
    if (how < 0.5) return 100_000n + BigInt(this.#below(400_000));
    if (how < 0.65) return 10_000n + BigInt(this.#below(60_000));
    return (blockGas * BigInt(this.#below(1_030))) / 1_000n;
  }

  #someone(): Uint8Array {
    return numbered(this.#below(SENDERS));
  }

  #below(bound: number): number {
    return Math.floor(this.#random() * bound);
  }
}

const KINDS = 15;
