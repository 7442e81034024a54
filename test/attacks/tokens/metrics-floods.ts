// A flood of scrapes costs one rendering of the metrics page at a time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoopbackConnection, refusalIn } from '../../support/floods/loopback-connection.js';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';
import { readMetrics } from '../../support/operations/metrics-lint.js';

const SCRAPERS = 32;
const STATUS = '{"jsonrpc":"2.0","id":1,"method":"status"}';

export function metricsFloods(attacked: AttackedNode, floodMs: number): void {
  test('scrapes share renderings, and others are served meanwhile', async () => {
    const end = performance.now() + floodMs;
    let scrapes = 0;
    const renderings = new Set<string>();
    const scraper = async (index: number): Promise<void> => {
      const connection = new LoopbackConnection(attacked.node.url, `127.0.1.${1 + index}`);
      while (performance.now() < end) {
        const { status, body } = await connection.get('/metrics');
        assert.equal(status, 200);
        scrapes++;
        const [requests] = readMetrics(body.toString()).filter(
          ({ name }) => name === 'heddle_http_requests_total',
        );
        renderings.add(String(requests?.value));
      }
      connection.close();
    };
    let served = 0;
    const client = async (): Promise<void> => {
      const connection = new LoopbackConnection(attacked.node.url, '127.0.0.77');
      while (performance.now() < end) {
        assert.equal(refusalIn(await connection.post(STATUS)), undefined);
        served++;
      }
      connection.close();
    };
    await Promise.all([client(), ...Array.from({ length: SCRAPERS }, (_, index) => scraper(index))]);
    // Each rendering serves the scrapers that wait for it on both threads.
    assert.ok(scrapes >= 4 * renderings.size, `${scrapes} scrapes, ${renderings.size} renderings`);
    assert.ok(served > 0);
    await attacked.sealed(3, 10_000);
    await attacked.assertSound({ peakMiB: 900 });
  });
}
