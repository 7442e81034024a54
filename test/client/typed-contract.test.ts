import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connect, devAccount, TypedContract } from '../../src/client/client.js';
import { packageRoot } from '../../src/config/package-info.js';
import { generateContractFile } from '../../src/idl/compiler/user-files.js';
import type { RunningNode } from '../../src/node.js';
import { type TypeMistake, UserProject } from '../support/contracts/user-project.js';
import { NodeParts } from '../support/nodes/node-parts.js';
import { SAMPLE_IDL } from '../support/sample-idl.js';

const TOKEN = join(packageRoot(), 'contracts', 'token');
const IDL = readFileSync(join(TOKEN, 'token.idl'), 'utf8');

const HEAD = `import { connect, devAccount } from 'heddle/client';
import { tokenContract } from './token-contract.js';
import { shopContract } from './shop-contract.js';

const client = connect('http://127.0.0.1:1');
const alice = client.sender(devAccount(0));
const token = tokenContract(client, new Uint8Array(20), { sender: alice });
const shop = shopContract(client, new Uint8Array(20), { sender: alice });
const to = new Uint8Array(20);
export async function wrong(): Promise<void> {
  const { receipt } = await token.call('transfer', { to, amount: 1n });
  for (const event of await token.events(receipt)) {
    if (event.name === 'Transfer') {
`;

/** Lines that must not compile, each with the compiler's error. */
const WRONG = [
  ["await token.call('transfr', { to, amount: 1n });", /'"transfr"' is not assignable/],
  ["await token.call('transfer', { to, amount: 1 });", /'number' is not assignable to type 'bigint'/],
  ["await token.call('transfer', { to });", /Property 'amount' is missing/],
  ["await token.call('transfer');", /Expected \d.*arguments/],
  ["await token.call('transfer', { to, amount: 1n, memo: '' });", /'memo' does not exist/],
  [
    "await token.call('transfer', { to: 0, amount: 1n });",
    /'number' is not assignable to type 'string \| Uint8Array/,
  ],
  ["await token.call('init', {});", /'"init"' is not assignable/],
  ["await token.call('balance_of', { owner: to });", /'"balance_of"' is not assignable/],
  ["await token.view('transfer', { to, amount: 1n });", /'"transfer"' is not assignable/],
  [
    "const n: number = await token.view('total_supply'); void n;",
    /'bigint' is not assignable to type 'number'/,
  ],
  ['void event.args.amuont;', /'amuont' does not exist/],
  ['const n: number = event.args.amount; void n;', /'bigint' is not assignable to type 'number'/],
  ["if ((await token.error(receipt.status))?.name === 'NoSuchError') return;", /have no overlap/],
  [
    "await shop.call('order', { order: { item: 1, corners: [] }, tip: 1n });",
    /'number' is not assignable to type 'bigint'/,
  ],
] as const;

const RIGHT = `import { ClientError, connect, connectReadOnly, devAccount } from 'heddle/client';
import { readFileSync } from 'node:fs';
import { TOKEN_IDL, tokenContract } from './token-contract.js';

export async function run(url: string, wasm: string) {
  const client = connect(url);
  const alice = client.sender(devAccount(0));
  const owner = devAccount(0).address;
  const init = { name: 'Thread', symbol: 'THR', decimals: 2, supply: 2n ** 70n, owner, minter: owner };
  const { contract } = await alice.deploy({ code: readFileSync(wasm), idl: TOKEN_IDL, init });
  const token = tokenContract(client, contract.address, { sender: alice });
  const to = devAccount(1).address;
  const { receipt, result } = await token.call('transfer', { to, amount: 2n ** 65n });
  const nothing: null | undefined = result;
  const [event] = await token.events(receipt);
  if (event?.name !== 'Transfer') throw new Error('no such event');
  const amount: bigint = event.args.amount;
  const decimals: number = await token.view('decimals');
  const left: bigint = await token.view('balance_of', { owner }, { at: { type: 'latest' } });
  const bob = client.sender(devAccount(1));
  const failed = await token.call('transfer', { to: owner, amount: 2n ** 100n }, { sender: bob, preflight: false });
  const reading = tokenContract(connectReadOnly(url), contract.address);
  const symbol: string = await reading.view('symbol');
  const refused = await reading.call('transfer', { to, amount: 1n }).catch((error: unknown) => error);
  await reading.call('transfer', { to, amount: 1n }, { sender: alice });
  const error = await token.error(failed.receipt.status);
  if (error?.name !== 'InsufficientBalance') throw new Error('no such error');
  const required: bigint = error.args.required;
  return {
    nothing, from: event.args.from, to: event.args.to, amount, decimals, left,
    name: await token.view('name'), failed: failed.result, required, symbol,
    refused: refused instanceof ClientError && refused.code,
  };
}
`;

/** The token as a mismatched interface would declare it. */
interface Mistyped {
  readonly calls: {
    readonly transfer: {
      readonly args: { readonly to: Uint8Array; readonly amount: bigint };
      readonly result: string;
    };
  };
  readonly views: object;
  readonly events: object;
  readonly errors: object;
}

describe('a typed contract', () => {
  const project = new UserProject();
  const parts = new NodeParts();
  let node: RunningNode;
  let mistakes: readonly TypeMistake[] = [];
  before(async () => {
    node = await parts.node({ flags: { seal: 'instant' } });
    for (const [name, text] of [
      ['token.idl', IDL],
      ['shop.idl', SAMPLE_IDL],
    ] as const) {
      const file = generateContractFile([{ name, text }]);
      project.write(file.name, file.text);
    }
    project.write('wrong.ts', `${HEAD}${WRONG.map(([line]) => `${line}\n`).join('')}    }\n  }\n}\n`);
    project.write('right.ts', RIGHT);
    mistakes = project.compile();
  });
  after(async () => {
    await parts.close();
    project.remove();
  });

  test('has no undeclared names or types', () => {
    const first = HEAD.split('\n').length;
    for (const [i, [code, message]] of WRONG.entries()) {
      const found = mistakes.filter(({ file, line }) => file === 'wrong.ts' && line === first + i);
      assert.ok(
        found.some((mistake) => message.test(mistake.message)),
        `${code}: ${JSON.stringify(found)}`,
      );
    }
    assert.deepEqual(
      mistakes.filter(
        ({ file, line }) => file !== 'wrong.ts' || line < first || line >= first + WRONG.length,
      ),
      [],
    );
  });

  test('calls, queries, and reads events and errors', async () => {
    const { run } = await project.load('right.ts');
    assert.ok(typeof run === 'function');
    assert.deepEqual(await run(node.url, join(TOKEN, 'token.wasm')), {
      nothing: null,
      from: devAccount(0).address,
      to: devAccount(1).address,
      amount: 2n ** 65n,
      decimals: 2,
      left: 2n ** 70n - 2n ** 65n,
      name: 'Thread',
      failed: undefined,
      required: 2n ** 100n,
      symbol: 'THR',
      refused: 'bad_argument',
    });
    assert.equal((await connect(node.url).status()).syncing, false);
  });

  test('keeps the hash and receipt of a call whose result does not match its declaration', async () => {
    const alice = connect(node.url).sender(devAccount(0));
    const owner = devAccount(0).address;
    const init = { name: 'Thread', symbol: 'THR', decimals: 2, supply: 5n, owner, minter: owner };
    const code = readFileSync(join(TOKEN, 'token.wasm'));
    const { contract } = await alice.deploy({ code, idl: IDL, init });
    const idl = IDL.replace(/(method transfer\(.*\))( -> \w+)?;/, '$1 -> string;');
    assert.notEqual(idl, IDL);
    const token = new TypedContract<Mistyped>(
      connect(node.url).contract(contract.address, { idl, sender: alice }),
    );
    const args = { to: devAccount(1).address, amount: 2n };
    const { result, receipt, hash } = await token.call('transfer', args);
    assert.equal(result, undefined);
    assert.equal(receipt.status.type, 'success');
    assert.deepEqual(receipt.tx_hash, hash);
    assert.equal((await token.events(receipt)).length, 1);
  });
});
