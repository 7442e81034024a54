// Blocks of transfers, deployments and calls, sealed at given times by nodes in this process.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, devAccount } from '../../../src/client/client.js';
import { packageRoot } from '../../../src/config/package-info.js';
import type { Action } from '../../../src/generated/ledger.js';
import { compileContract } from '../../../src/idl/abi/contract-abi.js';
import { compileIdl } from '../../../src/idl/compiler/compile.js';
import type { RunningNode } from '../../../src/node.js';
import { ChainAuditor } from '../../outside/chain-auditor.js';
import { RpcClient } from '../../outside/rpc.js';
import {
  devAllocation,
  devWallets,
  newWallets,
  nodeStatus,
  submitEvery,
  Traffic,
} from '../../outside/traffic.js';
import { type SentTransaction, transfer } from '../../outside/wallet.js';
import { deployAction } from '../contracts/deploy-action.js';
import { text } from '../hex.js';
import { NATIVE } from '../native-modes.js';
import { withInProcessNode } from '../nodes/in-process-node.js';

const BLOCKS = 8;
const PER_BLOCK = 60;
const FIRST_TIME_MS = 1_800_000_000_000;
/** Chain ID of the development chain. */
const CHAIN_ID = 9545n;
const TOKEN = join(packageRoot(), 'contracts', 'token');
const idl = readFileSync(join(TOKEN, 'token.idl'), 'utf8');
const code = Uint8Array.from(readFileSync(join(TOKEN, 'token.wasm')));
const abi = compileContract(
  compileIdl([{ name: 'token.idl', text: idl }]).manifest,
  (data) => createHash('sha256').update(data).digest(),
  'Token',
);
const alice = devAccount(0);
const bob = devAccount(1);

/** What a node made of the same transactions. */
interface Outcome {
  /** By height. */
  readonly hashes: readonly string[];
  readonly stateRoot: string;
  /** Of the blocks with deployments and calls. */
  readonly statuses: readonly (readonly string[])[];
  readonly gas: readonly (readonly bigint[])[];
}

/** The transfers of each block, in order. */
export function transferScript(): readonly (readonly SentTransaction[])[] {
  const traffic = new Traffic(CHAIN_ID, 99);
  const rich = devWallets();
  const wallets = [...rich, ...newWallets(4, 'determinism')];
  const [payer] = rich;
  assert.ok(payer !== undefined);
  const funding = wallets
    .slice(rich.length)
    .map((wallet) => traffic.next(payer, { action: transfer(wallet.address, 10n ** 15n) }));
  const rest = Array.from({ length: BLOCKS }, () =>
    traffic.random.shuffle(
      Array.from({ length: PER_BLOCK }, (_, i) => {
        const wallet = wallets[(i * 7) % wallets.length];
        assert.ok(wallet !== undefined);
        return traffic.mixed(wallet, wallets, 3);
      }),
    ),
  );
  return [funding, ...rest];
}

function deployment(init: boolean): Action {
  const args = ['Thread', 'THR', 0, '1000000', text(alice.address), text(alice.address)];
  return deployAction(code, { idl, ...(init && { input: abi.function('init').encodeCall(args) }) });
}

/** The deployments and calls of each block, given the token's address. */
function contractScript(token: Uint8Array): readonly (readonly Action[])[] {
  const call = (name: string, args: readonly (string | number)[]) => ({
    contract: token,
    input: abi.function(name).encodeCall(args),
    value: 0n,
  });
  const one = (name: string, args: readonly (string | number)[]): Action => ({
    type: 'call',
    value: call(name, args),
  });
  return [
    [deployment(true)],
    [one('transfer', [text(bob.address), '10']), one('approve', [text(bob.address), '500'])],
    // A revert, a batch that fails as a whole, a batch that works, a plain transfer among them, a bad selector.
    [
      one('transfer', [text(bob.address), '99999999']),
      { type: 'batch', value: [call('burn', ['5']), call('burn', ['99999999'])] },
      { type: 'batch', value: [call('mint', [text(bob.address), '7']), call('burn', ['3'])] },
      { type: 'transfer', value: { to: bob.address, amount: 12n } },
      { type: 'call', value: { contract: token, input: Uint8Array.of(1, 2, 3, 4), value: 0n } },
    ],
    [deployment(false), one('burn', ['1'])],
  ];
}

/** The statuses that the contract script must have. */
const STATUSES = [
  ['success'],
  ['success', 'success'],
  ['reverted', 'reverted', 'success', 'success', 'reverted'],
  ['reverted', 'success'],
];

/** Native modes and numbers of workers. */
type Variant = readonly [native: string, workers: number];

/** Runs the script on a fresh node for each variant; all must have the same outcome, whose transfers are audited. */
export async function assertAlike(variants: readonly Variant[]): Promise<void> {
  const [first = [NATIVE, 1], ...others] = variants;
  const expected = await run(first, true);
  assert.equal(expected.hashes.length, BLOCKS + 2 + STATUSES.length);
  assert.equal(new Set(expected.hashes).size, expected.hashes.length);
  assert.deepEqual(expected.statuses, STATUSES);
  for (const variant of others) {
    const [native, workers] = variant;
    assert.deepEqual(await run(variant), expected, `--native ${native} with ${workers} workers`);
  }
}

function run([native, workers]: Variant, isAudited = false): Promise<Outcome> {
  return withInProcessNode({ native, workers }, async (node) => {
    await runTransfers(node, isAudited);
    const { statuses, gas } = await runContracts(node);
    const client = connect(node.url);
    const { tip } = await client.status();
    const { blocks } = await client.get_block_summaries({ from_height: 0n, to_height: tip.height });
    return {
      hashes: blocks.map(({ hash }) => Buffer.from(hash).toString('hex')),
      stateRoot: Buffer.from(tip.state_root).toString('hex'),
      statuses,
      gas,
    };
  });
}

async function runTransfers(node: RunningNode, isAudited: boolean): Promise<void> {
  const rpc = new RpcClient(node.url);
  try {
    assert.equal((await nodeStatus(rpc)).chain_id, CHAIN_ID);
    const auditor = new ChainAuditor({ allocation: await devAllocation(rpc), proofs: 'some' });
    for (const [i, transactions] of transferScript().entries()) {
      await submitEvery(rpc, transactions);
      await node.sealNow(FIRST_TIME_MS + i * 1000);
    }
    if (!isAudited) return;
    await auditor.advance(rpc);
    assert.equal(auditor.transactions.size, 4 + BLOCKS * PER_BLOCK, 'not everything was included');
  } finally {
    rpc.close();
  }
}

async function runContracts(node: RunningNode): Promise<Pick<Outcome, 'statuses' | 'gas'>> {
  const client = connect(node.url);
  const sender = client.sender(alice);
  const { address: token } = await client.predict_address({ deployer: alice.address });
  const statuses: string[][] = [];
  const gas: bigint[][] = [];
  for (const [index, actions] of contractScript(token).entries()) {
    for (const action of actions) await sender.send(action, { gasLimit: 20_000_000n });
    await node.sealNow(FIRST_TIME_MS + (BLOCKS + 1 + index) * 1_000);
    const height = BigInt(BLOCKS + 2 + index);
    const { transactions } = await client.get_txs_in_range({ from_height: height, to_height: height });
    statuses.push(transactions.map(({ status }) => status.type));
    gas.push(transactions.map(({ gas_used }) => gas_used));
  }
  return { statuses, gas };
}
