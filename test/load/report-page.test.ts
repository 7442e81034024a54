import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Script } from 'node:vm';
import { compareLoads } from '../../src/load/comparison.js';
import { reportPage } from '../../src/load/report-page.js';
import { pagePlots, pageText } from '../support/pages/page-plots.js';
import { sampleReport } from './sample-report.js';

test('a recorder gives quantiles to three significant figures, and rates over the time measured', () => {
  const { accepted_ms: accepted, sealed_ms: sealed, per_second: rates, samples } = sampleReport();
  const near = (value: number, expected: number) =>
    assert.ok(Math.abs(value - expected) <= expected / 500, `${value} for ${expected}`);
  near(accepted.p50, 500);
  near(accepted.p99, 990);
  near(accepted.max, 1_000);
  near(sealed.p90, 1_800);
  assert.deepEqual(rates, { sent: 500, accepted: 500, sealed: 250 });
  assert.deepEqual(
    samples.map(({ at_s, sent, fill, blocks }) => [at_s, sent, fill, blocks]),
    [
      [1, 1_000, 0.25, 1],
      [2, 0, undefined, 0],
    ],
  );
});

test('the page begins with the verdict, and splits reverts by error', () => {
  const page = reportPage(sampleReport({ ended: 'interrupted' }));
  const text = pageText(page);
  assert.match(text, /Sealed 1,000 of the 1,000 transactions due at 500\/s; no limit was reached\./);
  assert.match(text, /the node used 0\.5 cores, main thread 30 % busy/);
  assert.match(text, /ended early: interrupted/);
  assert.match(text, /InsufficientBalance3 \(75\.0 %\)/);
  assert.match(text, /main thread \| 0\.3 \| 30\.0 % \|/);
});

test('the page says that metrics were out of reach', () => {
  const report = sampleReport();
  const { node: _, ...resources } = report.resources;
  const samples = report.samples.map(({ node: _node, ...sample }) => sample);
  const page = reportPage({ ...report, samples, resources: { ...resources, node_problem: 'status 404' } });
  assert.match(pageText(page), /The node's metrics could not be read: status 404\./);
  const titles = pagePlots(page).map(({ title }) => title);
  assert.ok(!titles.includes('Processor time of the node'));
  assert.ok(titles.includes('Processor time of the load generator'));
});

test('the page needs no network, and texts from the node can neither become markup nor end a script', () => {
  const hostile = '</script><script>alert(1)</script><img src=x onerror="alert(2)">\u202e';
  const page = reportPage(
    sampleReport({
      description: hostile,
      url: hostile,
      node_version: hostile,
      chain_id: hostile,
      started: hostile,
      refusals: { [hostile]: 1 },
      sampled_outcomes: { [hostile]: 2 },
      sampled_errors: { [hostile]: 1 },
      verdict: { sentence: hostile, limit: 'unknown', evidence: [hostile] },
      comparison: {
        started: hostile,
        warnings: [hostile],
        figures: [{ name: hostile, unit: '', before: 1, now: 2 }],
      },
    }),
  );
  assert.doesNotMatch(page, /<(?:script|link|img)[^>]+(?:src|href)=/);
  assert.doesNotMatch(page, /<img|<script>alert|\u202e/);
  assert.doesNotMatch(page, /url\((?!data:)/);
  const scripts = [...page.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)];
  const code = scripts.filter(([, attributes]) => attributes === '');
  assert.equal(code.length, 1);
  assert.ok(new Script(code[0]?.[2] ?? ''));
});

test('every plot has units on both axes, and one line for each of its values', () => {
  const plots = pagePlots(reportPage(sampleReport()));
  assert.deepEqual(
    plots.map(({ title, y }) => [title, y.label]),
    [
      ['Sent and sealed', 'transactions a second'],
      ['Accepted and refused', 'transactions a second'],
      ['Latency until accepted', 'milliseconds'],
      ['Latency until in a block', 'milliseconds'],
      ['Waiting transactions', 'transactions'],
      ['Fill of blocks', '% of the gas limit'],
      ['Processor time of the node', 'cores in use'],
      ['Threads of the node', '% of the time busy'],
      ['Processor time of the load generator', 'cores in use'],
      ['Event loop of the load generator', '% of the time busy'],
      ['Memory', 'MiB resident'],
    ],
  );
  for (const { title, x, groups } of plots) {
    assert.equal(x.label, 'seconds since the load began');
    for (const { at, lines } of groups) {
      assert.deepEqual(at, [1, 2], title);
      assert.ok(lines.length > 0 && lines.every(({ values }) => values.length === at.length), title);
    }
  }
  const values = (title: string) =>
    plots.find((plot) => plot.title === title)?.groups[0]?.lines.map((line) => [line.label, line.values]);
  assert.deepEqual(values('Sent and sealed'), [
    ['sent', [1_000, 0]],
    ['sealed', [1_000, 0]],
  ]);
  // A span without blocks has no fill, and one without metrics no usage.
  assert.deepEqual(values('Fill of blocks'), [['mean of the blocks', [25, null]]]);
  assert.deepEqual(values('Memory'), [
    ['node', [200, null]],
    ['load generator', [100, 100]],
  ]);
});

test('a compared page has the earlier load behind every plot, and the differences in a table', () => {
  const now = sampleReport();
  const earlier = sampleReport({
    settings: { ...now.settings, rate: 100 },
    per_second: { sent: 400, accepted: 200, sealed: 200 },
    samples: now.samples.map((sample) => ({ ...sample, at_s: sample.at_s * 1.5 })),
  });
  const page = reportPage({ ...now, comparison: compareLoads(now, earlier) }, earlier);
  for (const { title, groups } of pagePlots(page)) {
    const [current, before] = groups;
    assert.deepEqual(before?.at, [1.5, 3], title);
    assert.ok(
      before?.lines.every(({ isEarlier, label }) => isEarlier && label.endsWith(', earlier')),
      title,
    );
    assert.ok(
      current?.lines.every(({ isEarlier }) => isEarlier === undefined),
      title,
    );
  }
  const text = pageText(page);
  assert.match(text, /--rate: 100 before, 500 now/);
  assert.match(text, /sealed \| 200\/s \| 250\/s \| \+25\.0 % \|/);
});
