import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { validateModule } from '../../src/vm/wasm/validate.js';
import { ModuleRefused, type RefusalRule } from '../../src/wasm/module-refused.js';
import { type Ending, endingOf, MeteredModule, TEST_LIMITS } from '../support/contracts/metered-module.js';
import { packageRoot } from '../support/package-root.js';

interface SpecValue {
  readonly type: string;
  readonly value?: string;
}

interface SpecAction {
  readonly type: 'invoke' | 'get';
  readonly module?: string;
  readonly field: string;
  readonly args?: readonly SpecValue[];
}

interface SpecCommand {
  readonly type: string;
  readonly line: number;
  readonly name?: string;
  readonly filename?: string;
  readonly module_type?: string;
  readonly action?: SpecAction;
  readonly expected?: readonly SpecValue[];
  readonly text?: string;
}

/** Two instances of a module within the subset, and the calls made. */
interface Pair {
  readonly raw: WebAssembly.Instance;
  readonly metered: MeteredModule;
  readonly calls: {
    readonly name: string;
    readonly args: readonly (number | bigint)[];
    readonly gas: bigint;
  }[];
  readonly bytes: Uint8Array;
  /** True if modules that are refused here import from it, so that its state may differ from the suite's. */
  isShared: boolean;
}

/** Rules that valid modules may break: those of the subset, not of the specification. */
const SUBSET_RULES: ReadonlySet<RefusalRule> = new Set([
  'floating_point',
  'simd',
  'threads',
  'exceptions',
  'tail_calls',
  'garbage_collection',
  'reference_types',
  'multiple_memories',
  'multiple_tables',
  'memory64',
  'memory_limits',
  'table_limits',
  'start_function',
  'import',
  'custom_section',
  'segment_out_of_bounds',
  'limit',
]);

const SUITE = '../shared/vectors/wasm-spec/core.tgz';
const archive = resolve(packageRoot(import.meta.url), SUITE);

if (existsSync(archive)) {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-wasm-spec-'));
  after(() => rmSync(folder, { recursive: true }));
  execFileSync('tar', ['xzf', archive, '-C', folder]);
  const counts = { accepted: 0, refused: 0, calls: 0, invalid: 0, rules: new Map<string, number>() };
  for (const file of readdirSync(folder).sort()) {
    test(`the specification's ${file} gives the same results metered, or is refused with its rule`, () => {
      runFile(join(folder, file), counts);
    });
  }
  test('the suite ran enough modules and calls', (context) => {
    context.diagnostic(
      `${counts.accepted} modules compared, ${counts.refused} outside the subset, ${counts.calls} calls, ` +
        `${counts.invalid} bad modules; rules: ${JSON.stringify(Object.fromEntries(counts.rules))}`,
    );
    assert.ok(counts.accepted > 300 && counts.calls > 2000 && counts.invalid > 2000);
  });
} else {
  test('the WebAssembly specification suite', { skip: `there is no ${SUITE}` }, () => undefined);
}

function runFile(
  folder: string,
  counts: { accepted: number; refused: number; calls: number; invalid: number; rules: Map<string, number> },
): void {
  const script: { commands: readonly SpecCommand[] } = JSON.parse(
    readFileSync(join(folder, 't.json'), 'utf8'),
  );
  const named = new Map<string, Pair | undefined>();
  const pairs: Pair[] = [];
  let current: Pair | undefined;
  for (const command of script.commands) {
    const where = `line ${command.line}`;
    switch (command.type) {
      case 'module': {
        current = loadPair(read(folder, command), where, counts);
        if (current !== undefined) {
          pairs.push(current);
        }
        if (command.name !== undefined) {
          named.set(command.name, current);
        }
        break;
      }
      case 'assert_invalid':
      case 'assert_malformed':
      case 'assert_unlinkable':
      case 'assert_uninstantiable':
        if (command.module_type === 'binary') {
          const bytes = read(folder, command);
          assert.throws(
            () => validateModule(bytes, TEST_LIMITS, 'any'),
            ModuleRefused,
            `${where}: ${command.type} (${command.text})`,
          );
          counts.invalid += 1;
        }
        break;
      case 'action':
      case 'assert_return':
      case 'assert_trap':
      case 'assert_exhaustion': {
        const { action } = command;
        assert.ok(action !== undefined);
        const pair = action.module === undefined ? current : named.get(action.module);
        if (pair !== undefined && action.type === 'invoke') {
          counts.calls += 1;
          runAction(pair, action, command, where);
        }
        break;
      }
      case 'register': {
        const pair = command.name === undefined ? current : named.get(command.name);
        if (pair !== undefined) {
          pair.isShared = true;
        }
        break;
      }
      default:
        assert.fail(`${where}: unknown command ${command.type}`);
    }
  }
  for (const pair of pairs) {
    checkMemory(pair);
    checkReset(pair);
  }
}

function read(folder: string, command: SpecCommand): Uint8Array {
  assert.ok(command.filename !== undefined);
  return readFileSync(join(folder, command.filename));
}

function loadPair(
  bytes: Uint8Array,
  where: string,
  counts: { accepted: number; refused: number; rules: Map<string, number> },
): Pair | undefined {
  try {
    validateModule(bytes, TEST_LIMITS, 'any');
  } catch (error) {
    assert.ok(error instanceof ModuleRefused, `${where}: ${String(error)}`);
    assert.ok(SUBSET_RULES.has(error.rule), `${where}: a valid module is refused: ${error.message}`);
    counts.refused += 1;
    counts.rules.set(error.rule, (counts.rules.get(error.rule) ?? 0) + 1);
    return undefined;
  }
  counts.accepted += 1;
  const raw = new WebAssembly.Instance(new WebAssembly.Module(bytes));
  return { raw, metered: new MeteredModule(bytes), calls: [], bytes, isShared: false };
}

function runAction(pair: Pair, action: SpecAction, command: SpecCommand, where: string): void {
  const args = (action.args ?? []).map(argument);
  const { ending, gasUsed } = pair.metered.call(action.field, args);
  pair.calls.push({ name: action.field, args, gas: gasUsed });
  const what = `${where}: ${action.field}(${args.join()})`;
  if (command.type === 'assert_exhaustion') {
    assert.equal(ending, 'stack_overflow', what);
    return;
  }
  assert.deepEqual(ending, endingOf(pair.raw, action.field, args), what);
  if (command.type === 'assert_return' && !pair.isShared) {
    assert.deepEqual(ending, (command.expected ?? []).map(argument), what);
  }
  if (command.type === 'assert_trap') {
    assert.ok(typeof ending === 'string' && !ending.startsWith('unknown'), `${what}: ${String(ending)}`);
  }
}

function argument({ type, value }: SpecValue): number | bigint {
  assert.ok((type === 'i32' || type === 'i64') && value !== undefined, `value of type ${type}`);
  return type === 'i32' ? Number(BigInt.asIntN(32, BigInt(value))) : BigInt.asIntN(64, BigInt(value));
}

function exportedMemory(instance: WebAssembly.Instance): WebAssembly.Memory | undefined {
  return Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory);
}

function checkMemory({ raw, metered }: Pair): void {
  const memory = exportedMemory(raw);
  if (memory !== undefined) {
    assert.ok(metered.memory !== undefined);
    assert.equal(
      Buffer.compare(Buffer.from(memory.buffer), Buffer.from(metered.memory.buffer)),
      0,
      'memory differs',
    );
  }
}

/** Asserts that a reset instance behaves like a fresh one, for the same gas. */
function checkReset({ metered, calls, bytes }: Pair): void {
  const again = metered.reset() ? metered : new MeteredModule(bytes);
  const endings: Ending[] = [];
  for (const { name, args, gas } of calls) {
    const { ending, gasUsed } = again.call(name, args);
    endings.push(ending);
    assert.equal(gasUsed, gas, `${name}(${args.join()}) used other gas after a reset`);
  }
  const fresh = new MeteredModule(bytes);
  assert.deepEqual(
    endings,
    calls.map(({ name, args }) => fresh.call(name, args).ending),
    'a reset instance answers otherwise than a fresh one',
  );
}
