import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Script } from 'node:vm';
import type { LoadReport } from '../../src/load/load-report.js';
import { Recorder } from '../../src/load/recorder.js';
import { reportPage } from '../../src/load/report-page.js';
import { drawnPlots } from '../support/drawn-plots.js';

function report(description: string): LoadReport {
  const recorder = new Recorder();
  for (let i = 1; i <= 1_000; i++) {
    recorder.sent();
    recorder.accepted(i, new Uint8Array(32), i);
    recorder.sealed(2 * i);
  }
  recorder.refused('pool_full');
  recorder.block({ transactions: 10, fill: 0.25 });
  recorder.sample(1_000, 3, 4);
  recorder.sample(2_000, 0, 0);
  return {
    kind: 'heddle load report 1',
    ended: 'interrupted',
    started: '2026-01-02T03:04:05.000Z',
    description,
    url: 'http://127.0.0.1:1/v2/rpc',
    node_version: '0.1.0',
    chain_id: '9545',
    block_time_ms: 250,
    settings: {
      profile: 'transfers',
      rate: 500,
      duration_s: 2,
      connections: 8,
      accounts: 32,
      lanes: 4,
      max_unsealed: 20_000,
      seed: 1,
    },
    sampled_outcomes: { success: 64 },
    ...recorder.report(2_000, 4_000, 0),
  };
}

test('a recorder gives quantiles to three significant figures, and rates over the time measured', () => {
  const { accepted_ms: accepted, sealed_ms: sealed, per_second: rates, samples, refusals } = report('');
  const near = (value: number, expected: number) =>
    assert.ok(Math.abs(value - expected) <= expected / 500, `${value} for ${expected}`);
  near(accepted.p50, 500);
  near(accepted.p99, 990);
  near(accepted.max, 1_000);
  near(sealed.p90, 1_800);
  assert.deepEqual(rates, { sent: 500, accepted: 500, sealed: 250 });
  assert.deepEqual(refusals, { pool_full: 1 });
  assert.deepEqual(
    samples.map(({ at_s, sent, fill, blocks }) => [at_s, sent, fill, blocks]),
    [
      [1, 1_000, 0.25, 1],
      [2, 0, undefined, 0],
    ],
  );
});

test('the page needs no network, and its data cannot end its scripts early', () => {
  const page = reportPage(report('</script><script>alert(1)</script> & more'));
  assert.doesNotMatch(page, /<(?:script|link|img)[^>]+(?:src|href)=/);
  assert.doesNotMatch(page, /alert\(1\)<\/script>/);
  const scripts = [...page.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)];
  assert.deepEqual(
    scripts.map(([, attributes]) => attributes?.trim()),
    ['type="application/json" id="report"', 'type="application/json" id="charts"', '', ''],
  );
  const [data, charts, ...code] = scripts.map(([, , text]) => text ?? '');
  const again = JSON.parse(data ?? '') as LoadReport;
  assert.equal(again.description, '</script><script>alert(1)</script> & more');
  const members = Object.keys(again.samples[0] ?? {});
  for (const { lines } of JSON.parse(charts ?? '') as { lines: { member: string }[] }[]) {
    for (const { member } of lines) assert.ok(members.includes(member), member);
  }
  for (const text of code) assert.ok(new Script(text));
  assert.match(page, /ended early: interrupted/);
});

test('the page draws each chart with one line for each of its members', () => {
  const plots = drawnPlots(reportPage(report('')));
  assert.deepEqual(
    plots.map(({ options, series }) => [options.title, options.width, series.length]),
    [
      ['Transactions a second', 768, 5],
      ['Latency, ms', 768, 5],
      ['Waiting transactions', 768, 3],
      ['Block fill, % of the gas limit', 768, 2],
    ],
  );
  assert.deepEqual(plots[0]?.series, [
    [1, 2],
    [1_000, 0],
    [1_000, 0],
    [1_000, 0],
    [1, 0],
  ]);
  // A span without blocks has no fill.
  assert.deepEqual(plots[3]?.series[1], [25, null]);
});
