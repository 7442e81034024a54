import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { buildContract, sdkFolder } from '../../src/contract-sdk/build-contract.js';
import { ContractError } from '../../src/contract-sdk/contract-error.js';
import { generateContractFiles, readContractProject } from '../../src/contract-sdk/contract-project.js';
import { LIMITS } from '../../src/vm/wasm/engine-limits.js';
import { validateModule } from '../../src/vm/wasm/validate.js';
import { ModuleRefused } from '../../src/wasm/module-refused.js';
import { hex } from '../support/hex.js';
import { CONTRACTS, sha256 } from '../support/worlds/contract-world.js';

describe('builds of contracts', () => {
  const OPTIONS = { sdk: sdkFolder(), names: true };
  const HASHES = JSON.parse(readFileSync(join(CONTRACTS, 'hashes.json'), 'utf8')) as Record<string, string>;

  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heddle-contract-'));
  });

  after(() => rm(folder, { recursive: true, force: true }));

  const moduleOf = (name: string): string => join(CONTRACTS, name, `${name.split('/').at(-1)}.wasm`);

  test('the hashes in the list match the modules', () => {
    for (const [name, hash] of Object.entries(HASHES)) {
      const path = name === 'template' ? join(CONTRACTS, name, 'counter.wasm') : moduleOf(name);
      assert.equal(hex(sha256(readFileSync(path))), hash, name);
    }
    assert.deepEqual(Object.keys(HASHES), [
      'amm',
      'compute',
      'escrow',
      'registry',
      'template',
      'testing/probe',
      'token',
    ]);
  });

  test('generated files are up to date with their interface definitions', async () => {
    for (const name of Object.keys(HASHES)) {
      const project = await readContractProject(join(CONTRACTS, name));
      for (const file of generateContractFiles(project)) {
        const path = join(project.folder, 'generated', file.name);
        assert.equal(
          existsSync(path) ? await readFile(path, 'utf8') : undefined,
          file.text,
          `run: npm run contracts`,
        );
      }
    }
  });

  test('a rebuild, also in another place, gives the same bytes', async () => {
    for (const name of ['token', 'template']) {
      const moved = join(folder, 'moved', name);
      await cp(join(CONTRACTS, name), moved, { recursive: true });
      await rm(join(moved, 'generated'), { recursive: true });
      const code = await buildContract(await readContractProject(moved), OPTIONS);
      assert.equal(hex(sha256(code)), HASHES[name], name);
    }
  });

  test('a contract without names behaves the same in fewer bytes', async () => {
    const project = await readContractProject(join(CONTRACTS, 'template'));
    const named = await readFile(join(CONTRACTS, 'template', 'counter.wasm'));
    const bare = await buildContract(project, { ...OPTIONS, names: false });
    assert.ok(bare.length < named.length);
    const facts = (code: Uint8Array): unknown => {
      const { module } = validateModule(code, LIMITS, 'contract');
      return { imports: module.imports.length, functions: module.functions.length, data: module.data.length };
    };
    assert.deepEqual(facts(bare), facts(named));
  });

  /** The template with a changed source or interface. */
  async function changed(
    name: string,
    file: string,
    ...changes: readonly (readonly [string, string])[]
  ): Promise<string> {
    const to = join(folder, name);
    await cp(join(CONTRACTS, 'template'), to, { recursive: true });
    let text = await readFile(join(to, file), 'utf8');
    for (const [from, replacement] of changes) {
      assert.ok(text.includes(from), from);
      text = text.replace(from, replacement);
    }
    await writeFile(join(to, file), text);
    return to;
  }

  async function buildError(project: string): Promise<Error> {
    try {
      await buildContract(await readContractProject(project), OPTIONS);
    } catch (error) {
      assert.ok(error instanceof Error);
      return error;
    }
    throw new Error('it was built');
  }

  test('a declared but unimplemented method does not compile', async () => {
    const at = await changed('missing', 'counter.idl', [
      '  view owner()',
      '  view other() -> u64;\n  view owner()',
    ]);
    const error = await buildError(at);
    assert.ok(error instanceof ContractError && error.code === 'compile_failed');
    assert.match(
      error.message,
      /Non-abstract class 'assembly\/counter\/Counter' does not implement .*'other'/,
    );
  });

  test('a method with types that differ from its declaration does not compile', async () => {
    const at = await changed('types', 'counter.idl', [
      'increment(by: u64) -> u64',
      'increment(by: u128) -> u64',
    ]);
    const error = await buildError(at);
    assert.ok(error instanceof ContractError && error.code === 'compile_failed');
    assert.match(error.message, /counter\.ts/);
  });

  /** Parts of the text of the error for a counter with other storage. */
  async function storageError(
    name: string,
    ...changes: readonly (readonly [string, string])[]
  ): Promise<string> {
    const error = await buildError(await changed(name, 'assembly/counter.ts', ...changes));
    assert.ok(error instanceof ContractError && error.code === 'compile_failed', error.message);
    return error.message;
  }

  test('two values with the same storage field do not compile', async () => {
    const text = await storageError('same-field', ['new Cell<u64>(1)', 'new Cell<u64>(0)']);
    assert.match(
      text,
      /Counter\.countCell has storage field 0, which Counter\.ownerCell has \(assembly\/counter\.ts line 7\)/,
    );
    assert.match(text, /in assembly\/counter\.ts\(8,57\)/);
  });

  test('a storage field above 63 or below 0 does not compile', async () => {
    assert.match(
      await storageError('large-field', ['new Cell<u64>(1)', 'new Cell<u64>(64)']),
      /Counter\.countCell has storage field 64; fields are numbered from 0 to 63/,
    );
    assert.match(
      await storageError('negative-field', ['new Cell<u64>(1)', 'new Cell<u64>(-1)']),
      /Counter\.countCell has storage field -1; fields are numbered/,
    );
  });

  test('field numbers are compared through constants, enums, base classes, objects and constructors', async () => {
    const declarations = [
      'const FIRST: u32 = 40;',
      'enum Field { owner, count = 9, limit }',
      'abstract class Limited extends CounterInterface {',
      '  readonly low: Cell<u64> = new Cell<u64>(Field.limit);',
      '  readonly high: Cell<u64>;',
      '  constructor() { super(); this.high = new Cell<u64>((FIRST + 1)); }',
      '}',
      'class Pause { readonly until: Cell<u64> = new Cell<u64>(Field.limit); readonly by: Cell<u64> = new Cell<u64>(41); }',
      'const total: Cell<u64> = new Cell<u64>(Field.owner);',
    ].join('\n');
    const text = await storageError(
      'references',
      ['/** Implements', `${declarations}\n/** Implements`],
      [
        'extends CounterInterface {\n  // The',
        'extends Limited {\n  readonly pause: Pause = new Pause();\n  // The',
      ],
      ['return this.countCell.get()', 'return this.pause.until.get() + total.get()'],
    );
    assert.match(text, /Pause\.until has storage field 10, which Limited\.low has/);
    assert.match(text, /Pause\.by has storage field 41, which Limited\.high has/);
    assert.match(text, /Counter\.ownerCell has storage field 0, which total has/);
    assert.equal([...text.matchAll(/has storage field/g)].length, 3);
  });

  test('a contract that calls console.log is refused with a hint to use the SDK’s log', async () => {
    const text = await storageError('console', [
      'this.countCell.set(0);',
      'this.countCell.set(0);\n    console.log("reset");',
    ]);
    assert.match(text, /contracts have no console\.log; import \{ log \} from "heddle"/);
    assert.match(text, /in assembly\/counter\.ts\(\d+,5\)/);
  });

  test('a call of a library function that needs a host is refused, with its file and line', async () => {
    const calls = [
      ['Date.now()', /contracts have no Date\.now; import \{ blockTimestampMs \}/],
      ['performance.now()', /contracts have no performance\.now; .*blockTimestampMs/],
      ['Math.random()', /contracts have no Math\.random; every node must compute the same/],
      ['process.exit(1)', /contracts have no process\.exit;/],
      ['process.stdout.write("text")', /contracts have no process\.stdout\.write;/],
      ['crypto.getRandomValues(new Uint8Array(8))', /contracts have no crypto\.getRandomValues;/],
      ['trace("here")', /contracts have no trace; import \{ log \}/],
    ] as const;
    const text = await storageError('hosts', [
      'this.countCell.set(0);',
      ['this.countCell.set(0);', ...calls.map(([call]) => `    ${call};`)].join('\n'),
    ]);
    for (const [at, [call, message]] of calls.entries()) {
      assert.match(text, message, call);
      assert.match(text, new RegExp(`in assembly/counter\\.ts\\(${27 + at},5\\)`), call);
    }
  });

  test('a contract may declare a Date of its own', async () => {
    const at = await changed('own-names', 'assembly/counter.ts', [
      '/** Implements',
      'class Date { static now(): u64 { return 7; } }\nexport const seen = Date.now();\n\n/** Implements',
    ]);
    await buildContract(await readContractProject(at), OPTIONS);
  });

  test('a contract that uses floating point is refused with the name of the function', async () => {
    const at = await changed('floats', 'assembly/counter.ts', [
      'return this.countCell.get();',
      'return <u64>(<f64>this.countCell.get() * 1.5);',
    ]);
    const error = await buildError(at);
    assert.ok(error instanceof ModuleRefused);
    assert.equal(error.rule, 'floating_point');
  });

  test('a folder that is not a contract gives an error that names the missing file', async () => {
    await assert.rejects(readContractProject(join(folder, 'nothing')), /contract\.json cannot be read/);
    const at = await changed('bad', 'contract.json', ['"calls": []', '"callz": []']);
    await assert.rejects(readContractProject(at), /unknown member "callz"/);
  });

  test('an event with more indexed fields than the engine allows topics is refused', async () => {
    const fields = (count: number): readonly [string, string] => [
      'indexed by: address;',
      Array.from({ length: count }, (_, i) => `indexed by${i}: address;`).join(' '),
    ];
    await readContractProject(await changed('three', 'counter.idl', fields(3)));
    await assert.rejects(
      readContractProject(await changed('four', 'counter.idl', fields(4))),
      /counter\.idl: the event Counted: expected at most 3 indexed fields, got 4/,
    );
  });
});
