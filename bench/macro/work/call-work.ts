import type { Sender } from '../../../src/client/client.js';
import { toPrefixedHex } from '../../../src/idl/hex.js';
import type { EthereumNode } from '../ethereum/ethereum-node.js';
import { balanceSlot, HASH_CHAIN, LOOP, TOKEN, tokenCalls, word } from '../ethereum/evm-contracts.js';
import { type DeployedContract, deployCode, deployExample } from '../nodes/heddle-contracts.js';
import { HASHES, hashChainCode, lastOfChain, SEED } from './hash-chain.js';
import { call, type Exchange, type Work } from './work.js';

/** The name of the work that traces a call. */
export const TRACE = 'token transfer, call tree';

export interface CallAccounts {
  /** Deploys the contracts and owns the whole supply of the token. 20 bytes. */
  readonly owner: Uint8Array;
  readonly recipient: Uint8Array;
}

const SUPPLY = 1_000_000n;
const AMOUNT = 250n;
/** A transfer is at least as expensive on Ethereum. */
const LEAST_GAS = 21_000;

const EVM = {
  token: `0x${'70'.repeat(20)}`,
  loop: `0x${'71'.repeat(20)}`,
  hashChain: `0x${'72'.repeat(20)}`,
} as const;

/** Sets the code of the EVM contracts at the addresses that {@link callWork} calls, and the owner's token balance. */
export async function prepareEthereum(node: EthereumNode, { owner }: CallAccounts): Promise<void> {
  await node.setCode(EVM.token, toPrefixedHex(TOKEN));
  await node.setCode(EVM.loop, toPrefixedHex(LOOP));
  await node.setCode(EVM.hashChain, toPrefixedHex(HASH_CHAIN));
  await node.setStorage(EVM.token, balanceSlot(owner), `0x${word(SUPPLY)}`);
}

interface CallJson {
  readonly status?: { readonly type?: string };
  readonly output?: string;
  readonly logs?: readonly unknown[];
}

interface TraceJson {
  readonly result?: CallJson;
  readonly trace?: { readonly call_tree?: CallJson };
}

function isSuccess(result: CallJson | undefined, output: string, logs: number): boolean {
  return result?.status?.type === 'success' && result.output === output && result.logs?.length === logs;
}

/** @param output as hex with 0x */
function ourCall(method: string, params: object, output: string, logs = 0): Exchange {
  return call(
    method,
    params,
    (result) => isSuccess(result as CallJson, output, logs),
    `success with ${output} and ${logs} events`,
  );
}

function ourTrace(params: object): Exchange {
  const isRight = (result: unknown): boolean => {
    const { result: outcome, trace } = result as TraceJson;
    return isSuccess(outcome, '0x', 1) && trace?.call_tree?.logs?.length === 1;
  };
  return call('chain_traceCall', params, isRight, 'success and a call tree with one event');
}

function theirCall(transaction: object, output: string): Exchange {
  return call('eth_call', [transaction, 'latest'], (result) => result === output, output);
}

/** Deploys Heddle's contracts; the token belongs to `owner`. */
export async function callWork(sender: Sender, { owner, recipient }: CallAccounts): Promise<readonly Work[]> {
  const token = await deployExample(sender, 'token', ['Thread', 'THR', 0, SUPPLY, owner, owner]);
  const compute = await deployExample(sender, 'compute');
  return [
    ...balanceWork(token, owner),
    ...transferWork(token, owner, recipient),
    loop(compute, 1_000, { aims: { 16: 4, 64: 4 } }),
    loop(compute, 100_000, { aims: { 16: 40, 64: 40 }, isLong: true }),
    ...(await hashWork(sender, compute)),
  ];
}

function balanceWork(token: DeployedContract, owner: Uint8Array): readonly Work[] {
  const contract = toPrefixedHex(token.address);
  const output = toPrefixedHex(littleEndian(SUPPLY, 16));
  const ethereum = theirCall({ to: EVM.token, data: tokenCalls.balanceOf(owner) }, `0x${word(SUPPLY)}`);
  const byInput = { contract, input: toPrefixedHex(token.input('balance_of', [owner])) };
  const byName = { contract, method: 'balance_of', args: { owner: toPrefixedHex(owner) } };
  return [
    {
      name: 'token balance view',
      heddle: ourCall('view_call', byInput, output),
      ethereum,
      aims: { 16: 2, 64: 2.2 },
      bare: {},
      inFirstSecond: true,
    },
    {
      name: 'token balance view, method by name',
      heddle: ourCall('view_call', byName, output),
      ethereum,
      isVariant: true,
    },
  ];
}

function transferWork(token: DeployedContract, owner: Uint8Array, recipient: Uint8Array): readonly Work[] {
  const contract = toPrefixedHex(token.address);
  const caller = toPrefixedHex(owner);
  const input = toPrefixedHex(token.input('transfer', [recipient, AMOUNT]));
  const view = { contract, caller, input };
  const simulated = { build: { sender: caller, action: { type: 'call', value: { contract, input } } } };
  const transaction = { from: caller, to: EVM.token, data: tokenCalls.transfer(recipient, AMOUNT) };
  const output = `0x${word(1n)}`;
  const callTracer = { tracer: 'callTracer', tracerConfig: { withLog: true } };
  return [
    {
      name: 'token transfer as a view',
      heddle: ourCall('view_call', view, '0x', 1),
      ethereum: theirCall(transaction, output),
      aims: { 16: 1.8, 64: 2 },
    },
    {
      name: 'token transfer simulated',
      heddle: ourCall('tx_simulate', simulated, '0x', 1),
      ethereum: call(
        'eth_estimateGas',
        [transaction, 'latest'],
        (result) => Number(result) > LEAST_GAS,
        'the gas of a transfer',
      ),
      aims: { 16: 3, 64: 3 },
      inFirstSecond: true,
    },
    {
      name: TRACE,
      heddle: ourTrace(view),
      ethereum: call(
        'debug_traceCall',
        [transaction, 'latest', callTracer],
        (result) => {
          const { output: returned, logs } = result as CallJson;
          return returned === output && logs?.length === 1;
        },
        `${output} and one event`,
      ),
      notOfferedBy: ['ganache'],
      aims: { 16: 1.5, 64: 1.5 },
      inFirstSecond: true,
    },
    {
      name: 'token transfer, call tree against a trace of instructions',
      heddle: ourTrace(view),
      ethereum: call(
        'debug_traceCall',
        [transaction, 'latest'],
        (result) => `0x${(result as { returnValue?: string }).returnValue?.replace(/^0x/, '')}` === output,
        output,
      ),
      notOfferedBy: ['ganache'],
      isVariant: true,
    },
  ];
}

function loop(compute: DeployedContract, iterations: number, rest: Pick<Work, 'aims' | 'isLong'>): Work {
  const sum = loopSum(iterations);
  const view = {
    contract: toPrefixedHex(compute.address),
    input: toPrefixedHex(compute.input('count', [iterations])),
  };
  return {
    name: `loop of ${iterations.toLocaleString('en')}`,
    heddle: ourCall('view_call', view, toPrefixedHex(littleEndian(sum, 8))),
    ethereum: theirCall({ to: EVM.loop, data: `0x${word(BigInt(iterations))}` }, `0x${word(sum)}`),
    ...rest,
  };
}

async function hashWork(sender: Sender, compute: DeployedContract): Promise<readonly Work[]> {
  const ethereum = theirCall(
    { to: EVM.hashChain, data: `0x${word(SEED)}${word(BigInt(HASHES))}` },
    toPrefixedHex(lastOfChain('keccak256')),
  );
  const byHost = async (name: 'blake3' | 'keccak256') => ({
    heddle: ourCall(
      'view_call',
      {
        contract: toPrefixedHex(await deployCode(sender, hashChainCode(name))),
        input: toPrefixedHex(SEED) + Buffer.from(littleEndian(BigInt(HASHES), 4)).toString('hex'),
      },
      toPrefixedHex(lastOfChain(name)),
    ),
    ethereum,
  });
  const byContract = (method: string) => ({
    heddle: ourCall(
      'view_call',
      {
        contract: toPrefixedHex(compute.address),
        input: toPrefixedHex(compute.input(method, [SEED, HASHES])),
      },
      toPrefixedHex(lastOfChain('sha256')),
    ),
    ethereum,
  });
  const variant = (hash: string): Pick<Work, 'name' | 'isVariant'> => ({
    name: `chain of 1,000 hashes, ${hash} against keccak256`,
    isVariant: true,
  });
  return [
    { name: 'chain of 1,000 keccak256', ...(await byHost('keccak256')), aims: { 16: 1.5, 64: 1.5 } },
    { ...variant('blake3'), ...(await byHost('blake3')) },
    { ...variant('sha256'), ...byContract('sha256_chain') },
    { ...variant('sha256 of the contract’s own'), ...byContract('sha256_chain_in_wasm') },
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
