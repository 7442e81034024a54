// After a bit flip in a database file, responses stay correct or report the damaged store and the remedy.
import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { seededRandom } from '../../src/load/workload.js';
import { RpcClient, RpcFailure } from '../outside/rpc.js';
import { prepareWorld } from '../support/floods/flood-world.js';
import { type HonestCall, honestCalls } from '../support/floods/honest-calls.js';
import {
  NodeProcess,
  removeDirectory,
  runHeddle,
  temporaryDirectory,
} from '../support/nodes/node-process.js';

const WORLD = { blocks: 3, transfersABlock: 60, eventCalls: 1 };
/** Number of files to damage, evenly spread; HEDDLE_EVERY_FILE=1 damages all. */
const FILES = process.env['HEDDLE_EVERY_FILE'] === '1' ? Number.POSITIVE_INFINITY : 5;
/** No block is sealed while a node is queried. */
const FLAGS = ['--idle-block-time', '3600000'];
const random = seededRandom(77);

const whole = temporaryDirectory();
let calls: readonly HonestCall[] = [];
let files: string[] = [];
/** Responses of the calls that respond the same after every start. */
const expected = new Map<HonestCall, string>();

before(async () => {
  const node = await NodeProcess.start({ dataDir: whole, flags: ['--block-time', '100'] });
  const world = await prepareWorld(node.url, WORLD);
  await node.stop();
  calls = Object.values(honestCalls(world)).flat();
  // The first of these starts moves the write-ahead log into files.
  const [one, other] = [await answersOf(whole), await answersOf(whole)];
  for (const call of calls) {
    const answer = one.answers.get(call);
    assert.ok(answer !== undefined && !answer.startsWith('error'), `${call.method}: ${answer}`);
    // Measured times may be equal by chance.
    const isMeasured = /"(?:uptime|event_loop_lag|tip_age)_ms"/.test(answer);
    if (!isMeasured && answer === other.answers.get(call)) expected.set(call, answer);
  }
  assert.ok(expected.size > 20, `${expected.size} answers stay the same`);
  const all = readdirSync(join(whole, 'store')).filter((name) => name.endsWith('.sst'));
  files = all.filter((_, index) => index % Math.ceil(all.length / Math.min(FILES, all.length)) === 0);
  assert.ok(files.length >= 3, `${all.length} files`);
});
after(() => removeDirectory(whole));

interface Answers {
  /** By call: the result's JSON, or `error` and its message. */
  readonly answers: ReadonlyMap<HonestCall, string>;
  readonly damaged: number;
  readonly log: string;
}

/** Starts a node on a directory and collects its responses. */
async function answersOf(dataDir: string): Promise<Answers> {
  const node = await NodeProcess.start({ dataDir, flags: FLAGS });
  const rpc = new RpcClient(node.url);
  const answers = new Map<HonestCall, string>();
  let damaged = 0;
  try {
    for (const call of calls) {
      try {
        answers.set(call, JSON.stringify(await rpc.call(call.method, call.params)));
      } catch (error) {
        assert.ok(error instanceof RpcFailure, String(error));
        const { message, data } = error;
        answers.set(call, `error ${message}`);
        assert.equal(data['reason'], 'damaged_store', `${call.method}: ${message} ${node.log}`);
        assert.match(message, /is damaged.*Restore the data directory from a snapshot/);
        assert.doesNotMatch(message, /\.sst|\/store\//, 'no path gets out');
        damaged++;
      }
    }
    await rpc.call('status', {});
  } finally {
    rpc.close();
    await node.stop();
  }
  return { answers, damaged, log: node.log };
}

test('a flipped bit is reported as damaged_store at startup, in responses and by heddle verify', async (t) => {
  const seen = { refusedStarts: 0, damagedAnswers: 0, damagedFiles: 0, unverified: 0 };
  for (const file of files) {
    const dataDir = temporaryDirectory();
    try {
      cpSync(whole, dataDir, { recursive: true });
      const path = join(dataDir, 'store', file);
      const bytes = readFileSync(path);
      // Data blocks come first, then the index, properties and footer.
      const at = Math.floor(random() * bytes.length * (seen.damagedFiles % 3 === 2 ? 1 : 0.4));
      bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
      writeFileSync(path, bytes);
      seen.damagedFiles++;
      const verified = await runHeddle(['verify', '--data-dir', dataDir]);
      if (verified.code !== 0) {
        seen.unverified++;
        assert.match(verified.stderr, /damaged: .*Restore the data directory from a snapshot/, file);
      }
      const made = await answersOf(dataDir).catch((error: unknown) => String(error));
      if (typeof made === 'string') {
        seen.refusedStarts++;
        assert.match(made, /is damaged: .*Restore the data directory from a snapshot/, `${file} at ${at}`);
        continue;
      }
      seen.damagedAnswers += made.damaged;
      for (const [call, answer] of expected) {
        const given = made.answers.get(call) ?? assert.fail();
        assert.ok(given === answer || given.startsWith('error'), `${file} at ${at}: ${call.method} ${given}`);
      }
    } finally {
      removeDirectory(dataDir);
    }
  }
  t.diagnostic(JSON.stringify(seen));
  assert.ok(seen.refusedStarts + seen.damagedAnswers > 0, JSON.stringify(seen));
});
