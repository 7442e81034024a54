// Types inferred from IDL texts, checked with the compiler.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { generateContractFile } from '../../src/idl/compiler/user-files.js';
import { type TypeMistake, UserProject } from '../support/contracts/user-project.js';
import { packageRoot } from '../support/package-root.js';
import { SAMPLE_IDL } from '../support/sample-idl.js';

const CONTRACTS = join(packageRoot(import.meta.url), 'contracts');
const idlOf = (folder: string, name: string): string =>
  readFileSync(join(CONTRACTS, folder, `${name}.idl`), 'utf8');

/** Forms of the grammar that the contracts do not have. */
const ODD_IDL = `
// A comment with "quotes", { braces } and ; signs.
@deprecated("a \\"string\\" // with { ; } and \\\\") type  Alias = u64 [] ;
@since("1") @max(5)
type Short = string; struct Nothing { } struct Two { a : u8; b : Nothing; }
enum HTTPKind { NotFound, Secp256k1: Two, OK: Alias?, Last : u8[2][], }
enum Same { A: u16, B: bytes2 } enum Uneven { A: u8, B }
type Wide = u64[4]; type TooWide = u64[5];\r
/// Docs { with ; everything } "unbalanced
contract Odd{method f ( ) ;method g(a:u8,b ? : Alias,)->HTTPKind ;
\tview view(view: bool) -> Short; view event ( event?: json_like ) -> Same?[];
  event indexed { indexed : u8; indexed other : u8; }
  event E { indexed a: Wide; indexed b: TooWide; indexed c: Two; indexed d: Same; indexed e: Uneven; indexed f: bool?;
    @since("2") indexed g: bytes32; indexed h: bytes33; i?: u8; indexed j: u8[]; indexed k: Nothing; }
  error error { error: address; m: Maybes; }
  method init(); method migrate(x: u8) -> bool;
}
type json_like = i128; type Perhaps = u8?; struct Maybes { p: Perhaps; q : u8 ? [] ?; }
`;

const TEXTS: readonly [name: string, idl: string][] = [
  ['token', idlOf('token', 'token')],
  ['amm', idlOf('amm', 'amm')],
  ['escrow', idlOf('escrow', 'escrow')],
  ['registry', idlOf('registry', 'registry')],
  ['compute', idlOf('compute', 'compute')],
  ['probe', idlOf(join('testing', 'probe'), 'probe')],
  ['counter', idlOf('template', 'counter')],
  ['shop', SAMPLE_IDL],
  ['odd', ODD_IDL],
];

const EQUAL = `import type { InferredContract } from 'heddle/client';
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Both ways, member by member. */
type Alike<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
declare function same<T extends true>(): T;
`;

/** A contract with many functions, in about 200 lines. */
function longIdl(lines: number): string {
  const members = Array.from(
    { length: lines },
    (_, i) => `  method m${i}(to: address, amount: u128, note?: N) -> R[]; // ${i}`,
  );
  return `contract Long {\n${members.join('\n')}\n}\ntype N = string;\nstruct R { a: u64; b: N?; }\n`;
}

const HEAD = `import { connect, connectReadOnly, contractAt, devAccount } from 'heddle/client';
const TOKEN = ${JSON.stringify(idlOf('token', 'token'))} as const;
const SHOP = ${JSON.stringify(SAMPLE_IDL)};
const client = connect('http://127.0.0.1:1');
const token = client.contract(new Uint8Array(20), TOKEN, { sender: client.sender(devAccount(0)) });
const shop = contractAt(connectReadOnly('http://127.0.0.1:1'), '0x', SHOP);
const text: string = TOKEN;
const loose = client.contract('0x', text);
const bytes = new Uint8Array(20);
export async function run(): Promise<void> {
`;

const RIGHT = [
  "await token.call('transfer', { to: '0x12', amount: 1n });",
  "await token.call('transfer', { to: bytes, amount: 1n }, { wait: 'finalized' });",
  "const balance: bigint = await token.view('balance_of', { owner: bytes }); void balance;",
  "const name: string = await token.view('name'); void name;",
  "const minter: Uint8Array = await token.view('minter'); void minter;",
  "const { result } = await token.call('burn', { amount: 5n }); const none: null | undefined = result; void none;",
  "for await (const e of token.watch('Transfer', { filter: { to: '0x12', from: [bytes, '0x'] } })) { const a: bigint = e.args.amount; void a; }",
  "const orders = await shop.call('order', { order: { item: 1n, corners: [[1n, 2n]] }, tip: 3n }); const item: bigint | undefined = orders.result?.[0]?.item; void item;",
  "await loose.call('anything', { at: 'all' });",
  "const unknown: unknown = await loose.view('anything'); void unknown;",
  "const plain = client.contract('0x', { idl: TOKEN }); const json = await plain.view('name'); void json;",
] as const;

const WRONG = [
  ["await token.call('transfr', { to: bytes, amount: 1n });", /'"transfr"' is not assignable/],
  ["await token.call('transfer', { to: bytes, amount: 1 });", /'number' is not assignable to type 'bigint'/],
  ["await token.call('transfer', { to: 5, amount: 1n });", /'number' is not assignable/],
  ["await token.call('transfer', { to: bytes });", /Property 'amount' is missing/],
  ["await token.call('transfer');", /Expected \d.*arguments/],
  ["await token.call('transfer', { to: bytes, amount: 1n, memo: '' });", /'memo' does not exist/],
  ["await token.call('init', {});", /'"init"' is not assignable/],
  ["await token.call('balance_of', { owner: bytes });", /'"balance_of"' is not assignable/],
  ["const n: number = await token.view('total_supply'); void n;", /'bigint' is not assignable/],
  [
    "const t: string = await token.view('minter'); void t;",
    /'Uint8Array.*' is not assignable to type 'string'/,
  ],
  ["token.watch('Transfr');", /'"Transfr"' is not assignable/],
  ["token.watch('Transfer', { filter: { too: bytes } });", /'too' does not exist/],
  ["token.watch('Transfer', {}, (e) => void e.args.amuont);", /'amuont' does not exist/],
  ["await shop.call('order', { order: { item: 1, corners: [] }, tip: 1n });", /'number' is not assignable/],
  ["await shop.call('price', { item: 1n });", /'"price"' is not assignable/],
  ["const s: string = await loose.view('anything'); void s;", /'unknown' is not assignable/],
  ["await client.contract('0x', 'no interface').view('name');", /Expected 2-3 arguments/],
] as const;

describe('types inferred from an IDL text', () => {
  const project = new UserProject();
  let mistakes: readonly TypeMistake[] = [];
  before(() => {
    let equal = EQUAL;
    for (const [name, text] of [...TEXTS, ['long', longIdl(200)]] as const) {
      const file = generateContractFile([{ name: `${name}.idl`, text }]);
      project.write(file.name, file.text);
      const type = /export interface (\w+Contract) \{/.exec(file.text)?.[1] ?? assert.fail(name);
      const idl = `IDL_${name}`;
      equal += `import type { ${type} } from './${file.name.replace(/\.ts$/, '.js')}';
const ${idl} = ${JSON.stringify(text)} as const;
same<Alike<InferredContract<typeof ${idl}>, ${type}>>(); // ${name}
same<Equal<InferredContract<typeof ${idl}>['calls'], ${type}['calls']>>(); // ${name} calls
same<Equal<InferredContract<typeof ${idl}>['views'], ${type}['views']>>(); // ${name} views
same<Equal<InferredContract<typeof ${idl}>['events'], ${type}['events']>>(); // ${name} events
same<Equal<InferredContract<typeof ${idl}>['errors'], ${type}['errors']>>(); // ${name} errors
`;
    }
    project.write('equal.ts', equal);
    project.write('right.ts', `${HEAD}${RIGHT.map((line) => `{ ${line} }\n`).join('')}}\n`);
    project.write('wrong.ts', `${HEAD}${WRONG.map(([line]) => `{ ${line} }\n`).join('')}}\n`);
    mistakes = project.compile();
  });
  after(() => project.remove());

  test('equal those that are generated', () => {
    assert.deepEqual(
      mistakes.filter(({ file }) => file === 'equal.ts' || file.endsWith('-contract.ts')),
      [],
    );
  });

  test('accept correct code', () => {
    assert.deepEqual(
      mistakes.filter(({ file }) => file === 'right.ts'),
      [],
    );
  });

  test('refuse incorrect code', () => {
    const first = HEAD.split('\n').length;
    for (const [i, [code, message]] of WRONG.entries()) {
      const found = mistakes.filter(({ file, line }) => file === 'wrong.ts' && line === first + i);
      assert.ok(
        found.some((mistake) => message.test(mistake.message)),
        `${code}: ${JSON.stringify(found)}`,
      );
    }
  });
});
