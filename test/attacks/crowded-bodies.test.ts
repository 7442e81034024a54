// Bodies that are short to send but expensive to process: many values, many calls, many errors.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { FakeRpc, type FakeRpcOptions } from '../support/http/fake-rpc.js';

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly data: Readonly<Record<string, unknown>> };
}

async function create(options: FakeRpcOptions = {}): Promise<FakeRpc> {
  const rpc = await FakeRpc.create(options);
  after(() => rpc.dispose());
  return rpc;
}

const call = (id: number, method: string, params: string) =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
const values = (count: number) =>
  `{"value":[${Array(count - 2)
    .fill(1)
    .join(',')}]}`;

test('the number of values in parameters is limited, and the rest of the batch is answered', async () => {
  const rpc = await create();
  const { maxJsonValues } = { maxJsonValues: 20_000 };
  const padded = `{"value":"${'x'.repeat(200_000)}"}`;
  const batch = [
    call(1, 'echo', values(2 * maxJsonValues)),
    call(2, 'echo', '{"value":7}'),
    call(3, 'echo', padded),
    call(
      4,
      'echo',
      values(maxJsonValues)
        .replace('[', `["${'y'.repeat(100_000)}",`)
        .replace(',1]', ']'),
    ),
  ];
  const answers = (await rpc.post(`[${batch.join(',')}]`)).json as readonly Answer[];
  assert.deepEqual(
    answers.map(({ id, error }) => [id, error?.data['kind']]),
    [
      [1, 'limit_exceeded'],
      [2, undefined],
      [3, undefined],
      [4, undefined],
    ],
  );
  assert.deepEqual(answers[0]?.error?.data['subject'], 'json_values');
  assert.deepEqual(answers[0]?.error?.data['given'], 2 * maxJsonValues);
  const alone = (await rpc.post(call(5, 'echo', values(maxJsonValues + 20_000)))).json as Answer;
  assert.equal(alone.error?.data['subject'], 'json_values');
  assert.equal(rpc.frontEnd.budget.used, 0);
});

test('a body of any length is read completely before any of its calls runs', async () => {
  const rpc = await create();
  const long = call(1, 'echo', `{"value":"${'x'.repeat(100_000)}"}`);
  for (const broken of [`[${long},{"jsonrpc":"2.0",]`, `[${long},`, `${long}}`, `[${long}] 1`]) {
    const { error } = (await rpc.post(broken)).json as Answer;
    assert.equal(error?.code, -32_700, broken.slice(-20));
  }
  assert.deepEqual(rpc.ran, []);
  assert.equal(rpc.frontEnd.budget.used, 0);
});

test('a long body is refused when there is no room, and short ones are served', async () => {
  const rpc = await create({ limits: { maxBufferedBytes: 100_000 } });
  const long = call(1, 'echo', `{"value":"${'x'.repeat(90_000)}"}`);
  const [first, second, short] = await Promise.all(
    [long, long, call(2, 'echo', '{"value":1}')].map(async (body) => (await rpc.post(body)).json as Answer),
  );
  assert.equal(first?.result, 'x'.repeat(90_000));
  assert.equal(second?.error?.data['kind'], 'overloaded');
  assert.equal(short?.result, 1);
  assert.equal(rpc.frontEnd.budget.used, 0);
});

test('a batch of misspelt methods is answered with a suggestion for each', async () => {
  const rpc = await create();
  const batch = Array.from({ length: 200 }, (_, id) => call(id, `ech${'o'.repeat(2 + (id % 2))}`, '{}'));
  const answers = (await rpc.post(`[${batch.join(',')}]`)).json as readonly Answer[];
  assert.equal(answers.length, 200);
  assert.ok(answers.every(({ error }) => error?.code === -32_601));
});
