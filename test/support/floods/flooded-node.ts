import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { descriptorLimit } from '../../../src/config/descriptor-limit.js';
import { NodeProcess } from '../nodes/node-process.js';
import { type FloodWorld, prepareWorld } from './flood-world.js';
import { floodOf } from './floods.js';
import { HonestClient, type HonestFigures } from './honest-client.js';
import { type FloodReport, runFlood } from './run-flood.js';

/** A flood to test, and the reason if the node does not withstand it yet. */
export interface FloodTest {
  readonly name: string;
  readonly todo?: string;
  /** File descriptors that the test needs; skipped with fewer. */
  readonly descriptors?: number;
  /** Default {@link BOUNDS}. */
  readonly peakMiB?: number;
}

/** Durations of a flood, and of an honest client's measurements before and after it. */
interface FloodTimes {
  readonly seconds: number;
  readonly restSeconds: number;
  readonly probeSeconds: number;
  /** Whether one measurement at rest is enough for all floods of a node. */
  readonly restsOnce: boolean;
}

const TIMES = { seconds: 2, restSeconds: 1, probeSeconds: 1, restsOnce: false };
/** Long enough for some calls of each kind. */
export const SHORT_TIMES = { seconds: 0.3, restSeconds: 0.3, probeSeconds: 0.3, restsOnce: true };

const WORLD = { blocks: 6, transfersABlock: 100, eventCalls: 4 };
const BLOCK_TIME_MS = 250;

/**
 * Minimum service for an honest client, on a machine several times slower than production with other tests running.
 * `npm run bench -- floods` measures the real figures.
 */
const BOUNDS = {
  statusP99Ms: 1_500,
  readsP99Ms: 4_000,
  readsAnswered: 0.95,
  proofsAnswered: 0.9,
  callsAnswered: 0.5,
  submitsAnswered: 0.9,
  blockIntervalMs: 10 * BLOCK_TIME_MS,
  peakMiB: 1_536,
  /** Maximum event loop tick of any thread that seals or accepts requests. */
  turnMs: 1_500,
  turnProcessorMs: 400,
  recoverySeconds: 30,
  asBeforeMs: 500,
  endMs: 6_000,
} as const;

/**
 * Floods a node with each flood in turn, and checks the honest client's service after each.
 * @param options the node's `--front-threads`, default 1; the durations
 */
export function testFloods(
  what: string,
  floods: readonly FloodTest[],
  { frontThreads = 1, times = TIMES }: { readonly frontThreads?: number; readonly times?: FloodTimes } = {},
): void {
  describe(what, () => {
    let node: NodeProcess;
    let world: FloodWorld;
    let honest: HonestClient;
    let atRest: FloodReport['atRest'] | undefined;

    before(async () => {
      node = await NodeProcess.start({
        flags: [
          ...['--block-time', String(BLOCK_TIME_MS), '--idle-block-time', String(BLOCK_TIME_MS)],
          ...floods.flatMap(({ name }) => floodOf(name).nodeFlags ?? []),
          ...['--front-threads', String(frontThreads)],
          // The last block of the prepared chain can be proved until the last flood.
          ...['--proof-window', '20000'],
        ],
      });
      world = await prepareWorld(node.url, WORLD);
      honest = new HonestClient(node.url, world);
    });
    after(async () => {
      await honest?.terminate();
      await node?.dispose();
    });

    for (const [place, { name, todo, descriptors = 0, peakMiB = BOUNDS.peakMiB }] of floods.entries()) {
      const skip = descriptorLimit() < descriptors && `needs ${descriptors} descriptors (ulimit -n)`;
      test(floodOf(name).attacks, { skip, ...(todo === undefined ? {} : { todo }) }, async (t) => {
        const run = async (thenEnd: boolean): Promise<FloodReport> => {
          const report = await runFlood({
            node,
            world,
            honest,
            name,
            ...times,
            atRest,
            recoverySeconds: BOUNDS.recoverySeconds,
            asBeforeMs: BOUNDS.asBeforeMs,
            thenEnd,
          });
          if (times.restsOnce) atRest = report.atRest;
          t.diagnostic(summaryOf(report));
          assert.ok(report.counts.sent > 0, 'nothing was sent');
          assertBounds(report, ['main', ...Array.from({ length: frontThreads }, (_, i) => `front-${i}`)]);
          atMost('MiB resident', report.peakMiB, peakMiB);
          return report;
        };
        // No flood follows the last one, so it may end the node.
        const isLast = place === floods.length - 1;
        let slow = slowTimes(await run(isLast));
        // A machine that stalls is slow once, a node that does not withstand the flood is slow again.
        if (slow.length > 0 && !isLast) slow = slowTimes(await run(false));
        assert.deepEqual(slow, []);
      });
    }
  });
}

function assertBounds(report: FloodReport, threads: readonly string[]): void {
  const { during, turns, recoveredSeconds, memoryBackSeconds, endedMs } = report;
  const { status, reads, proofs, calls, submits } = during.groups;
  answered('status', status, 1);
  answered('reads of the store', reads, BOUNDS.readsAnswered);
  answered('proofs', proofs, BOUNDS.proofsAnswered);
  answered('views, simulations and traces', calls, BOUNDS.callsAnswered);
  answered('submitted transfers', submits, BOUNDS.submitsAnswered);
  for (const thread of new Set([...threads, ...Object.keys(turns.lastedMs)])) {
    const { [thread]: lastedMs } = turns.lastedMs;
    assert.ok(lastedMs !== undefined, `the node says of its turns: ${JSON.stringify(turns)}`);
    const { [thread]: processorMs } = turns.processorMs;
    assert.equal(processorMs !== undefined, existsSync('/proc/thread-self/schedstat'));
    atMost(`ms of processor time, for a turn of ${thread}`, processorMs ?? 0, BOUNDS.turnProcessorMs);
  }
  assert.ok(recoveredSeconds !== undefined, `not as before after ${BOUNDS.recoverySeconds} s`);
  assert.ok(memoryBackSeconds !== undefined, `memory is not back after ${BOUNDS.recoverySeconds} s`);
  if (endedMs !== undefined) atMost('ms from SIGTERM to the end', endedMs, BOUNDS.endMs);
}

/** The wall-clock times above their bounds, which a stall of the machine also exceeds. */
function slowTimes({ during, blocks, turns }: FloodReport): readonly string[] {
  const { status, reads } = during.groups;
  const times: readonly (readonly [what: string, ms: number, most: number])[] = [
    ['p99 of status', status.p99Ms, BOUNDS.statusP99Ms],
    ['p99 of reads of the store', reads.p99Ms, BOUNDS.readsP99Ms],
    ['the longest time between blocks', blocks.maxMs, BOUNDS.blockIntervalMs],
    ...Object.entries(turns.lastedMs).map(
      ([thread, ms]) => [`the longest turn of ${thread}`, ms, BOUNDS.turnMs] as const,
    ),
  ];
  return times
    .filter(([, ms, most]) => !(ms <= most))
    .map(([what, ms, most]) => `${what}: ${Math.round(ms)} ms, at most ${most}`);
}

function atMost(what: string, value: number, most: number): void {
  assert.ok(value <= most, `${Math.round(value)} ${what}, at most ${most}`);
}

function answered(what: string, { sent, answered: good, refused }: HonestFigures, share: number): void {
  assert.ok(
    sent > 0 && good >= share * sent,
    `${good} of ${sent} ${what} were answered: ${JSON.stringify(refused)}`,
  );
}

function summaryOf(report: FloodReport): string {
  const { counts, during, blocks, turns, restMiB, peakMiB, recoveredSeconds, memoryBackSeconds } = report;
  const groups = Object.entries(during.groups).map(
    ([group, { p99Ms, sent, answered: good }]) => `${group} p99 ${Math.round(p99Ms)} ms, ${good} of ${sent}`,
  );
  return [
    `${counts.sent} sent, ${counts.answered} answered, refused ${JSON.stringify(counts.refused)}`,
    ...groups,
    `blocks at most ${Math.round(blocks.maxMs)} ms apart`,
    `turns ${JSON.stringify(turns)}`,
    `${Math.round(restMiB)} MiB, at most ${Math.round(peakMiB)}, back after ${memoryBackSeconds?.toFixed(1) ?? 'too many'} s`,
    `as before after ${recoveredSeconds?.toFixed(1) ?? 'too many'} s`,
    ...(report.endedMs === undefined ? [] : [`SIGTERM obeyed after ${Math.round(report.endedMs)} ms`]),
  ].join('; ');
}
