import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gasReport, gasReportText } from '../../src/contract-sdk/gas-report.js';
import { parseSnapshot, snapshotDifferences, snapshotText } from '../../src/contract-sdk/gas-snapshot.js';
import { type CallRecord, parseRecords } from '../../src/contract-sdk/test-run.js';

const call = (method: string, gas: number, status: CallRecord['status'] = 'success'): CallRecord => ({
  contract: 'Token',
  method,
  status,
  gas,
});

const REPORT = gasReport([
  call('transfer', 300),
  call('mint', 10),
  call('transfer', 100),
  call('transfer', 101),
  call('transfer', 1, 'reverted'),
  call('burn', 9, 'trapped'),
]);

test('a report sums up successful calls by method, in any order of calls', () => {
  assert.deepEqual(REPORT[2], {
    contract: 'Token',
    method: 'transfer',
    calls: 3,
    failed: 1,
    min: 100,
    mean: 167,
    max: 300,
  });
  assert.deepEqual(
    REPORT.map(({ method }) => method),
    ['burn', 'mint', 'transfer'],
  );
  assert.match(gasReportText(REPORT), /^Token\.burn +0 +1$/m);
  assert.match(gasReportText(REPORT), /^Token\.transfer +3 +1 +100 +167 +300$/m);
});

test('a snapshot that is written and read again equals itself', () => {
  assert.deepEqual(parseSnapshot(snapshotText(REPORT)), REPORT);
  assert.deepEqual(snapshotDifferences(parseSnapshot(snapshotText(REPORT)), REPORT), []);
});

test('a comparison names new, missing and changed methods', () => {
  const now = gasReport([call('transfer', 100), call('transfer', 303), call('mint', 10), call('approve', 5)]);
  assert.deepEqual(snapshotDifferences(REPORT, now), [
    '+ Token.approve: not in the snapshot',
    '~ Token.transfer: calls 3 → 2',
    '~ Token.transfer: failed 1 → 0',
    '~ Token.transfer: mean gas 167 → 202 (+20.96 %)',
    '~ Token.transfer: max gas 300 → 303 (+1.00 %)',
    '- Token.burn: no longer called',
  ]);
});

test('a tolerance accepts changes of gas up to a percentage, in both directions', () => {
  const before = gasReport([call('mint', 1000)]);
  for (const [gas, isAccepted] of [
    [1010, true],
    [990, true],
    [1011, false],
    [989, false],
  ] as const) {
    assert.equal(snapshotDifferences(before, gasReport([call('mint', gas)]), 1).length === 0, isAccepted);
  }
});

test('any tolerance above 0 accepts a change of two units of gas', () => {
  const before = gasReport([call('mint', 100)]);
  for (const [gas, tolerance, isAccepted] of [
    [102, 0.1, true],
    [98, 0.1, true],
    [103, 0.1, false],
    [101, 0, false],
  ] as const) {
    const differences = snapshotDifferences(before, gasReport([call('mint', gas)]), tolerance);
    assert.equal(differences.length === 0, isAccepted, `${gas}, ${tolerance}`);
  }
});

test('a malformed line of a snapshot is refused with its number', () => {
  const text = `${snapshotText(REPORT)}Token.mint 7 gas\n`;
  assert.throws(() => parseSnapshot(text), {
    code: 'bad_snapshot',
    message: /^line 4: expected .* got "Token\.mint 7 gas"$/,
  });
});

test('records of a process that was killed while writing are read up to its last whole line', () => {
  const record = { call: call('mint', 7) };
  assert.deepEqual(parseRecords(`${JSON.stringify(record)}\n{"call":{"contr`), [record]);
});
