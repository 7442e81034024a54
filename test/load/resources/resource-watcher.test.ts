import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { ResourceWatcher } from '../../../src/load/resources/resource-watcher.js';

async function watcherOf(t: TestContext, answer: RequestListener): Promise<ResourceWatcher> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return new ResourceWatcher(`http://127.0.0.1:${(server.address() as AddressInfo).port}/base/v2/rpc`);
}

test('a watcher reads the metrics beside the endpoint, and the load generator’s own usage', async (t) => {
  const paths: (string | undefined)[] = [];
  let cpu = 1;
  const watcher = await watcherOf(t, ({ url }, response) => {
    paths.push(url);
    response.end(`process_cpu_seconds_total ${cpu++}\nprocess_resident_memory_bytes 42\n`);
  });
  const first = await watcher.span();
  assert.equal(first.node, undefined);
  const second = await watcher.span();
  assert.ok((second.node?.cores ?? 0) > 0 && second.node?.memory_bytes === 42);
  assert.ok((second.generator?.memory_bytes ?? 0) > 1_000_000);
  assert.deepEqual(paths, ['/base/metrics', '/base/metrics']);
  const { node_problem: problem, same_machine: isSame } = watcher.resources([first, second]);
  assert.deepEqual([problem, isSame], [undefined, true]);
});

test('a watcher says why it knows nothing about the node', async (t) => {
  const cases: readonly (readonly [RequestListener, RegExp])[] = [
    [(_, response) => response.writeHead(404).end(), /\/base\/metrics answered with status 404$/],
    [(_, response) => response.end('<html>'), /has no metrics of a node$/],
    [(_, response) => response.end('x'.repeat(5 * 1_024 * 1_024)), /longer than 4194304 bytes$/],
    [(_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), /redirect/],
  ];
  for (const [answer, problem] of cases) {
    const watcher = await watcherOf(t, answer);
    const spans = [await watcher.span(), await watcher.span()];
    assert.ok(spans.every(({ node }) => node === undefined));
    assert.match(watcher.resources(spans).node_problem ?? '', problem);
  }
});

test('a watcher recognizes a remote node by its address', () => {
  const of = (url: string) => new ResourceWatcher(url).resources([]).same_machine;
  assert.deepEqual(
    ['http://[::1]:9545/v2/rpc', 'http://localhost/v2/rpc', 'https://10.0.0.7/v2/rpc'].map(of),
    [true, true, false],
  );
});
