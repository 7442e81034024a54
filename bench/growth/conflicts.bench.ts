/**
 * Time of a block by the share of its transactions that pay the same account: shared by two workers, relative to the
 * same block in one worker, alternately. Blocks of calls that compute for a millisecond, and of token transfers alone.
 *
 *     npm run bench -- growth-conflicts [--calls 300] [--transfers 3000] [--rounds 3]
 *
 * No power law is expected: the ratio goes from the share of two processors to that of one.
 */
import { ParallelWorld } from '../parallel/parallel-world.js';
import { recordFigure } from '../results/record.js';
import { benchArguments } from '../support/bench-arguments.js';
import { Growth } from './parts/growth.js';

const values = benchArguments({
  calls: { type: 'string', default: '300' },
  transfers: { type: 'string', default: '3000' },
  rounds: { type: 'string', default: '3' },
  unmeasured: { type: 'string', default: '2' },
});
const calls = Number(values.calls);
const WORKERS = 2;
const PERCENT = [0, 1, 10, 50, 100] as const;
/** Aims on two idle processors: the time of a block relative to one worker. */
const AIMS = new Map([
  [0, 1 / 1.7],
  [100, 1.25],
]);

const COMPUTING = 'calls of 1 ms, time relative to one worker';
const PAYING = 'token transfers, time relative to one worker';

const world = await ParallelWorld.open(Math.max(calls, Number(values.transfers)) + 1);
try {
  const growth = new Growth('percent of conflicts', [
    { name: COMPUTING, unit: '×', better: 'lower' },
    { name: PAYING, unit: '×', better: 'lower' },
  ]);
  for (const percent of PERCENT) {
    const options = {
      workers: WORKERS,
      foreseen: true,
      rounds: Number(values.rounds),
      unmeasured: Number(values.unmeasured),
    };
    const ratios = async (transactions: ReturnType<typeof world.paying>) =>
      (await world.compare(transactions, options)).speedUps.map((speedUp) => 1 / speedUp);
    const computing = await ratios(world.computing(calls, percent / 100));
    const paying = await ratios(world.paying(percent / 100));
    growth.add(percent, { [COMPUTING]: computing, [PAYING]: paying });
    const bound = AIMS.get(percent);
    if (bound === undefined) continue;
    recordFigure({
      name: `${percent} % conflict: ${COMPUTING}`,
      unit: '×',
      better: 'lower',
      rounds: computing,
      aim: { of: 'value', at: 'most', bound },
    });
  }
  growth.finish();
} finally {
  await world.close();
}
