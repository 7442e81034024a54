// The same deployments and calls give the same blocks: with and without native parts, and for any number of workers.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { connect, devAccount } from '../../src/client/client.js';
import { packageRoot } from '../../src/config/package-info.js';
import type { Action } from '../../src/generated/ledger.js';
import { compileContract } from '../../src/idl/abi/contract-abi.js';
import { compileIdl } from '../../src/idl/compiler/compile.js';
import { deployAction } from '../support/deploy-action.js';
import { text } from '../support/hex.js';
import { withInProcessNode } from '../support/in-process-node.js';
import { NATIVE } from '../support/native-modes.js';

const FIRST_TIME_MS = 1_800_000_000_000;
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

function deployment(init: boolean): Action {
  const args = ['Thread', 'THR', 0, '1000000', text(alice.address), text(alice.address)];
  return deployAction(code, { idl, ...(init && { input: abi.function('init').encodeCall(args) }) });
}

/** The transactions of each block, given the token's address. */
function script(token: Uint8Array): readonly (readonly Action[])[] {
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

interface Outcome {
  readonly hash: string;
  readonly stateRoot: string;
  readonly statuses: readonly string[];
  readonly gas: readonly bigint[];
}

function run(native: string, workers: number): Promise<readonly Outcome[]> {
  return withInProcessNode({ native, workers }, async (node) => {
    const client = connect(node.url);
    const sender = client.sender(alice);
    const { address: token } = await client.predict_address({ deployer: alice.address });
    const outcomes: Outcome[] = [];
    for (const [index, actions] of script(token).entries()) {
      for (const action of actions) await sender.send(action, { gasLimit: 20_000_000n });
      await node.sealNow(FIRST_TIME_MS + index * 1_000);
      const height = BigInt(index + 1);
      const { blocks } = await client.get_blocks({ from_height: height, to_height: height });
      const { transactions } = await client.get_txs_in_range({ from_height: height, to_height: height });
      const [block] = blocks;
      assert.ok(block !== undefined);
      outcomes.push({
        hash: Buffer.from(block.hash).toString('hex'),
        stateRoot: Buffer.from(block.header.state_root).toString('hex'),
        statuses: transactions.map(({ status }) => status.type),
        gas: transactions.map(({ gas_used }) => gas_used),
      });
    }
    return outcomes;
  });
}

test('deployments and calls come out the same with and without native parts and for any number of workers', async () => {
  const expected = await run(NATIVE, 1);
  assert.deepEqual(
    expected.map(({ statuses }) => statuses),
    [
      ['success'],
      ['success', 'success'],
      ['reverted', 'reverted', 'success', 'success', 'reverted'],
      ['reverted', 'success'],
    ],
  );
  for (const [native, workers] of [
    [NATIVE, 2],
    [NATIVE, 4],
    ['off', 1],
    ['off', 2],
  ] as const) {
    assert.deepEqual(await run(native, workers), expected, `--native ${native} with ${workers} workers`);
  }
});
