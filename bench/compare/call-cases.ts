import { createHash } from 'node:crypto';
import { blake3 } from '@noble/hashes/blake3.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Sender } from '../../src/client/client.js';
import { toPrefixedHex } from '../../src/idl/hex.js';
import { assemble } from '../../test/support/wasm-assembler.js';
import type { Anvil } from './anvil.js';
import { balanceSlot, HASH_CHAIN, LOOP, TOKEN, tokenCalls, word } from './evm-contracts.js';
import { type DeployedContract, deployCode, deployExample } from './heddle-contracts.js';

/** One piece of work for both nodes. */
export interface CallCase {
  readonly name: string;
  /**
   * The operation on the call; by default the call is only executed.
   *
   * - `traced`: `chain_traceCall` against `debug_traceCall`, each without a named tracer.
   * - `call tree`: the call tree with events, against anvil's `callTracer`.
   * - `estimated`: the gas of the call as a transaction, `tx_simulate` against `eth_estimateGas`.
   */
  readonly way?: 'traced' | 'call tree' | 'estimated';
  /** Parameters of Heddle's method. */
  readonly view: object;
  /** The expected `output`, as hex with 0x. */
  readonly viewOutput: string;
  /** Number of events that the call must emit. */
  readonly logs: number;
  /** The transaction of `eth_call`. */
  readonly ethCall: { readonly from?: string; readonly to: string; readonly data: string };
  /** The expected answer; an estimate may have any amount of gas. */
  readonly ethOutput: string;
  /** Target ratio of Heddle's rate to anvil's, by number of connections. */
  readonly targets: Readonly<Record<number, number>>;
}

export interface CaseAccounts {
  /** Deploys the contracts and owns the whole supply of the token. 20 bytes. */
  readonly owner: Uint8Array;
  readonly recipient: Uint8Array;
}

const SUPPLY = 1_000_000n;
const AMOUNT = 250n;
const HASHES = 1_000;
const SEED = new Uint8Array(32).fill(7);

const EVM = {
  token: `0x${'70'.repeat(20)}`,
  loop: `0x${'71'.repeat(20)}`,
  hashChain: `0x${'72'.repeat(20)}`,
} as const;

type Hash = (data: Uint8Array) => Uint8Array;

/** Arguments of the token's `init`. */
export function tokenInit(owner: Uint8Array) {
  return ['Thread', 'THR', 0, SUPPLY, owner, owner] as const;
}

/**
 * Sets the code of the EVM contracts at the addresses that {@link callCases} calls, and the owner's token balance.
 */
export async function prepareAnvil(anvil: Anvil, { owner }: CaseAccounts): Promise<void> {
  await anvil.call('anvil_setCode', [EVM.token, toPrefixedHex(TOKEN)]);
  await anvil.call('anvil_setCode', [EVM.loop, toPrefixedHex(LOOP)]);
  await anvil.call('anvil_setCode', [EVM.hashChain, toPrefixedHex(HASH_CHAIN)]);
  await anvil.call('anvil_setStorageAt', [EVM.token, balanceSlot(owner), `0x${word(SUPPLY)}`]);
}

/** The work to compare; the token belongs to `owner`. */
export async function callCases(
  sender: Sender,
  token: DeployedContract,
  { owner, recipient }: CaseAccounts,
): Promise<readonly CallCase[]> {
  const compute = await deployExample(sender, 'compute');
  const tokenAt = toPrefixedHex(token.address);
  const computeAt = toPrefixedHex(compute.address);
  const balance = {
    viewOutput: toPrefixedHex(littleEndian(SUPPLY, 16)),
    logs: 0,
    ethCall: { to: EVM.token, data: tokenCalls.balanceOf(owner) },
    ethOutput: `0x${word(SUPPLY)}`,
    targets: { 16: 1.5, 64: 2 },
  };
  const loop = (iterations: number, targets: CallCase['targets']): CallCase => {
    const sum = loopSum(iterations);
    return {
      name: `loop of ${iterations.toLocaleString('en')}`,
      view: { contract: computeAt, input: toPrefixedHex(compute.input('count', [iterations])) },
      viewOutput: toPrefixedHex(littleEndian(sum, 8)),
      logs: 0,
      ethCall: { to: EVM.loop, data: `0x${word(BigInt(iterations))}` },
      ethOutput: `0x${word(sum)}`,
      targets,
    };
  };
  const hashes = {
    logs: 0,
    ethCall: { to: EVM.hashChain, data: `0x${word(SEED)}${word(BigInt(HASHES))}` },
    ethOutput: toPrefixedHex(chained(keccak_256)),
    targets: { 16: 2, 64: 2 },
  };
  const byCompute = (name: string, method: string): CallCase => ({
    name,
    view: { contract: computeAt, input: toPrefixedHex(compute.input(method, [SEED, HASHES])) },
    viewOutput: toPrefixedHex(chained(sha256)),
    ...hashes,
  });
  const byEngine = async (name: 'blake3' | 'keccak256', hash: Hash): Promise<CallCase> => ({
    name: `1,000 hashes, ${name}`,
    view: {
      contract: toPrefixedHex(await deployCode(sender, hashChain(name))),
      input: toPrefixedHex(SEED) + Buffer.from(littleEndian(BigInt(HASHES), 4)).toString('hex'),
    },
    viewOutput: toPrefixedHex(chained(hash)),
    ...hashes,
  });
  const transfer: CallCase = {
    name: 'token transfer, simulated',
    view: {
      contract: tokenAt,
      caller: toPrefixedHex(owner),
      input: toPrefixedHex(token.input('transfer', [recipient, AMOUNT])),
    },
    viewOutput: '0x',
    logs: 1,
    ethCall: { from: toPrefixedHex(owner), to: EVM.token, data: tokenCalls.transfer(recipient, AMOUNT) },
    ethOutput: `0x${word(1n)}`,
    targets: { 16: 1.5, 64: 1.5 },
  };
  return [
    {
      name: 'token balance, raw',
      view: { contract: tokenAt, input: toPrefixedHex(token.input('balance_of', [owner])) },
      ...balance,
    },
    {
      name: 'token balance, by name',
      view: { contract: tokenAt, method: 'balance_of', args: { owner: toPrefixedHex(owner) } },
      ...balance,
    },
    transfer,
    { ...transfer, name: 'token transfer, traced', way: 'traced' },
    { ...transfer, name: 'token transfer, call tree', way: 'call tree' },
    {
      ...transfer,
      name: 'token transfer, estimated',
      way: 'estimated',
      view: {
        build: {
          sender: toPrefixedHex(owner),
          action: {
            type: 'call',
            value: { contract: tokenAt, input: toPrefixedHex(token.input('transfer', [recipient, AMOUNT])) },
          },
        },
      },
      ethOutput: '',
    },
    loop(1_000, {}),
    loop(100_000, { 16: 20, 64: 20 }),
    await byEngine('blake3', blake3),
    await byEngine('keccak256', keccak_256),
    byCompute('1,000 hashes, sha256', 'sha256_chain'),
    byCompute('1,000 hashes, own sha256', 'sha256_chain_in_wasm'),
  ];
}

function littleEndian(value: bigint, length: number): Uint8Array {
  return Buffer.from(value.toString(16).padStart(2 * length, '0'), 'hex').reverse();
}

function loopSum(iterations: number): bigint {
  let x = 1n;
  for (let i = 0n; i < iterations; i++) x = BigInt.asUintN(64, x * 31n + i);
  return x;
}

/** Input of a hash chain: a seed of 32 bytes, and the number of rounds as a u32. */
function hashChain(hash: 'blake3' | 'keccak256'): Uint8Array {
  const code = `i32.const 0; i32.const 0; i32.const 36; call input_read; drop
    i32.const 32; i32.load; local.set 0
    loop
      i32.const 0; i32.const 32; i32.const 0; call ${hash}
      local.get 0; i32.const 1; i32.sub; local.tee 0; br_if 0
    end
    i32.const 0; i32.const 32; call set_output; i32.const 0`;
  return assemble({
    imports: ['input_read', 'set_output', hash],
    memory: [1, 1],
    functions: [{ name: 'invoke', type: '>i', locals: 'i', code }],
  });
}

function sha256(data: Uint8Array): Uint8Array {
  return createHash('sha256').update(data).digest();
}

function chained(hash: Hash): Uint8Array {
  let digest: Uint8Array = SEED;
  for (let i = 0; i < HASHES; i++) digest = hash(digest);
  return digest;
}
