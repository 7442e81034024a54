// An hour's load at full speed: checks that memory stays flat, and times a restart on the resulting data.
//   npm run bench -- soak [--transfers 2000000] [--batch 50]
import { NodeProcess, removeDirectory, temporaryDirectory } from '../../test/support/nodes/node-process.js';
import { processMemory } from '../../test/support/nodes/process-memory.js';
import { atMost, recordCost, recordGain } from '../support/record-values.js';
import { printReport, quantile } from '../support/statistics.js';
import { requestKind, transferOptions } from './options.js';
import { TransferLoad } from './transfer-load.js';

const CHUNK = 40_000;
/** Maximum growth of memory, in MiB, from the second to the last quarter that counts as flat. */
const FLAT_MIB = 48;

const options = transferOptions(2_000_000);
const kind = requestKind(options);
const dataDir = temporaryDirectory();
const load = await TransferLoad.start({ ...options, dataDir });
const samples: { readonly transfers: number; readonly residentMiB: number }[] = [];
const begin = performance.now();
let peakMiB = 0;
try {
  while (load.count < options.transfers) {
    const chunk = Math.min(CHUNK, options.transfers - load.count);
    await load.submit(await load.sign(chunk));
    const memory = processMemory(load.node.pid);
    peakMiB = memory.peakMiB;
    samples.push({ transfers: load.count, residentMiB: memory.residentMiB });
    console.log(`  ${load.count} accepted, ${memory.residentMiB.toFixed(0)} MiB`);
  }
  await load.sealed(120_000);
  await load.verifyCount();
  const seconds = (performance.now() - begin) / 1000;
  const stop = await load.node.stop();
  const again = await NodeProcess.start({ dataDir, flags: options.nodeFlags });
  const startMs = again.startMs;
  await again.dispose();

  const quarter = (from: number): number =>
    quantile(
      samples
        .slice(Math.floor(from * samples.length), Math.ceil((from + 0.25) * samples.length))
        .map((s) => s.residentMiB),
      0.5,
    );
  const million = samples.find((sample) => sample.transfers >= 1_000_000);
  const growth = quarter(0.75) - quarter(0.25);
  recordGain(`${kind}: transfers signed, sent and sealed`, '/s', load.count / seconds);
  if (million !== undefined) {
    recordCost(`${kind}: memory after a million transfers`, 'MiB', million.residentMiB, atMost(400));
  }
  recordCost(`${kind}: memory, last quarter`, 'MiB', quarter(0.75));
  recordCost(`${kind}: memory, last quarter beyond the second`, 'MiB', growth, atMost(FLAT_MIB));
  recordCost(`${kind}: peak memory`, 'MiB', peakMiB);
  recordCost(`${kind}: stop`, 'ms', stop.ms);
  recordCost(`${kind}: start on the stored chain`, 'ms', startMs, atMost(2_000));
  printReport('soak', {
    transfers: load.count,
    seconds,
    'resident MiB, second quarter': quarter(0.25),
    'resident MiB, last quarter': quarter(0.75),
    'resident MiB after 1,000,000': million?.residentMiB ?? 'not reached',
    'peak MiB': peakMiB,
    memory: growth <= FLAT_MIB ? 'flat' : `not flat: ${growth.toFixed(0)} MiB more`,
    'stopped in ms': stop.ms,
    'started again in ms': startMs,
  });
  if (growth > FLAT_MIB) process.exitCode = 1;
} finally {
  await load.close();
  removeDirectory(dataDir);
}
