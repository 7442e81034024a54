import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import type { CallAllowance, Caller } from '../../../src/async/caller.js';
import { CallerGoneError } from '../../../src/async/sliced-work.js';
import { readSharedText, type SharedText, shareText } from '../../../src/base/shared-text.js';
import type { Calls } from '../../../src/execution/calls/worker-calls.js';
import { ExecutionError } from '../../../src/execution/execution-error.js';
import { CallError } from '../../../src/execution/views/call-error.js';
import type { JsonValue } from '../../../src/idl/json-value.js';
import { RpcError } from '../../../src/rpc/errors.js';
import type { LinkAnswer, LinkRequest } from '../../../src/rpc/front/front-messages.js';
import { LinkServer, type LinkServerOptions } from '../../../src/rpc/front/link-server.js';
import { type LinkCaller, LinkedCalls, MainLink } from '../../../src/rpc/front/main-link.js';
import { MainThreadScheduler } from '../../../src/rpc/front/main-thread-scheduler.js';
import { deferredResult, EncodedResult, type HandlerContext, Parked } from '../../../src/rpc/handlers.js';
import { PENDING_ACCOUNTS, pendingAccountsMethod } from '../../../src/rpc/methods/accounts.js';
import type { BoundHandler } from '../../../src/rpc/rpc-interface.js';

const CLIENT = {
  remoteAddress: '127.0.0.7',
  requestId: 'r7',
  tier: 'paid',
  subject: 'ann',
  tokenId: 'a',
  isGone: false,
} as const;
const LOG = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const OTHER = {
  remoteAddress: '127.0.0.8',
  requestId: 'r8',
  tier: 'public',
  subject: undefined,
  tokenId: undefined,
  isGone: false,
} as const;

/** A handler that blocks for `ms` milliseconds. */
function busyFor(ms: number): () => number {
  return () => {
    const end = performance.now() + ms;
    while (performance.now() < end);
    return ms;
  };
}

/** Both ends of the link, and the messages that cross between the threads. */
class Linked {
  readonly link: MainLink;
  readonly messages: { readonly over: LinkRequest[][]; readonly back: LinkAnswer[][] } = {
    over: [],
    back: [],
  };

  constructor(handlers: Readonly<Record<string, BoundHandler>>, options: Partial<LinkServerOptions> = {}) {
    const methods = Object.entries(handlers).map(([name, handler]) => ({
      declaration: {
        name,
        qualifiedName: `T.${name}`,
        tier: 'public' as const,
        cost: 1,
        isImmutable: false,
        decodeParams: (params: unknown) => params,
        encodeResult: (result: unknown) => JSON.stringify(result),
      },
      handler,
      takesRawParams: false,
    }));
    this.link = new MainLink((requests) => {
      this.messages.over.push([...requests]);
      server.receive(structuredClone(requests));
    });
    const server = new LinkServer({
      interfaces: [methods],
      calls: () => undefined,
      answer: (question) => question.kind,
      scheduler: new MainThreadScheduler(10_000),
      maxAnswerBytes: 100,
      log: LOG,
      beforeAnswers: () => undefined,
      send: (answers) => {
        this.messages.back.push([...answers]);
        this.link.onAnswers(structuredClone(answers));
      },
      ...options,
    });
  }

  call(
    method: string,
    params: JsonValue = {},
    onParked?: () => void,
    caller: LinkCaller = CLIENT,
  ): Promise<string> {
    return new Promise((resolve, reject) => {
      this.link.call(`T.${method}`, params, caller, {
        resolve,
        reject,
        ...(onParked === undefined ? {} : { onParked }),
      });
    });
  }
}

describe('the link between a front thread and the main thread', () => {
  it('sends the calls of a tick as one message, and so their answers', async () => {
    const linked = new Linked(
      { echo: (params) => params, later: async (params) => params },
      { scheduler: new MainThreadScheduler(10_000, Number.POSITIVE_INFINITY) },
    );
    // After this call the link knows that answers of `later` are short.
    await linked.call('later');
    for (const messages of Object.values(linked.messages)) messages.length = 0;
    const answers = await Promise.all([
      linked.call('echo', { a: 1 }),
      linked.call('later', { b: 2 }),
      linked.call('echo', { c: 3 }),
    ]);
    assert.deepEqual(answers, ['{"a":1}', '{"b":2}', '{"c":3}']);
    assert.equal(linked.messages.over.length, 1);
    assert.equal(linked.messages.back.length, 1);
  });

  it('passes results that are already text through, and identifies the caller', async () => {
    const linked = new Linked({
      text: () => new EncodedResult('{ "as":"it is" }'),
      later: () => deferredResult((resolve) => resolve('7')),
      who: (_params, { remoteAddress, tier, subject }) => ({ remoteAddress, tier, subject }),
    });
    assert.equal(await linked.call('text'), '{ "as":"it is" }');
    assert.equal(await linked.call('later'), '7');
    const { remoteAddress, tier, subject } = CLIENT;
    assert.deepEqual(JSON.parse(await linked.call('who')), { remoteAddress, tier, subject });
  });

  it('preserves the type and data of errors', async () => {
    const refusal = new RpcError('not_ready', 'no', { reasons: ['x'] }, { retryable: false });
    const linked = new Linked({
      throws: () => {
        throw refusal;
      },
      rejects: () => Promise.reject(refusal),
      later: () => deferredResult((_resolve, reject) => reject(new ExecutionError('overloaded', 'full'))),
      breaks: () => {
        throw new TypeError('a fault of the node');
      },
      long: () => 'x'.repeat(200),
    });
    const kinds: Record<string, string> = {
      throws: 'not_ready',
      rejects: 'not_ready',
      later: 'overloaded',
      breaks: 'internal_error',
      long: 'limit_exceeded',
      unknown: 'internal_error',
    };
    for (const [method, kind] of Object.entries(kinds)) {
      await assert.rejects(linked.call(method), (error) => {
        assert.ok(error instanceof RpcError);
        assert.equal(error.kind, kind, method);
        return true;
      });
    }
    await assert.rejects(linked.call('throws'), (error) => {
      assert.ok(error instanceof RpcError);
      assert.equal(error.toJsonText(), refusal.toJsonText());
      return true;
    });
  });

  it('reports that a call is parked, then how it ended', async () => {
    let release: () => void = () => undefined;
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    const linked = new Linked({ wait: async () => new Parked(until, () => 'there') });
    let parked = false;
    const answer = linked.call('wait', {}, () => {
      parked = true;
    });
    while (!parked) await nextTick();
    release();
    assert.equal(await answer, '"there"');
  });

  it('aborts a call whose caller leaves, whether or not its handler has read the signal yet', async () => {
    const contexts: HandlerContext[] = [];
    let settle: (value: string) => void = () => undefined;
    const linked = new Linked({
      hold: (_params, context) => {
        contexts.push(context);
        return new Promise((resolve) => {
          settle = resolve;
        });
      },
    });
    const caller = { ...CLIENT, isGone: false };
    const answered = linked.call('hold', {}, undefined, caller);
    while (contexts.length === 0) await nextTick();
    caller.isGone = true;
    while (contexts[0]?.signal.aborted !== true) await nextTick();
    settle('over');
    await assert.rejects(answered, CallerGoneError);
    await sleep(60);
    assert.deepEqual(linked.messages.over.slice(1), [[{ cancel: 0 }]], 'it is told once');
  });

  it('does not begin a queued call whose caller has gone', async () => {
    const ran: string[] = [];
    const linked = new Linked({ busy: busyFor(3), note: (params) => ran.push(JSON.stringify(params)) });
    const caller = { ...CLIENT, isGone: false };
    const busy = Array.from({ length: 40 }, () => linked.call('busy'));
    const gone = linked.call('note', { of: 'gone' }, undefined, caller);
    const kept = linked.call('note', { of: 'kept' });
    caller.isGone = true;
    await assert.rejects(gone, CallerGoneError);
    await Promise.all([...busy, kept]);
    assert.deepEqual(ran, ['{"of":"kept"}']);
  });

  it('serves a client before the backlog of another, and yields to the event loop meanwhile', async () => {
    const linked = new Linked({ busy: busyFor(1), echo: (params) => params });
    let answered = 0;
    const backlog = Array.from({ length: 200 }, () => linked.call('busy').then(() => answered++));
    let ticks = 0;
    let isOver = false;
    const count = (): void => {
      ticks++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await linked.call('echo', {}, undefined, OTHER);
    assert.ok(answered < 50, `${answered} of 200 calls came first`);
    await Promise.all(backlog);
    isOver = true;
    assert.ok(ticks >= 60, `${ticks} ticks in what takes 200 ms`);
  });

  it('charges a call’s promises to it, and lets it end before the next begins', async () => {
    let inFlight = 0;
    let most = 0;
    const linked = new Linked({
      busy: async () => {
        inFlight++;
        most = Math.max(most, inFlight);
        for (let part = 0; part < 10; part++) await Promise.resolve();
        busyFor(1)();
        inFlight--;
        return 1;
      },
      echo: (params) => params,
    });
    let answered = 0;
    const backlog = Array.from({ length: 100 }, () => linked.call('busy').then(() => answered++));
    await linked.call('echo', {}, undefined, OTHER);
    assert.ok(answered < 50, `${answered} of 100 calls came first`);
    await Promise.all(backlog);
    assert.equal(most, 1);
  });

  it('begins no call of a client that does not read its answers, but continues those of others', async () => {
    const long = 'x'.repeat(1024 * 1024);
    let made = 0;
    const back: LinkAnswer[] = [];
    const linked = new Linked(
      {
        long: () => {
          made++;
          return long;
        },
        echo: (params) => params,
      },
      { maxAnswerBytes: 2 * long.length, send: (answers) => back.push(...answers) },
    );
    const all = Array.from({ length: 20 }, () => linked.call('long'));
    while (made < 4) await nextTick();
    void linked.call('echo', { a: 1 }, undefined, OTHER);
    const isEcho = (answer: LinkAnswer) => 'json' in answer && answer.json === '{"a":1}';
    while (!back.some(isEcho)) await nextTick();
    assert.ok(made <= 5, `${made} answers were made that nobody took`);
    let taken = 0;
    while (taken < 21) {
      await nextTick();
      const answers = back.splice(0);
      taken += answers.length;
      linked.link.onAnswers(answers);
    }
    await Promise.all(all);
    assert.equal(made, 20);
  });

  it('resumes calls that waited for the same event in turns with other clients', async () => {
    let release: () => void = () => undefined;
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    const linked = new Linked({
      wait: async () => new Parked(until, () => busyFor(1)()),
      echo: (params) => params,
    });
    let parked = 0;
    let answered = 0;
    const waiting = Array.from({ length: 100 }, () =>
      linked.call('wait', {}, () => parked++).then(() => answered++),
    );
    while (parked < 100) await nextTick();
    release();
    await nextTick();
    await linked.call('echo', {}, undefined, OTHER);
    assert.ok(answered < 50, `${answered} of 100 went on first`);
    await Promise.all(waiting);
  });

  it('queries accounts with lines of text', async () => {
    const scheduler = new MainThreadScheduler(10_000);
    const accounts = pendingAccountsMethod(scheduler.work, function* (addresses) {
      yield undefined;
      return `7\n\n{"of":${addresses.length}}`;
    });
    const { link } = new Linked({}, { scheduler, interfaces: [[accounts]] });
    const lines = await new Promise<string>((resolve, reject) =>
      link.call(PENDING_ACCOUNTS, new Uint8Array(40), CLIENT, { resolve, reject }),
    );
    assert.deepEqual(lines.split('\n'), ['7', '', '{"of":40}']);
  });

  it('answers any number of queries for accounts, which wait in the queue that bounds answers', async () => {
    const text = ' '.repeat(100_000);
    const scheduler = new MainThreadScheduler(10_000);
    const accounts = pendingAccountsMethod(scheduler.work, function* () {
      yield undefined;
      return text;
    });
    const { link } = new Linked({}, { scheduler, interfaces: [[accounts]], maxAnswerBytes: text.length });
    const asked = Array.from(
      { length: 200 },
      () =>
        new Promise<string>((resolve, reject) =>
          link.call(PENDING_ACCOUNTS, new Uint8Array(20), CLIENT, { resolve, reject }),
        ),
    );
    assert.deepEqual(new Set(await Promise.all(asked)), new Set([text]));
  });

  describe('for calls of workers', () => {
    const call = { kind: 'view_call', params: '{}' } as const;
    const asked = (linked: Linked, caller: Caller): Promise<string> =>
      new Promise((resolve, reject) => {
        const resolveText = (json: SharedText) => resolve(readSharedText(json));
        new LinkedCalls(linked.link, 'calls').ask(call, { resolve: resolveText, reject }, caller);
      });
    const answering = (ask: Calls['ask']) => new Linked({}, { calls: () => ({ waiting: 0, ask }) });

    it('passes on the call, its client, answers and errors', async () => {
      const long = 'é'.repeat(100_000);
      const linked = answering((given, { resolve, reject }, caller) => {
        assert.deepEqual(given, call);
        if (caller?.client === 'wrong') reject(new CallError({ code: 'timeout', limitMs: 5 }));
        else if (caller?.client === 'lost') reject(new ExecutionError('worker_died', 'gone'));
        else resolve(shareText(long), 3);
      });
      assert.equal(await asked(linked, { client: 'alice', isGone: false }), long);
      await assert.rejects(asked(linked, { client: 'wrong', isGone: false }), {
        name: 'CallError',
        problem: { code: 'timeout', limitMs: 5 },
      });
      await assert.rejects(asked(linked, { client: 'lost', isGone: false }), {
        name: 'ExecutionError',
        code: 'worker_died',
      });
      await assert.rejects(
        asked(new Linked({}), { client: 'early', isGone: false }),
        /before the chain is open/,
      );
    });

    it('passes on the time limit, and charges what the call used even if it failed', async () => {
      const used: unknown[] = [];
      const allowance: CallAllowance = {
        gas: 7,
        ms: 300,
        use: (ms, gas) => void used.push([ms, gas]),
        noteWork: (gas) => void used.push(gas),
      };
      const linked = answering((_call, { reject }, caller) => {
        assert.equal(caller?.allowance?.ms, 300);
        caller?.allowance?.use(1, 2);
        caller?.allowance?.use(3, undefined);
        caller?.allowance?.noteWork(4);
        reject(new ExecutionError('aborted', 'as asked'));
      });
      await assert.rejects(asked(linked, { client: 'alice', isGone: false, allowance }), { code: 'aborted' });
      assert.deepEqual(used, [[1, 2], [3, undefined], 4]);
    });

    it('refuses a client’s calls for a moment after the main thread has refused one', async () => {
      let given = 0;
      const { link } = answering((_call, { reject, resolve }, caller) => {
        given++;
        if (caller?.client === 'flood') reject(new ExecutionError('overloaded', '7 calls are waiting'));
        else resolve('{}', 0);
      });
      const calls = new LinkedCalls(link, 'calls');
      const ask = (client: string): Promise<unknown> =>
        new Promise((resolve, reject) => calls.ask(call, { resolve, reject }, { client, isGone: false }));
      const overloaded = { name: 'ExecutionError', code: 'overloaded', message: '7 calls are waiting' };
      await assert.rejects(ask('flood'), overloaded);
      for (let at = 0; at < 10; at++) await assert.rejects(ask('flood'), overloaded);
      assert.ok(given < 11, `${given} of 11 calls reached the main thread`);
      await ask('other');
      const before = given;
      await sleep(100);
      await assert.rejects(ask('flood'), overloaded);
      assert.equal(given, before + 1);
      assert.equal(calls.waiting, 0);
    });

    it('tells the main thread that a caller is gone', async () => {
      const caller = { client: 'alice', isGone: false };
      const linked = answering((_call, { reject }, remote) => {
        const look = setInterval(() => {
          if (remote?.isGone !== true) return;
          clearInterval(look);
          reject(new ExecutionError('aborted', 'gone'));
        }, 5);
      });
      const answer = asked(linked, caller);
      caller.isGone = true;
      await assert.rejects(answer, { code: 'aborted' });
    });
  });

  it('answers queries', async () => {
    const linked = new Linked({});
    assert.equal(await linked.link.ask({ kind: 'metrics' }), 'metrics');
  });
});
