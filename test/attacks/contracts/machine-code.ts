// Bytecode that expands to far more machine code is refused or paid for; total compiled code stays bounded.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hex } from '../../outside/bytes.js';
import { devWallet } from '../../outside/wallet.js';
import { assemble } from '../../support/contracts/wasm-assembler.js';
import { AttackSender, deployment } from '../../support/nodes/attack-sender.js';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';
import type { AfterRestart } from '../../support/nodes/attacks-on.js';

const AT = `0x${'c0'.repeat(20)}`;
const WIDE = 'jjj>jjj';
const PUSH = 'i64.const 0;'.repeat(3);
/** Calls (3 parameters, 3 results) per function, and number of functions, just within the limits. */
const CALLS = 1_800;
const FUNCTIONS = 20;
/** Memory of an idle node, plus the bound on compiled code, plus the compilers' working memory. */
const PEAK_MIB = 1_200;

/** @param rounds numbers of modules that run one after another */
export function machineCode(
  attacked: AttackedNode,
  afterRestart: AfterRestart,
  rounds: readonly number[],
): void {
  const sender = new AttackSender(attacked, devWallet(0));
  let contract: Uint8Array;

  /** A module with the given number of functions and calls per function; each seed gives a different module. */
  function wideCalls(seed: number, functions: number, calls: number): Uint8Array {
    const names = Array.from({ length: functions }, (_, index) => `f${index}`);
    return assemble({
      memory: [1],
      data: [{ at: 0, bytes: Uint8Array.of(seed, seed >> 8) }],
      functions: [
        { name: 'invoke', type: '>i', code: `${names.map((name) => `call ${name};`).join('')} i32.const 0` },
        {
          name: 'wide',
          type: WIDE,
          code: Array.from({ length: 3 }, (_, n) => `local.get ${n}`).join(';'),
          isExported: false,
        },
        ...names.map((name) => ({
          name,
          code: `${PUSH} ${'call wide;'.repeat(calls)} drop; drop; drop`,
          isExported: false,
        })),
      ],
    });
  }

  function single(code: string, imports: readonly string[] = []): Uint8Array {
    return assemble({
      imports,
      memory: [1],
      functions: [{ name: 'invoke', type: '>i', locals: 'i', code: `${code}; i32.const 0` }],
    });
  }

  /** A contract with one function of each type. */
  function ofTypes(types: readonly string[]): Uint8Array {
    return assemble({
      memory: [1],
      functions: [
        { name: 'invoke', type: '>i', code: 'i32.const 0' },
        ...types.map((type, index) => ({ name: `f${index}`, type, code: 'unreachable', isExported: false })),
      ],
    });
  }

  /** `count` consecutive function types allowed in contracts, starting at an index. */
  function shapes(from: number, count: number): string[] {
    return Array.from({ length: count }, (_, index) => {
      const number = from + index;
      const free = (number % 32).toString(2).padStart(5, '0').replaceAll('0', 'i').replaceAll('1', 'j');
      const tail = (number & 32) === 0 ? 'i' : 'j';
      return `${free}${tail.repeat(2 + (Math.floor(number / 192) % 9))}>${['', 'i', 'j'][Math.floor(number / 64) % 3]}`;
    });
  }

  interface ViewResult {
    readonly status: { readonly type: string };
    readonly gas_used: number;
  }

  async function view(params: object): Promise<ViewResult> {
    return (await attacked.rpc.call('view_call', params)) as ViewResult;
  }

  const overriding = (code: Uint8Array, gas?: number): object => ({
    contract: AT,
    input: '0x',
    overrides: [{ address: AT, code: `0x${hex(code)}` }],
    ...(gas === undefined ? {} : { gas_limit: gas }),
  });

  test('modules that would become too much machine code are refused', async () => {
    const refused: readonly (readonly [string, Uint8Array])[] = [
      ['calls in many functions', wideCalls(1, 60, 1_900)],
      ['calls in one function', wideCalls(1, 1, 20_000)],
      [
        'loops that take along 3 values',
        single(`${PUSH} ${`loop ${WIDE}; end;`.repeat(60_000)} drop; drop; drop`),
      ],
      ['loops', single(`${'loop; end;'.repeat(40_000)} nop`)],
      ['branches', single(`block; ${'local.get 0; br_if 0;'.repeat(60_000)} end`)],
    ];
    for (const [name, code] of refused) {
      await assert.rejects(view(overriding(code)), /limit/, name);
    }
    await attacked.assertSound({ peakMiB: PEAK_MIB });
  });

  test('the number of function types of contracts is limited', async () => {
    // V8 keeps every type forever and searches all of them; newer versions abort the process at a million.
    await assert.rejects(view(overriding(ofTypes(['iiiiiijjjj>']))), /all of one type after the fifth/);
    await assert.rejects(view(overriding(ofTypes(['i>jjjjjj']))), /one result/);
    await assert.rejects(view(overriding(ofTypes(['i'.repeat(16)]))), /at most 15 parameters, got 16/);
    await assert.rejects(view(overriding(ofTypes(shapes(0, 600)))), /at most 512 types/);
    for (let at = 0; at < 4; at++) {
      assert.equal((await view(overriding(ofTypes(shapes(at * 500, 500))))).status.type, 'success');
    }
    await attacked.assertSound({ peakMiB: PEAK_MIB });
  });

  test('a host function imported 13,000 times is instantiated once', async () => {
    const imports = Array.from({ length: 13_000 }, () => 'sha256');
    const { status } = await view(overriding(single('nop', imports)));
    assert.equal(status.type, 'success');
    await attacked.assertSound({ peakMiB: PEAK_MIB });
  });

  test('code in overrides is paid from the gas of the call before it is parsed', async () => {
    const code = wideCalls(2, FUNCTIONS, CALLS);
    for (let n = 0; n < 30; n++) {
      await assert.rejects(view(overriding(code, 20_000)), /gas/);
    }
    await attacked.assertSound({ peakMiB: PEAK_MIB });
  });

  test('modules with the maximum machine code run one after another, twice, in bounded memory', async () => {
    for (const [round, modules] of rounds.entries()) {
      for (let seed = 0; seed < modules; seed++) {
        const { status } = await view(overriding(wideCalls(seed, FUNCTIONS, CALLS)));
        assert.equal(status.type, 'success', `round ${round}, module ${seed}`);
      }
    }
    await attacked.assertSound({ peakMiB: PEAK_MIB });
  });

  test('contracts pay for their machine code on deployment and on first entry', async () => {
    const code = wideCalls(99, FUNCTIONS, CALLS);
    const deploy = deployment(code);
    const bytesAlone = 60_000n + 216n * BigInt(code.length);
    const poor = await sender.send(deploy, bytesAlone);
    assert.equal(poor.status.type, 'out_of_gas');
    const receipt = await sender.send(deploy, 200_000_000n);
    assert.equal(receipt.status.type, 'success');
    assert.ok(receipt.gas_used > 5n * bytesAlone, `${receipt.gas_used} for ${code.length} bytes`);

    contract = receipt.contract ?? assert.fail();
    await enters();
  });

  /** The deployed contract, entered for the first time by its thread. */
  async function enters(): Promise<void> {
    const params = { contract: `0x${hex(contract)}`, input: '0x' };
    for (let n = 0; n < 30; n++) {
      const { status } = await view({ ...params, gas_limit: 20_000 });
      assert.equal(status.type, 'out_of_gas');
    }
    const { status, gas_used } = await view(params);
    assert.equal(status.type, 'success');
    assert.ok(gas_used > 1_000_000, `${gas_used}`);
    const called = await sender.call(contract, 100_000_000n);
    assert.equal(called.status.type, 'success');
    assert.ok(called.gas_used > BigInt(gas_used), `${called.gas_used} gas`);
    await attacked.assertSound({ peakMiB: PEAK_MIB });
  }

  afterRestart(() => {
    test('contracts pay for their machine code on first entry', enters);
  });
}
