import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RpcClient } from '../../../outside/rpc.js';
import { counting } from '../../contracts/compute-calls.js';
import { heddleOk } from '../../nodes/command-line.js';
import { issueToken } from '../issue-token.js';
import { clientWith, type LimitedTokenWorld } from './world.js';

const M = 1_000_000;

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly message: string;
  readonly result: Readonly<Record<string, unknown>>;
}

interface RpcAnswer {
  readonly result?: Answer['result'];
  readonly error?: { readonly message: string; readonly data: Answer['data'] };
}

/** Calls over HTTP are settled by their use. */
export function testLimitedCalls(world: () => LimitedTokenWorld): void {
  const issue = (...flags: readonly string[]) => issueToken(world().dataDir, ...flags);
  const client = (...flags: readonly string[]) => clientWith(world(), ...flags);

  const request = (method: string, params: object, id = 1): object => ({
    jsonrpc: '2.0',
    id,
    method,
    params,
  });
  const view = (iterations: number, more: object = {}): object => ({
    contract: world().contract,
    input: counting(iterations),
    ...more,
  });

  function answerOf({ result = {}, error }: RpcAnswer): Pick<Answer, 'kind' | 'data' | 'message' | 'result'> {
    const { data = {}, message = '' } = error ?? {};
    return { kind: error === undefined ? 'served' : String(data['kind']), data, message, result };
  }

  async function call(rpc: RpcClient, method: string, params: object): Promise<Answer> {
    const { status, headers, body } = await rpc.post(JSON.stringify(request(method, params)));
    const retryAfter = headers['retry-after'];
    return { status, retryAfter, ...answerOf(JSON.parse(body.toString()) as RpcAnswer) };
  }

  /** Repeats a call until it is rate limited. @returns how often it was served */
  async function untilLimited(rpc: RpcClient, method: string, params: object): Promise<number> {
    let served = 0;
    for (let n = 0; n < 100; n++) {
      const { kind, status, retryAfter } = await call(rpc, method, params);
      if (kind === 'rate_limited') {
        assert.equal(status, 429);
        assert.ok(Number(retryAfter) >= 1);
        return served;
      }
      if (kind === 'served') served++;
      // On a busy machine, a call may use up its time before its gas.
      else assert.equal(kind, 'timeout');
    }
    return assert.fail('the calls are never limited');
  }

  test('runs many cheap calls whose gas limit is high', async () => {
    const rpc = await client('--gas', String(10 * M), '--time', '1000');
    for (let n = 0; n < 200; n++) {
      const { kind, message } = await call(rpc, 'view_call', view(10, { gas_limit: 10 * M }));
      assert.equal(kind, 'served', message);
    }
    rpc.close();
  });

  test('runs out by calls that burn gas, and recovers', async () => {
    const rpc = await client('--gas', String(10 * M));
    const burning = view(1_000_000_000, { gas_limit: 9 * M });
    assert.ok((await untilLimited(rpc, 'view_call', burning)) >= 1);
    const { data } = await call(rpc, 'view_call', burning);
    await sleep(Number(data['retry_after_ms'] ?? 0) + 1_000);
    assert.equal((await call(rpc, 'view_call', burning)).kind, 'served');
    rpc.close();
  });

  test('lowers the default gas limit of a call, and refuses a higher one', async () => {
    const rpc = await client('--gas', String(10 * M));
    const { result } = await call(rpc, 'view_call', view(1_000_000_000));
    assert.deepEqual(result['status'], { type: 'out_of_gas', value: null });
    assert.equal(result['gas_used'], 10 * M);
    rpc.close();
    // Another token, because a call that outgrows its front thread also uses some gas there: the first may have no room
    // for a second one at once.
    const other = await client('--gas', String(10 * M));
    const { kind, data, message } = await call(other, 'view_call', view(1, { gas_limit: 11 * M }));
    assert.equal(kind, 'limit_exceeded');
    assert.deepEqual([data['subject'], data['limit'], data['given']], ['token_gas', 10 * M, 11 * M]);
    assert.match(message, /the token allows at most 10000000 gas for this call, got 11000000/);
    other.close();
  });

  test('lowers the time limit of a call, and counts its time', async () => {
    const rpc = await client('--time', '10');
    let kind: string | undefined;
    for (let n = 0; n < 20 && kind !== 'rate_limited'; n++) {
      const answer = await call(rpc, 'view_call', view(4_000_000_000));
      kind = answer.kind;
      // A fast machine uses up the call's gas before its time.
      if (kind === 'timeout') assert.equal(answer.data['limit_ms'], 250);
    }
    assert.equal(kind, 'rate_limited');
    rpc.close();
  });

  test('counts the steps of a pipeline together, and the runs of simulations and traces', async () => {
    const burning = view(1_000_000_000, { gas_limit: 4 * M });
    const steps = Array.from({ length: 3 }, () => ({ type: 'view', value: burning }));
    const pipeline = await client('--gas', String(10 * M));
    const { kind, data } = await call(pipeline, 'tx_simulate_pipeline', { steps });
    assert.deepEqual([kind, data['subject'], data['given']], ['limit_exceeded', 'token_gas', 4 * M]);
    assert.ok((await untilLimited(pipeline, 'tx_simulate_pipeline', { steps: steps.slice(0, 2) })) >= 1);
    pipeline.close();
    const trace = await client('--gas', String(10 * M));
    assert.ok((await untilLimited(trace, 'chain_traceCall', burning)) >= 1);
    trace.close();
    const simulate = await client('--gas', String(10 * M));
    const build = {
      sender: `0x${'11'.repeat(20)}`,
      action: { type: 'call', value: { contract: world().contract, input: counting(1_000_000_000) } },
      gas_limit: 9 * M,
    };
    assert.ok((await untilLimited(simulate, 'tx_simulate', { build })) >= 1);
    simulate.close();
  });

  test('limits the calls of a batch together', async () => {
    const rpc = await client('--gas', String(10 * M));
    const batch = (iterations: number, gas: number): object[] =>
      Array.from({ length: 40 }, (_, id) =>
        request('view_call', view(iterations, { gas_limit: gas, caller: `0x${'22'.repeat(20)}` }), id),
      );
    const kinds = async (calls: readonly object[]): Promise<string[]> => {
      const { body } = await rpc.post(JSON.stringify(calls));
      return (JSON.parse(body.toString()) as RpcAnswer[]).map((answer) => answerOf(answer).kind);
    };
    assert.deepEqual(
      new Set(await kinds(batch(10, 10 * M))),
      new Set(['served']),
      'cheap calls wait for each other',
    );
    const burnt = await kinds(batch(1_000_000_000, 9 * M));
    assert.ok(burnt.includes('served') && burnt.includes('rate_limited'), burnt.join(' '));
    rpc.close();
  });

  test('is charged for calls whose client hangs up', async () => {
    const { token } = await issue('--time', '100');
    const body = JSON.stringify(request('view_call', view(4_000_000_000)));
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const rpc = new RpcClient(world().url, token);
    let kind: string | undefined;
    // On a busy machine, a client may hang up before its call begins.
    for (let n = 0; n < 20 && kind !== 'rate_limited'; n++) {
      const signal = AbortSignal.timeout(150);
      await fetch(`${world().url}/v2/rpc`, { method: 'POST', body, headers, signal })
        .then((answer) => answer.text())
        .catch((error: Error) => assert.equal(error.name, 'TimeoutError'));
      await sleep(300);
      kind = (await call(rpc, 'view_call', view(10))).kind;
    }
    assert.equal(kind, 'rate_limited');
    rpc.close();
  });

  test('may call everything else freely', async () => {
    const rpc = await client('--gas', '1', '--time', '1');
    await untilLimited(rpc, 'view_call', view(1_000_000_000, { gas_limit: 9 * M }));
    for (let n = 0; n < 50; n++) assert.equal((await call(rpc, 'status', {})).kind, 'served');
    rpc.close();
  });

  test('is shown with its limits', async () => {
    const { id } = await issue('--gas', '123', '--time', '45');
    const shown = await heddleOk(['token', 'show', id, '--json', '--data-dir', world().dataDir]);
    const { gas, time } = JSON.parse(shown) as { gas: number; time: number };
    assert.deepEqual([gas, time], [123, 45]);
    const listed = await heddleOk(['token', 'list', '--data-dir', world().dataDir]);
    assert.match(listed, /123\/s +45 ms\/s/);
  });
}
