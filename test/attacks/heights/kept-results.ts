// Strangers cannot change, evict or grow the results that a node keeps, nor harm it by calls over GET.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RpcClient, RpcFailure } from '../../outside/rpc.js';
import { nodeStatus } from '../../outside/traffic.js';
import { assemble } from '../../support/contracts/wasm-assembler.js';
import { text } from '../../support/hex.js';
import { rawConnection, rawExchange } from '../../support/http/raw-http.js';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';
import { metricOf } from '../../support/operations/metric-of.js';

const PATIENCE_MS = 60_000;
const MIB = 1_048_576;
const FLOODER = '127.0.0.2';
const STATUS_LINE = 'HTTP/1.1 200';
const ECHO_AT = `0x${'ec'.repeat(20)}`;
const ECHO = assemble({
  imports: ['input_size', 'input_read', 'set_output'],
  memory: [1, 1],
  functions: [
    {
      name: 'invoke',
      type: '>i',
      code: 'i32.const 0; i32.const 0; call input_size; call input_read; drop; i32.const 0; call input_size; call set_output; i32.const 0',
    },
  ],
});
const overrides = [{ address: ECHO_AT, code: text(ECHO) }];

export interface KeptResultsSize {
  /** Number of different calls in a flood. */
  readonly uniqueCalls: number;
  /** How far above the tip calls ask. */
  readonly ahead: number;
}

/** The node keeps at most one MiB of results and no more state than it has to. */
export function keptResults(attacked: AttackedNode, { uniqueCalls, ahead }: KeptResultsSize): void {
  let rpc: RpcClient;
  const hits = () => metricOf(rpc, 'heddle_rpc_kept_results_total{how="hit"}');

  before(() => {
    rpc = new RpcClient(attacked.node.url);
  });
  after(() => rpc?.close());

  const tip = async () => Number((await nodeStatus(rpc)).tip.height);
  const reach = async (height: number) => {
    for (const end = Date.now() + PATIENCE_MS; (await tip()) < height; ) {
      assert.ok(Date.now() < end, `the chain reaches ${height}`);
      await sleep(20);
    }
  };
  const echo = (input: string, height: number, more: object = {}) => ({
    contract: ECHO_AT,
    input,
    overrides,
    at: { type: 'height', value: height },
    ...more,
  });
  const post = async (params: string): Promise<unknown> => {
    const { body } = await rpc.post(`{"jsonrpc":"2.0","id":1,"method":"view_call","params":${params}}`);
    return JSON.parse(body.toString()) as unknown;
  };

  test('spellings of the same params share a result, and no spelling gets the result of others', async () => {
    await reach(3);
    const spelled = (input: string, height: number) => {
      const { contract, ...others } = echo(input, height);
      const { overrides: _, ...rest } = others;
      const code = JSON.stringify(overrides);
      return [
        JSON.stringify(echo(input, height)),
        `{"at":{"value":"${height}","type":"height"},"overrides":${code},"input":"${input.toUpperCase().replace('0X', '0x')}","contract":"${contract}"}`,
        `{ "contract" : "${ECHO_AT.toUpperCase().replace('0X', '0x')}", "input": "0xff", "input": "${input}", "overrides": ${code}, "at": {"type":"h\\u0065ight","value":${height}.0} }`,
        `{"contract":"${contract}","method":null,"args":null,"value":"0","value":null,"overrides":${code},"input":"${rest.input}","at":{"type":"height","value":${height}}}`,
      ];
    };
    const outputs = ['0xaa01', '0xaa02', '0x', '0xaa0100'];
    const before = await hits();
    for (let round = 0; round < 3; round++) {
      for (const input of outputs) {
        // The state of the tip is kept long enough for a few calls.
        const height = await tip();
        for (const params of spelled(input, height)) {
          const { result } = (await post(params)) as { result?: { output: string; height: number } };
          assert.deepEqual([result?.output, result?.height], [input, height], params);
        }
      }
    }
    assert.ok(
      (await hits()) - before >= 3 * outputs.length * 2,
      'all spellings after the second share a result',
    );
  });

  test('a call about a height that is not final runs again once it is', async () => {
    const blocks = async (first: number) => {
      const range = { from_height: first, to_height: first + ahead };
      const answer = (await rpc.call('get_blocks', range)) as { blocks: { header: { height: number } }[] };
      return answer.blocks.length;
    };
    const view = async (height: number) => {
      try {
        return ((await rpc.call('view_call', echo('0x01', height))) as { output: string }).output;
      } catch (error) {
        if (error instanceof RpcFailure) return error.data.kind;
        throw error;
      }
    };
    let first = 0;
    let partial = 0;
    // On a busy machine, the chain may reach the height before each call has run twice.
    for (const end = Date.now() + PATIENCE_MS; partial < 2; ) {
      assert.ok(Date.now() < end, 'each call runs twice before the height is final');
      partial = 0;
      first = await tip();
      while ((await tip()) < first + ahead) {
        if ((await blocks(first)) <= ahead) partial++;
        await view(first + ahead);
      }
    }
    for (let i = 0; i < 4; i++) {
      assert.equal(await blocks(first), ahead + 1);
      assert.equal(await view(first + ahead), '0x01');
    }
  });

  test('a flood of unique calls, each made twice, evicts nothing of others and stays within the bound', async () => {
    // Enough heights for many short ranges.
    await attacked.mineTo(400);
    const height = await tip();
    const honest = () => rpc.call('get_blocks', { from_height: 1, to_height: 1 });
    for (let i = 0; i < 2; i++) await honest();
    const before = await hits();
    await honest();
    assert.equal((await hits()) - before, 1);
    // From another address, in batches: each call once, then again.
    const socket = await rawConnection(attacked.node.url, FLOODER);
    let received = 0;
    let tail = '';
    socket.on('data', (chunk) => {
      const text = tail + chunk.toString('latin1');
      received += text.split(STATUS_LINE).length - 1;
      // A status line may arrive in two pieces.
      tail = text.slice(-STATUS_LINE.length + 1);
    });
    let sent = 0;
    for (let first = 0; first < uniqueCalls; first += 100) {
      const calls = Array.from({ length: 100 }, (_, i) => {
        const from = 1 + ((first + i) % (height - 20));
        const params = { from_height: from, to_height: from + Math.floor((first + i) / (height - 20)) };
        return { jsonrpc: '2.0', id: i, method: 'get_block_summaries', params };
      });
      const body = JSON.stringify(calls);
      const head = `POST /v2/rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
      for (let i = 0; i < 2; i++) {
        socket.write(`${head}${body}`);
        sent++;
        for (const end = Date.now() + PATIENCE_MS; received < sent; ) {
          assert.ok(Date.now() < end, 'the flood is answered');
          await sleep(2);
        }
      }
    }
    socket.destroy();
    const bytes = await metricOf(rpc, 'heddle_rpc_kept_result_bytes');
    assert.ok(bytes > 0.15 * MIB && bytes <= MIB, `${bytes}`);
    const later = await hits();
    await honest();
    assert.equal((await hits()) - later, 1, "the honest client's result is still kept");
  });

  test('long and strange queries are refused, and the node goes on', async () => {
    const path = '/v2/rpc/call/get_blocks';
    const ask = (query: string) =>
      rawExchange(
        attacked.node.url,
        `GET ${path}${query} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`,
        5_000,
      );
    for (const length of [3_000, 9_000, 100_000, 2_000_000]) {
      const { statuses, closed } = await ask(`?params=${'%20'.repeat(length / 3)}`);
      const [status = 0] = statuses;
      assert.ok(closed || statuses.length === 1, `${length}`);
      assert.ok(status === 0 || (status >= 400 && status < 500), `${length}: ${status}`);
    }
    for (const query of ['?params=%00', '?params=%', `?${'&'.repeat(3_000)}`, `?${'a=1&'.repeat(700)}`]) {
      const { statuses } = await ask(query);
      assert.deepEqual(statuses, [400], query.slice(0, 40));
    }
    for (const name of [
      '%67et_blocks',
      '../rpc',
      'constructor',
      '__proto__',
      'get_blocks/',
      'x'.repeat(2_000),
    ]) {
      const { status } = await rpc.http({ path: `/v2/rpc/call/${name}` });
      assert.ok(status === 404, name.slice(0, 40));
    }
    assert.ok((await tip()) > 0);
  });

  test('a caller with a token gets a private answer', async () => {
    const token = readFileSync(join(attacked.dataDir, 'admin.token'), 'utf8').trim();
    const params = encodeURIComponent('{"from_height":1,"to_height":1}');
    const { status, headers } = await rpc.http({
      path: `/v2/rpc/call/get_blocks?params=${params}`,
      headers: { authorization: `Bearer ${token}` },
    });
    assert.deepEqual([status, headers['cache-control']], [200, 'private, no-cache']);
    assert.match(String(headers.vary), /authorization/i);
  });

  test('state that is pruned after its result was kept is refused like any other', async () => {
    const height = await tip();
    const params = echo('0x77', height - 1);
    const before = await hits();
    for (let i = 0; i < 4; i++)
      assert.equal(((await rpc.call('view_call', params)) as { output: string }).output, '0x77');
    assert.equal((await hits()) - before, 2);
    // The node always keeps a thousand heights and prunes every 64 blocks.
    await attacked.mineTo(height + 1_130);
    await assert.rejects(
      rpc.call('view_call', params),
      (error: RpcFailure) => error.data.kind === 'state_unavailable',
    );
    const query = encodeURIComponent(JSON.stringify(params));
    const { status, headers } = await rpc.http({ path: `/v2/rpc/call/view_call?params=${query}` });
    assert.deepEqual([status, headers['cache-control']], [404, 'no-store']);
  });
}
