import { removeDirectory, temporaryDirectory } from '../../../test/support/nodes/node-process.js';
import { TransferLoad } from '../../load/transfer-load.js';
import { directoryBytes } from '../../support/directory-size.js';
import { cpuSecondsOf, processTree, residentMiBOf } from '../../support/process-tree.js';
import { type TransferSample, type TransferSettings, warmUpOf } from './transfer-sample.js';

const SEALED_TIMEOUT_MS = 120_000;
const GAS_LIMIT = 25_000n;
const SIGNERS = 2;

/** Signed transfers to a new Heddle. */
export async function heddleTransfers(
  settings: TransferSettings,
  nodeFlags: readonly string[],
): Promise<TransferSample> {
  const dataDir = temporaryDirectory();
  const single = { inFlight: 1, batch: 0, signers: SIGNERS, gasLimit: GAS_LIMIT };
  try {
    const load = await TransferLoad.start({ ...settings, ...single, nodeFlags, dataDir });
    try {
      await load.submit(await load.sign(warmUpOf(settings)));
      await load.sealed(SEALED_TIMEOUT_MS);
      return await measure(load, settings.transfers, dataDir);
    } finally {
      await load.close();
    }
  } finally {
    removeDirectory(dataDir);
  }
}

async function measure(load: TransferLoad, transfers: number, dataDir: string): Promise<TransferSample> {
  const signed = await load.sign(transfers);
  const pids = processTree(load.node.pid);
  const diskBefore = directoryBytes(dataDir);
  const cpuBefore = cpuSecondsOf(pids);
  const begin = performance.now();
  await load.submit(signed);
  await load.sealed(SEALED_TIMEOUT_MS);
  const seconds = (performance.now() - begin) / 1000;
  const cpu = cpuSecondsOf(pids) - cpuBefore;
  const memoryMiB = residentMiBOf(pids);
  await load.verifyCount();
  await load.node.stop();
  const grownMiB = (directoryBytes(dataDir) - diskBefore) / 1024 ** 2;
  return {
    rate: transfers / seconds,
    micros: (cpu / transfers) * 1e6,
    memoryMiB,
    // A few transfers take less than what a compaction frees.
    ...(grownMiB > 0 && { diskMiBPerMillion: (grownMiB / transfers) * 1e6 }),
  };
}
