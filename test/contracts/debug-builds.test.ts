import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sdkFolder } from '../../src/contract-sdk/build-contract.js';
import {
  type ContractProject,
  contractAbi,
  readContractProject,
} from '../../src/contract-sdk/contract-project.js';
import { coverageReport, coverageText, lcovText } from '../../src/contract-sdk/coverage-report.js';
import { ContractSandbox, type SandboxContract } from '../../src/contract-sdk/sandbox.js';
import { SourceLines } from '../../src/contract-sdk/source-lines.js';
import { compileForTests, type TestBuilds } from '../../src/contract-sdk/test-builds.js';
import type { DebugBuild, TestRecord } from '../../src/contract-sdk/test-run.js';
import { CodePositions } from '../../src/vm/wasm/code-positions.js';
import { LIMITS } from '../../src/vm/wasm/engine-limits.js';
import { TestProject } from '../support/contracts/test-project.js';
import { addressText } from '../support/worlds/contract-world.js';
import { address } from '../support/worlds/vm-world.js';

describe('debug builds of contracts', () => {
  const files = new TestProject();
  let project: ContractProject;
  let builds: TestBuilds;

  before(async () => {
    project = await readContractProject(files.folder);
    builds = await compileForTests(project, { sdk: sdkFolder(), coverage: true });
  });

  after(() => files.remove());

  /** A counter that starts at 5, and the records of its calls. */
  async function counter(
    debug: readonly DebugBuild[] = [builds.debug],
  ): Promise<{ readonly contract: SandboxContract; readonly records: TestRecord[] }> {
    const records: TestRecord[] = [];
    const sandbox = await ContractSandbox.create({ builds: debug, record: (each) => records.push(each) });
    const contract = sandbox.deploy(address(9), builds.release.code, contractAbi(project));
    contract.init({ owner: addressText(address(1)), start: 5 });
    return { contract, records };
  }

  function messageOf(call: () => unknown): string {
    try {
      call();
    } catch (error) {
      assert.ok(error instanceof Error);
      return error.message;
    }
    throw new Error('it succeeded');
  }

  test('a trap names the line of the source, and those of its callers', async () => {
    const { contract } = await counter();
    const message = messageOf(() => contract.call('divide', { by: 0 }));
    assert.match(message, /^divide: trapped: integer divided by zero\n/);
    const [first, second] = message.split('\n').slice(1);
    assert.match(
      first ?? '',
      new RegExp(`at Counter#divide \\(assembly/counter.ts:${files.lineOf('rest / by')}:\\d+\\)$`),
    );
    assert.match(second ?? '', /at invoke \(generated\/entry\.ts:\d+:\d+\)$/);
  });

  test('a revert names its line, even inside a function that the compiler inlined', async () => {
    const { contract } = await counter();
    const line = files.lineOf('require(by > 0');
    assert.match(
      messageOf(() => contract.call('increment', { by: 0 })),
      new RegExp(`at Counter#increment \\(assembly/counter.ts:${line}:`),
    );
    const reset = messageOf(() => contract.call('reset', {}, { from: address(2) }));
    assert.match(
      reset,
      new RegExp(`at Counter#reset \\(assembly/counter.ts:${files.lineOf('fail.NotOwner')}:`),
    );
  });

  /** A proposal with a number as its first field. */
  function proposal(id: number) {
    const fields = Array.from({ length: 9 }, (_, at) => [
      `field_${at}`,
      at % 2 === 0 ? at : addressText(address(at)),
    ]);
    return { ...Object.fromEntries(fields), field_0: id };
  }

  test('a method with a wide struct shows its error and its line, also with coverage', async () => {
    const { contract, records } = await counter();
    contract.call('propose', { what: proposal(1) });
    const message = messageOf(() => contract.call('propose', { what: proposal(7) }));
    const line = files.lineOf('fail.UnknownProposal');
    assert.match(message, /^propose: reverted: UnknownProposal/);
    assert.match(message, new RegExp(`at Counter#propose \\(assembly/counter.ts:${line}:`));
    const hits = records.flatMap((record) => ('lines' in record ? [record.lines] : []));
    const [report] = coverageReport(builds.lines, hits);
    assert.equal(report?.hits.get(files.lineOf('return what')), 1);
  });

  test('a refused debug build does not hide the error of a call', async () => {
    const refused = { ...builds.debug, code: new Uint8Array(8) };
    const { contract } = await counter([refused]);
    const message = messageOf(() => contract.call('propose', { what: proposal(7) }));
    assert.match(message, /^propose: reverted: UnknownProposal/);
    assert.doesNotMatch(message, /assembly/);
  });

  test('looking for lines changes neither state nor gas, and needs a debug build of the same code', async () => {
    const { contract } = await counter();
    const outcome = contract.outcome('divide', { by: 0 });
    const plain = await counter([]);
    const same = plain.contract.outcome('divide', { by: 0 });
    assert.equal(outcome.gasUsed, same.gasUsed);
    assert.ok(contract.sandbox.stackOf(outcome).length > 0);
    assert.equal(contract.call('count'), 5);
    assert.deepEqual(plain.contract.sandbox.stackOf(same), []);
    const other = await counter([{ ...builds.debug, codeHash: '00'.repeat(32) }]);
    assert.deepEqual(other.contract.sandbox.stackOf(other.contract.outcome('divide', { by: 0 })), []);
  });

  test('the source map of the deployed code leads to the same line', async () => {
    const { contract } = await counter([]);
    const offsets: number[] = [];
    contract.sandbox.observer = {
      frameStopped: (_frame, positions) => offsets.push(...positions.map(({ offset }) => offset)),
    };
    contract.outcome('divide', { by: 0 });
    const positions = new CodePositions(builds.release.code, 'plain', LIMITS);
    const lines = new SourceLines(builds.release.sourceMap);
    const found = positions.originalOf(offsets[0] ?? 0);
    const at = found && lines.at(found.offset, found.functionStart);
    assert.equal(at?.source, 'assembly/counter.ts');
    assert.equal(at?.line, files.lineOf('rest / by'));
  });

  test('coverage counts the lines that calls ran, and lists the others', async () => {
    const { contract, records } = await counter();
    contract.call('divide', { by: 2 });
    contract.outcome('divide', { by: 0 });
    const hits = records.flatMap((record) => ('lines' in record ? [record.lines] : []));
    const report = coverageReport(builds.lines, hits);
    assert.deepEqual(
      report.map(({ source }) => source),
      ['assembly/counter.ts'],
    );
    const lines = report[0]?.hits ?? new Map<number, number>();
    assert.equal(lines.get(files.lineOf('let rest')), 2);
    assert.equal(lines.get(files.lineOf('rest += 1')), 0);
    assert.equal(lines.get(files.lineOf('rest / by')), 2);
    assert.equal(lines.get(files.lineOf('set(rest)')), 1, 'the line after the trap');
    assert.equal(lines.get(files.lineOf('import ')), undefined);
    const lcov = lcovText(report);
    assert.ok(lcov.startsWith('TN:\nSF:assembly/counter.ts\nDA:'));
    assert.ok(lcov.includes(`\nDA:${files.lineOf('rest += 1')},0\n`));
    assert.match(lcov, /\nLF:\d+\nLH:\d+\nend_of_record\n$/);
    assert.match(coverageText(report), new RegExp(`assembly/counter.ts .* ${files.lineOf('rest += 1')}, `));
  });

  test('gas is recorded by method with its outcome, and is the same without coverage', async () => {
    const calls = async (debug: readonly DebugBuild[]): Promise<readonly TestRecord[]> => {
      const { contract, records } = await counter(debug);
      contract.call('increment', { by: 2 });
      contract.outcome('increment', { by: 0 });
      return records.filter((record) => 'call' in record);
    };
    const covered = await calls([builds.debug]);
    assert.deepEqual(covered, await calls([]));
    assert.deepEqual(
      covered.map((record) => 'call' in record && [record.call.method, record.call.status]),
      [
        ['init', 'success'],
        ['increment', 'success'],
        ['increment', 'reverted'],
      ],
    );
  });

  test('a malformed source map is refused with a message', () => {
    const valid = JSON.parse(builds.release.sourceMap) as Record<string, unknown>;
    for (const [text, message] of [
      ['{', /JSON/],
      ['null', /source map of version 3/],
      [JSON.stringify({ ...valid, version: 2 }), /expected version 3, got 2/],
      [JSON.stringify({ ...valid, sources: 'x' }), /lists of sources/],
      [JSON.stringify({ ...valid, mappings: 7 }), /mappings/],
      [JSON.stringify({ ...valid, sources: [] }), /bad mappings/],
      [JSON.stringify({ ...valid, mappings: 'A~~~' }), /source map/],
    ] as const) {
      assert.throws(() => new SourceLines(text), { name: 'ContractError', code: 'bad_source_map', message });
    }
  });
});
