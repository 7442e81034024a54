import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { packageRoot } from '../../src/config/package-info.js';
import { labelsOf, lintQuery } from '../support/operations/promql.js';

interface Target {
  readonly refId: string;
  readonly expr: string;
  readonly legendFormat: string;
  readonly datasource: unknown;
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly datasource?: unknown;
  readonly targets?: readonly Target[];
  readonly fieldConfig?: { readonly defaults: { readonly unit: string } };
}

interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly schemaVersion: number;
  readonly time: { readonly from: string; readonly to: string };
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly type: string; readonly query: unknown }[];
  };
  readonly panels: readonly Panel[];
  readonly __inputs?: unknown;
}

const WIDTH = 24;
const SOURCE = { type: 'prometheus', uid: '$datasource' };

const text = readFileSync(join(packageRoot(), 'deploy/grafana-dashboard.json'), 'utf8');
const dashboard = JSON.parse(text) as Dashboard;
const { panels } = dashboard;
const graphs = panels.filter(({ type }) => type !== 'row');

/** A query as Prometheus gets it. */
function filledIn(query: string): string {
  return query.replaceAll('$__rate_interval', '5m').replaceAll(/\$(job|instance)\b/g, '.*');
}

describe('the Grafana dashboard', () => {
  test('has the fields that an import needs, and no inputs to fill in', () => {
    assert.ok(dashboard.uid !== '' && dashboard.title !== '' && dashboard.schemaVersion >= 36);
    assert.ok(dashboard.time.from !== '' && dashboard.time.to !== '');
    assert.equal(dashboard.__inputs, undefined);
  });

  test('has variables for data source, job and instance, and uses no others', () => {
    const names = dashboard.templating.list.map(({ name, type }) => [name, type]);
    assert.deepEqual(names, [
      ['datasource', 'datasource'],
      ['job', 'query'],
      ['instance', 'query'],
    ]);
    const used = new Set([...text.matchAll(/\$\{?(\w+)/g)].map(([, name]) => name));
    assert.deepEqual([...used].sort(), ['__all', '__rate_interval', 'datasource', 'instance', 'job']);
    for (const { query } of dashboard.templating.list.slice(1)) {
      const [, selector = ''] = /^label_values\((.+), \w+\)$/.exec((query as { query: string }).query) ?? [];
      assert.deepEqual(lintQuery(filledIn(selector)), []);
    }
  });

  test('gives every panel an id and a place of its own', () => {
    const ids = panels.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    const taken = new Map<string, string>();
    for (const { title, gridPos } of panels) {
      const { x, y, w, h } = gridPos;
      assert.ok(x >= 0 && y >= 0 && w > 0 && h > 0 && x + w <= WIDTH, title);
      for (let column = x; column < x + w; column++) {
        for (let line = y; line < y + h; line++) {
          const place = `${column},${line}`;
          assert.equal(taken.get(place), undefined, `${title} lies over ${taken.get(place)}`);
          taken.set(place, title);
        }
      }
    }
  });

  test('has its rows, each with panels', () => {
    const rows = panels.flatMap(({ type, title }, at) => (type === 'row' ? [{ title, at }] : []));
    assert.deepEqual(
      rows.map(({ title }) => title),
      [
        'Traffic',
        'Latency',
        'Errors and refusals',
        'Sealing and chain',
        'Pool',
        'Threads and memory',
        'Store',
        'Validators and followers',
        'WebSockets and kept results',
      ],
    );
    for (const { title, at } of rows) assert.equal(panels[at + 1]?.type, 'timeseries', title);
  });

  for (const { title, targets = [], datasource, fieldConfig } of graphs) {
    test(`the panel ${title} queries metrics and labels that nodes have`, () => {
      assert.deepEqual(datasource, SOURCE);
      assert.ok((fieldConfig?.defaults.unit ?? '') !== '');
      assert.ok(targets.length > 0);
      assert.equal(new Set(targets.map(({ refId }) => refId)).size, targets.length);
      for (const { expr, legendFormat, datasource: source } of targets) {
        assert.deepEqual(source, SOURCE);
        const query = filledIn(expr);
        assert.deepEqual(lintQuery(query), [], expr);
        const selectors = [...expr.matchAll(/(?:heddle|process|nodejs)_\w+/g)].length;
        assert.equal(
          expr.split('{job=~"$job",instance=~"$instance"').length - 1,
          selectors,
          `${expr} selects job and instance`,
        );
        const labels = labelsOf(query);
        for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) {
          assert.ok(labels.has(label), `${legendFormat} names a label that ${expr} does not have`);
        }
      }
    });
  }
});
