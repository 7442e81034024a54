import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { packageRoot } from '../../src/config/package-info.js';
import { watchConsensus } from '../../src/rpc/metrics/consensus-metrics.js';
import { NodeMetrics } from '../../src/rpc/metrics/node-metrics.js';
import { alertRules } from '../support/operations/alert-rules.js';
import { readMetrics } from '../support/operations/metrics-lint.js';
import { labelsOf, lintQuery, selectorsOf } from '../support/operations/promql.js';

const file = join(packageRoot(), 'deploy/alerts.yaml');
const rules = alertRules();
const runbook = readFileSync(join(packageRoot(), 'docs/alerts.md'), 'utf8');
const sections = new Map(
  runbook
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section] as const),
);

describe('the alert rules', () => {
  test('have different names', () => {
    assert.ok(rules.length > 0);
    assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
  });

  for (const { alert, expr, for: lasting, labels, annotations } of rules) {
    test(`${alert} asks for metrics and labels that nodes have, and says what is wrong`, () => {
      assert.deepEqual(lintQuery(expr), []);
      assert.match(lasting, /^\d+m$/);
      assert.match(labels.severity, /^(critical|warning)$/);
      const known = labelsOf(expr);
      for (const words of [annotations.summary, annotations.description]) {
        assert.ok(words.length > 10);
        for (const [, label = ''] of words.matchAll(/\$labels\.(\w+)/g)) {
          assert.ok(known.has(label), `${words} names a label that ${expr} does not have`);
        }
      }
      assert.equal(annotations.runbook, `docs/alerts.md#${alert.toLowerCase()}`);
      const section = sections.get(alert) ?? '';
      for (const part of ['**Means.**', '**Look at.**', '**Do.**']) assert.ok(section.includes(part), part);
    });
  }

  test('have all the sections of the runbook', () => {
    assert.deepEqual(
      [...sections.keys()],
      rules.map(({ alert }) => alert),
    );
  });
});

test('a validator has a series for the invalid proposals of every other validator before the first one', async () => {
  const { expr } = rules.find(({ alert }) => alert === 'HeddleInvalidProposals') ?? assert.fail();
  const [selector] = selectorsOf(expr);
  const metrics = new NodeMetrics();
  const invalid = new Map<number, number>();
  watchConsensus(metrics.registry, {
    counts: () => ({
      epoch: 0n,
      view: 0n,
      proposals: 0n,
      notarizations: 0n,
      nullifications: 0n,
      finalizations: 0n,
      timeouts: 0n,
      equivocations_seen: 0n,
    }),
    peers: () => [1, 2, 3].map((index) => ({ index, connected: false })),
    sinceFinalMs: () => undefined,
    overdueMs: () => undefined,
    hasEpochKey: () => true,
    invalidProposals: () => invalid,
    earlyProposals: () => new Map(),
  });
  const shown = async () => {
    const samples = readMetrics((await metrics.render()).text).filter(({ name }) => name === selector?.name);
    return samples.map(({ labels, value }) => [labels['validator'], value]);
  };
  assert.deepEqual(await shown(), [
    ['1', 0],
    ['2', 0],
    ['3', 0],
  ]);
  invalid.set(2, 4);
  assert.deepEqual((await shown()).at(1), ['2', 4]);
  metrics.stop();
});

const promtool = spawnSync('promtool', ['--version']).error === undefined;

describe('promtool', { skip: promtool ? false : 'promtool (Debian: prometheus) is not installed' }, () => {
  test('accepts the alert rules', () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
  });

  test('accepts the metrics', async () => {
    const metrics = new NodeMetrics();
    const { text } = await metrics.render();
    metrics.stop();
    const { stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
    const complaints = (stdout + stderr).split('\n').filter((line) => /^heddle_/.test(line));
    assert.deepEqual(complaints, []);
  });
});
