import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deferred } from '../../src/async/deferred.js';
import { answerBatch } from '../../src/rpc/batch.js';
import type { InvocationContext } from '../../src/rpc/handlers.js';
import { RpcRequest } from '../../src/rpc/json/json-rpc.js';
import { ByteBudget } from '../../src/rpc/limits/byte-budget.js';

const CONTEXT: InvocationContext = {
  remoteAddress: '192.0.2.1',
  requestId: 'r1',
  span: undefined,
  client: 'address 192.0.2.1',
  tier: 'public',
  subject: undefined,
  tokenId: undefined,
  authenticated: false,
  refusal: undefined,
  meter: undefined,
  isGone: false,
  signal: new AbortController().signal,
};

function requests(count: number): RpcRequest[] {
  return Array.from({ length: count }, (_, id) => {
    const request = new RpcRequest();
    request.id = String(id);
    return request;
  });
}

test('a cancelled batch holds nothing, even for calls that end later', async () => {
  const budget = new ByteBudget(1_000_000, () => assert.fail('an error'));
  const ends: (() => void)[] = [];
  const answer = ({ id }: RpcRequest): string | Promise<string> =>
    id === '1' ? new Promise((resolve) => ends.push(() => resolve('y'.repeat(9_000)))) : 'x'.repeat(9_000);
  const limits = {
    maxAnswerBytes: 1_000_000,
    budget,
    context: CONTEXT,
    isBusy: () => false,
    refund: () => assert.fail('a refund'),
  };
  const batch = answerBatch(requests(5), answer, limits);
  for (let begun = 0; begun < 3; begun++) batch.next();
  assert.ok(budget.used >= 9_000);
  batch.return({ status: 200, headers: [], body: '' });
  assert.equal(budget.used, 0);
  for (const end of ends) end();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(budget.used, 0);
});

test('a call whose result finds no room is overloaded, and its charge is taken back', async () => {
  const budget = new ByteBudget(10_000, () => assert.fail('an error'));
  const refunded: (string | undefined)[] = [];
  const limits = {
    maxAnswerBytes: 1_000_000,
    budget,
    context: CONTEXT,
    isBusy: () => false,
    refund: ({ id }: RpcRequest) => refunded.push(id),
  };
  const batch = answerBatch(requests(4), () => `"${'x'.repeat(4_500)}"`, limits);
  let step = batch.next();
  while (step.done !== true) step = batch.next();
  const { body } = await step.value;
  const answers = JSON.parse(String(body)) as readonly { id: number; error?: { data: { kind: string } } }[];
  const overloaded = answers.filter(({ error }) => error?.data.kind === 'overloaded');
  assert.ok(overloaded.length > 0);
  assert.deepEqual(
    refunded,
    overloaded.map(({ id }) => String(id)),
  );
});

test('a small result needs no room, because its call may have changed something', async () => {
  const budget = new ByteBudget(0, () => assert.fail('an error'));
  const limits = {
    maxAnswerBytes: 1_000_000,
    budget,
    context: CONTEXT,
    isBusy: () => false,
    refund: () => assert.fail('a refund'),
  };
  const batch = answerBatch(requests(2), () => '{"subscription":"7"}', limits);
  let step = batch.next();
  while (step.done !== true) step = batch.next();
  const { body } = await step.value;
  const answers = JSON.parse(String(body)) as readonly { result?: unknown }[];
  for (const { result } of answers) assert.deepEqual(result, { subscription: '7' });
});

test('a completed batch releases its bytes with its answer', async () => {
  const budget = new ByteBudget(1_000_000, () => assert.fail('an error'));
  const answer = () => Promise.resolve('7');
  const limits = {
    maxAnswerBytes: 1_000_000,
    budget,
    context: CONTEXT,
    isBusy: () => false,
    refund: () => assert.fail('a refund'),
  };
  const batch = answerBatch(requests(3), answer, limits);
  for (;;) {
    const { done, value } = batch.next();
    if (done !== true) continue;
    const { body } = await value;
    assert.equal((JSON.parse(body.toString()) as readonly unknown[]).length, 3);
    break;
  }
  assert.equal(budget.used, 0);
});

/** Calls that another thread would answer. */
function waitingCalls() {
  const waiting: Deferred<string>[] = [];
  const answer = (): Deferred<string> => {
    const later = new Deferred<string>();
    waiting.push(later);
    return later;
  };
  return { waiting, answer };
}

/** Runs a batch until it needs an answer. */
function runUntilPause(batch: ReturnType<typeof answerBatch>) {
  for (;;) {
    const step = batch.next();
    if (step.done === true || step.value instanceof Promise) return step;
  }
}

test('while the thread is busy, a batch pauses at 8 calls to another thread until half are answered', async () => {
  const budget = new ByteBudget(1_000_000, () => assert.fail('an error'));
  const { waiting, answer } = waitingCalls();
  let isBusy = true;
  const batch = answerBatch(requests(100), answer, {
    maxAnswerBytes: 1_000_000,
    budget,
    context: CONTEXT,
    isBusy: () => isBusy,
    refund: () => assert.fail('a refund'),
  });
  for (const begun of [8, 12, 16, 20, 24]) {
    const pause = runUntilPause(batch).value;
    assert.equal(waiting.length, begun);
    let isOver = false;
    assert.ok(pause instanceof Promise);
    void pause.then(() => {
      isOver = true;
    });
    for (const later of waiting.slice(begun - 8, begun - 5)) later.resolve('1');
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isOver, false, '5 still wait');
    waiting[begun - 5]?.resolve('1');
    await pause;
  }
  isBusy = false;
  const end = runUntilPause(batch);
  assert.ok(end.done === true && waiting.length === 100);
  for (const later of waiting) later.resolve('1');
  const { body } = await end.value;
  assert.equal((JSON.parse(body.toString()) as readonly unknown[]).length, 100);
  assert.equal(budget.used, 0);
});

test('calls that wait for a block do not delay later calls of their batch', () => {
  const budget = new ByteBudget(1_000_000, () => assert.fail('an error'));
  const answer = () => new Promise<string>(() => undefined);
  const batch = answerBatch(requests(100), answer, {
    maxAnswerBytes: 1_000_000,
    budget,
    context: CONTEXT,
    isBusy: () => true,
    refund: () => assert.fail('a refund'),
  });
  const end = runUntilPause(batch);
  assert.ok(end.done === true && end.value instanceof Promise);
});

test('a paused batch that becomes too long is answered without its remaining calls', async () => {
  const budget = new ByteBudget(1_000_000, () => assert.fail('an error'));
  const { waiting, answer } = waitingCalls();
  const batch = answerBatch(requests(100), answer, {
    maxAnswerBytes: 1_000,
    budget,
    context: CONTEXT,
    isBusy: () => true,
    refund: () => assert.fail('a refund'),
  });
  const pause = runUntilPause(batch).value;
  waiting[0]?.resolve('x'.repeat(2_000));
  await pause;
  const end = runUntilPause(batch);
  assert.ok(end.done === true);
  const { body } = await end.value;
  const answers = JSON.parse(body.toString()) as readonly { error?: { message: string } }[];
  assert.equal(answers.filter(({ error }) => error !== undefined).length, 100);
  assert.equal(waiting.length, 8);
});

test('a batch that is too long is answered at once; its calls are cancelled and no more begin', async () => {
  const budget = new ByteBudget(1_000_000, () => assert.fail('an error'));
  const begun: { readonly id: string | undefined; readonly context: InvocationContext }[] = [];
  let long: (text: string) => void = () => undefined;
  const answer = ({ id }: RpcRequest, context: InvocationContext): string | Promise<string> => {
    begun.push({ id, context });
    if (id === '0') return '7';
    return new Promise((resolve) => {
      if (id === '1') long = resolve;
    });
  };
  const batch = answerBatch(requests(6), answer, {
    maxAnswerBytes: 1_000,
    budget,
    context: CONTEXT,
    isBusy: () => true,
    refund: () => assert.fail('a refund'),
  });
  for (let step = 0; step < 4; step++) batch.next();
  const { signal } = begun[2]?.context ?? CONTEXT;
  assert.equal(signal.aborted, false);
  long('x'.repeat(1_001));
  await new Promise((resolve) => setImmediate(resolve));
  let end = batch.next();
  while (end.done !== true) end = batch.next();
  const { body } = await end.value;
  const answers = JSON.parse(body.toString()) as readonly {
    readonly id: number;
    readonly result?: unknown;
    readonly error?: { readonly data: { readonly kind: string; readonly subject: string } };
  }[];
  assert.deepEqual(
    answers.map(({ id, result, error }) => [id, result ?? error?.data.subject]),
    [[0, 7], ...[1, 2, 3, 4, 5].map((id) => [id, 'batch_answer_bytes'])],
  );
  assert.deepEqual(
    begun.map(({ id }) => id),
    ['0', '1', '2', '3'],
  );
  assert.ok(begun.every(({ context }) => context.isGone));
  assert.equal(signal.aborted, true);
  assert.equal(CONTEXT.isGone, false);
  assert.equal(budget.used, 0);
});

test('a notification in a batch outlives the batch’s answer', () => {
  const budget = new ByteBudget(1_000_000, () => assert.fail('an error'));
  const [first = new RpcRequest(), second = new RpcRequest()] = requests(2);
  first.id = undefined;
  const contexts: InvocationContext[] = [];
  const answer = (_: RpcRequest, context: InvocationContext): string => {
    contexts.push(context);
    return '7';
  };
  const batch = answerBatch([first, second], answer, {
    maxAnswerBytes: 1_000,
    budget,
    context: { ...CONTEXT, isGone: true },
    isBusy: () => false,
    refund: () => assert.fail('a refund'),
  });
  while (batch.next().done !== true);
  assert.deepEqual(
    contexts.map(({ isGone }) => isGone),
    [false, true],
  );
});
