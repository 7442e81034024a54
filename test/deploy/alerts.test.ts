import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { packageRoot } from '../../src/config/package-info.js';
import { NodeMetrics } from '../../src/rpc/metrics/metrics.js';
import { labelsOf, lintQuery } from '../support/promql.js';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string; readonly runbook: string };
}

const file = join(packageRoot(), 'deploy/alerts.yaml');
const { groups } = parse(readFileSync(file, 'utf8')) as {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
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
