import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { ClientError } from '../../src/client/client-error.js';
import { RpcCallError } from '../../src/client/rpc-call-error.js';
import type { RpcCall } from '../../src/client/rpc-caller.js';
import { CallsError } from '../../src/load/calls/call-line.js';
import { type CallCounts, openResults, runCalls } from '../../src/load/calls/run-calls.js';

describe('calls of a file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-calls-'));
  after(() => rmSync(directory, { recursive: true, force: true }));

  interface RunOptions {
    readonly concurrency?: number;
    readonly skipLines?: number;
    readonly signal?: AbortSignal;
  }

  /** Runs lines against a node stubbed by a function; counts the calls in flight. */
  async function run(
    lines: readonly string[],
    answer: (call: RpcCall) => unknown,
    { concurrency = 4, skipLines = 0, signal = new AbortController().signal }: RunOptions = {},
  ) {
    const written: string[] = [];
    const most = { inFlight: 0, unwritten: 0 };
    let inFlight = 0;
    let read = 0;
    const counts: CallCounts[] = [];
    async function* source() {
      for (const line of lines) {
        read++;
        most.unwritten = Math.max(most.unwritten, read - written.length);
        yield line;
      }
    }
    const ended = await runCalls({
      caller: {
        call: async (call) => {
          most.inFlight = Math.max(most.inFlight, ++inFlight);
          try {
            return { text: JSON.stringify(await answer(call)) };
          } finally {
            inFlight--;
          }
        },
      },
      lines: source(),
      sink: {
        write: async (line) => {
          written.push(line);
        },
      },
      concurrency,
      skipLines,
      signal,
      onLine: (now) => counts.push(now),
    });
    return {
      written: written.map((line) => JSON.parse(line) as Record<string, unknown>),
      ended,
      most,
      counts,
    };
  }

  const call = (n: number) => JSON.stringify({ method: 'view_call', params: { n }, id: `call ${n}` });
  const numberOf = ({ params }: RpcCall) => (JSON.parse(params) as { readonly n: number }).n;

  describe('a run of calls', () => {
    test('gives one result per call in the order of the calls, whatever order they are answered in', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 60 }),
          fc.integer({ min: 1, max: 9 }),
          async (delays, concurrency) => {
            const { written, ended, most } = await run(
              delays.map((_, n) => call(n)),
              async (asked) => {
                const n = numberOf(asked);
                for (let turn = 0; turn < (delays[n] ?? 0); turn++) await new Promise(setImmediate);
                return { n };
              },
              { concurrency },
            );
            assert.deepEqual(
              written,
              delays.map((_, n) => ({ line: n + 1, id: `call ${n}`, method: 'view_call', result: { n } })),
            );
            assert.ok(most.inFlight <= concurrency);
            assert.ok(most.unwritten <= concurrency * 8 + 1, 'read further than the window');
            assert.deepEqual([ended.answered, ended.failed, ended.lines], [delays.length, 0, delays.length]);
          },
        ),
        { numRuns: 60 },
      );
    });

    test('pauses reading behind a call that never ends, with bounded memory', async () => {
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let asked = 0;
      const running = run(
        Array.from({ length: 500 }, (_, n) => call(n)),
        async (one) => {
          asked++;
          if (numberOf(one) === 0) await held;
          return {};
        },
        { concurrency: 2 },
      );
      for (let turn = 0; turn < 500; turn++) await new Promise(setImmediate);
      assert.equal(asked, 16);
      release();
      assert.equal((await running).ended.answered, 500);
    });

    test('reports an invalid call as a failed result and continues', async () => {
      const { written, ended } = await run(
        [
          call(0),
          '',
          '{',
          '[]',
          '{"method":"tx_submit","params":{},"id":7}',
          '{"method":"view_call"}',
          call(6),
        ],
        () => 'yes',
      );
      assert.deepEqual(
        written.map(({ line, id, error }) => [line, id, (error as { kind?: string } | undefined)?.kind]),
        [
          [1, 'call 0', undefined],
          [3, undefined, 'bad_line'],
          [4, undefined, 'bad_line'],
          [5, 7, 'bad_line'],
          [6, undefined, 'bad_line'],
          [7, 'call 6', undefined],
        ],
      );
      assert.deepEqual([ended.answered, ended.failed, ended.lines], [2, 4, 7]);
    });

    test('reports a refusal by the node as a result with the whole error', async () => {
      const data = { kind: 'not_found', retryable: false, address: '0x00' };
      const { written, ended } = await run([call(0)], () => {
        throw new RpcCallError('view_call', { code: -32004, message: 'no contract', data });
      });
      assert.deepEqual(written[0]?.['error'], {
        code: -32004,
        kind: 'not_found',
        message: 'no contract',
        data,
      });
      assert.equal(ended.failed, 1);
    });

    test('ends when no node answers any more, with earlier results written', async () => {
      const lines = Array.from({ length: 50 }, (_, n) => call(n));
      const seen: number[] = [];
      await assert.rejects(
        runCalls({
          caller: {
            call: async (asked) => {
              if (numberOf(asked) >= 10) throw new ClientError('unreachable', 'no node answers');
              return { text: '{}' };
            },
          },
          lines: (async function* () {
            yield* lines;
          })(),
          sink: {
            write: async (line) => {
              seen.push((JSON.parse(line) as { readonly line: number }).line);
            },
          },
          concurrency: 4,
          skipLines: 0,
          signal: new AbortController().signal,
          onLine: () => undefined,
        }),
        (error: unknown) => error instanceof CallsError && error.code === 'no_node',
      );
      assert.deepEqual(seen, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    });

    test('ends on a signal, even while waiting for a line that never comes', async () => {
      const ended = new AbortController();
      const reason = new Error('enough');
      const running = runCalls({
        caller: { call: async () => ({ text: '{}' }) },
        lines: (async function* () {
          yield call(0);
          await new Promise(() => undefined);
        })(),
        sink: { write: async () => undefined },
        concurrency: 1,
        skipLines: 0,
        signal: ended.signal,
        onLine: () => ended.abort(reason),
      });
      await assert.rejects(running, reason);
    });
  });

  describe('a file of results', () => {
    const resultOf = (line: number) => JSON.stringify({ line, method: 'view_call', result: 'x'.repeat(50) });
    let files = 0;
    const fresh = () => join(directory, `results-${files++}.ndjson`);

    test('is continued after its last whole line, wherever it was torn', async () => {
      const whole = `${resultOf(1)}\n${resultOf(2)}\n`;
      for (let cut = resultOf(1).length; cut <= whole.length; cut++) {
        const path = fresh();
        writeFileSync(path, whole.slice(0, cut));
        const file = await openResults(path, true);
        const kept = cut === whole.length ? 2 : cut > resultOf(1).length ? 1 : 0;
        assert.equal(file.last ?? 0, kept, `cut at ${cut}`);
        await file.write(resultOf(kept + 1));
        await file.close();
        const lines = readFileSync(path, 'utf8').split('\n');
        assert.deepEqual(
          lines.slice(0, -1).map((line) => (JSON.parse(line) as { line: number }).line),
          [...Array.from({ length: kept + 1 }, (_, i) => i + 1)],
        );
      }
    });

    test('may have lines longer than one read', async () => {
      const path = fresh();
      const long = JSON.stringify({ line: 9, result: 'y'.repeat(200_000) });
      writeFileSync(path, `${resultOf(8)}\n${long}\n${long.replace('9', '10').slice(0, 150_000)}`);
      const file = await openResults(path, true);
      assert.equal(file.last, 9);
      await file.close();
      assert.equal(readFileSync(path, 'utf8'), `${resultOf(8)}\n${long}\n`);
    });

    test('with results is not written to unless asked to continue', async () => {
      const path = fresh();
      writeFileSync(path, `${resultOf(1)}\n`);
      await assert.rejects(openResults(path, false), { code: 'has_results' });
    });

    test('with other contents is left unchanged', async () => {
      const path = fresh();
      writeFileSync(path, 'dear diary\n');
      appendFileSync(path, 'today');
      await assert.rejects(openResults(path, true), { code: 'no_results' });
      assert.equal(readFileSync(path, 'utf8'), 'dear diary\ntoday');
      for (const notes of ['a single line', `${resultOf(1)}\nand a note`]) {
        writeFileSync(path, notes);
        await assert.rejects(openResults(path, true), { code: 'no_results' });
        assert.equal(readFileSync(path, 'utf8'), notes);
      }
      await assert.rejects(openResults(join(directory, 'nowhere', 'results'), false), {
        code: 'unwritable',
      });
    });
  });
});
