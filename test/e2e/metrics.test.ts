// The Prometheus metrics are well-formed and correct.
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { nodeRpcV1Manifest } from '../../src/generated/node-rpc-v1.js';
import { declaredMetrics } from '../../src/rpc/metrics/declared-metrics.js';
import { devWallet } from '../outside/wallet.js';
import { NODE_MODE } from '../support/native-modes.js';
import { AttackedNode } from '../support/nodes/attacked-node.js';
import { alertRules } from '../support/operations/alert-rules.js';
import { lintMetrics, readMetrics } from '../support/operations/metrics-lint.js';
import { selectorsOf } from '../support/operations/promql.js';

/** Series that a single node that seals does not have. */
const OF_OTHER_NODES =
  /^(up|heddle_(follow|quota_store)_.*|heddle_consensus_(peer_connected|invalid_proposals_total))$/;
const OF_OTHER_NODES_AND_STORES = new RegExp(`${OF_OTHER_NODES.source}|^heddle_store_`);

describe(`the metrics of a node with --native ${NODE_MODE}`, () => {
  const attacked = new AttackedNode([
    '--native',
    NODE_MODE,
    '--block-time',
    '50',
    '--idle-block-time',
    '100',
  ]);
  before(() => attacked.ready());
  after(() => attacked.dispose());
  const scrape = async (): Promise<string> => (await attacked.rpc.http({ path: '/metrics' })).body.toString();

  test('follow the rules of the text format and its naming', async () => {
    await attacked.assertSound();
    assert.deepEqual(lintMetrics(await scrape()), []);
  });

  test('are all declared and documented, with their labels', async () => {
    const declared = new Map(declaredMetrics().map(({ name, labels }) => [name, labels] as const));
    for (const { name, labels } of readMetrics(await scrape())) {
      const known = declared.get(name) ?? declared.get(name.replace(/_(bucket|sum|count)$/, ''));
      assert.ok(known !== undefined, name);
      for (const label of Object.keys(labels))
        assert.ok(label === 'le' || known.includes(label), `${name} ${label}`);
    }
  });

  test('exist on a node that seals alone, except those of validators, followers and fleets', async () => {
    const present = new Set([...(await scrape()).matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));
    const missing = declaredMetrics().filter(
      ({ name }) => !present.has(name) && !/^heddle_(mesh|follow|quota_store)_/.test(name),
    );
    assert.deepEqual(
      missing.map(({ name }) => name),
      [],
    );
  });

  test('include the series of the alert rules before the first event, so that the first one raises an alert', async () => {
    const fresh = readMetrics(await scrape());
    const others = NODE_MODE === 'off' ? OF_OTHER_NODES_AND_STORES : OF_OTHER_NODES;
    const selectors = alertRules().flatMap(({ expr }) => selectorsOf(expr));
    for (const { name, matches } of selectors.filter((each) => !others.test(each.name))) {
      assert.ok(
        fresh.some((sample) => sample.name === name && matches(sample.labels)),
        `no series for an alert on ${name}`,
      );
    }
    const errors = fresh.filter(({ labels }) => labels['outcome'] === 'internal_error');
    const methods = errors.map(({ labels }) => labels['method']);
    for (const { name, methods: declared } of nodeRpcV1Manifest.interfaces) {
      for (const method of declared) {
        const qualified = `${name}.${method.name}`;
        assert.ok(methods.includes(qualified), `no internal errors of ${qualified}`);
      }
    }
    const origins = fresh.flatMap(({ name, labels }) =>
      name === 'heddle_faults_total' ? [labels['origin']] : [],
    );
    assert.deepEqual(origins, ['callback', 'uncaught_exception', 'unhandled_rejection']);
  });

  test('count answers by status, sizes and results', async () => {
    const value = async (metric: string, label: string, of: string) =>
      readMetrics(await scrape()).find(({ name, labels }) => name === metric && labels[label] === of)
        ?.value ?? 0;
    const before = await value('heddle_http_answers_total', 'status', '404');
    await attacked.rpc.http({ path: '/nothing' });
    assert.equal(await value('heddle_http_answers_total', 'status', '404'), before + 1);
    const statusBytes = await value('heddle_rpc_result_bytes_total', 'method', 'NodeRpcV1.status');
    const result = JSON.stringify(await attacked.rpc.call('status', {}));
    const grown = (await value('heddle_rpc_result_bytes_total', 'method', 'NodeRpcV1.status')) - statusBytes;
    assert.ok(Math.abs(grown - result.length) < 200, `${grown} counted, ${result.length} received`);
  });

  test('show each thread at work', async () => {
    const all = readMetrics(await scrape());
    for (const metric of [
      'heddle_thread_active_seconds_total',
      'heddle_thread_heap_bytes',
      'heddle_queue_jobs',
    ]) {
      const threads = new Set(
        all.filter(({ name }) => name === metric).map(({ labels }) => labels['thread']),
      );
      assert.ok(threads.has('main') && threads.has('front-0'), `${metric}: ${[...threads].join()}`);
    }
  });

  test('report the version and configuration', async () => {
    const [info] = readMetrics(await scrape()).filter(({ name }) => name === 'heddle_build_info');
    assert.ok(info !== undefined);
    assert.equal(info.value, 1);
    assert.match(info.labels['version'] ?? '', /^\d+\.\d+\.\d+/);
    assert.equal(info.labels['node_version'], process.version);
    if (NODE_MODE === 'off') assert.equal(info.labels['native_http'], 'false');
    if (NODE_MODE === 'require') assert.equal(info.labels['native_store'], 'true');
  });

  test('count what the pool refuses, by reason', async () => {
    const count = async (reason: string) =>
      readMetrics(await scrape()).find(
        ({ name, labels }) => name === 'heddle_pool_rejections_total' && labels['reason'] === reason,
      )?.value;
    assert.equal(await count('already_known'), 0);
    const { encoded } = await attacked.transferOf(devWallet(3));
    await attacked.rpc.call('tx_submit', { encoded, wait: { type: 'included' } });
    await assert.rejects(attacked.rpc.call('tx_submit', { encoded }));
    assert.equal(await count('already_known'), 1);
  });

  test('report the size of the store on disk', async () => {
    await attacked.sealed(5);
    const told = readMetrics(await scrape()).find(({ name }) => name === 'heddle_store_bytes')?.value ?? 0;
    const directory = join(attacked.dataDir, 'store');
    const real = readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
    assert.ok(Math.abs(told - real) < 0.05 * real + 65_536, `${told} told, ${real} on disk`);
  });
});
