import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { totalmem, userInfo } from 'node:os';
import { join } from 'node:path';
import { satisfies } from 'semver';
import { hasCode } from '../../../base/errors.js';
import type { Config } from '../../../config/config.js';
import { descriptorLimit, KEPT_DESCRIPTORS, parseDescriptorLimit } from '../../../config/descriptor-limit.js';
import { outdatedNode } from '../../../config/outdated-node.js';
import { supportedNode } from '../../../config/package-info.js';
import { nearestExisting } from '../../../storage/data-directory.js';
import { MAX_MEMTABLE_BYTES } from '../../../storage/native/rocksdb-options.js';
import { bytesText, MIB } from './disk.js';
import { type DoctorContext, type Finding, ok, problem, warning } from './doctor-context.js';

/** @param version of the running Node, such as `v22.11.0` */
export function checkNodeVersion(version: string = process.version): Finding {
  const expected = `Node ${supportedNode()}`;
  const found = `Node ${version.replace(/^v/, '')} on ${process.platform} ${process.arch}`;
  if (!satisfies(version, supportedNode())) {
    return problem(found, expected, 'install a supported version of Node, then run npm install again');
  }
  const outdated = outdatedNode(version);
  if (outdated === undefined) return ok(found, expected);
  const advice = 'install Node 24, or Node 22 where glibc is older than 2.38, then run npm install again';
  return warning(`${found}: ${outdated}`, 'a Node that gets security fixes', advice);
}

/** Checks whether the doctor runs as the user of the node: its findings about permissions hold for one user only. */
export async function checkUser({ config }: DoctorContext): Promise<Finding[]> {
  const own = process.getuid?.();
  if (own === undefined) return [];
  const directory = nearestExisting(config.dataDir);
  const { uid } = await stat(directory);
  const found = `this command runs as ${nameOf(own)}, and ${directory} belongs to user id ${uid}`;
  if (own === 0 && uid === 0) {
    const give = directory === config.dataDir ? 'chown -R' : 'install -d -m 700 -o';
    const advice = `run the node as a user of its own: useradd --system heddle; ${give} heddle '${config.dataDir}'`;
    return [warning(found, 'a user other than root, so that a fault of the node stays its own', advice)];
  }
  const expected = 'the user who runs the node';
  // A missing directory has no owner yet; its parent does.
  if (uid === own || directory !== config.dataDir) return [ok(found, expected)];
  const advice = `run it as that user, for instance: sudo -u '#${uid}' heddle doctor …`;
  return [warning(found, expected, advice)];
}

function nameOf(uid: number): string {
  try {
    return `${userInfo().username} (id ${uid})`;
  } catch {
    // A container may run under an id without an entry in /etc/passwd.
    return `user id ${uid}`;
  }
}

/** A public node may need more connections than a lower limit allows. */
const FEW = 4_096;
const ADVICE =
  'raise the limit: LimitNOFILE=65536 in the systemd unit, --ulimit nofile=65536 of a container, or ulimit -n 65536 in the shell';

/** Compares the descriptor limit with the configured connections and the files of the store. */
export function checkOpenFiles({ config, owner }: DoctorContext): Finding {
  const { limit, whose } = limitOf(owner);
  const files = storeFiles(join(config.dataDir, 'store'));
  const kept = KEPT_DESCRIPTORS + files;
  const found = `${limit} open files allowed for ${whose}; the store has ${files} files`;
  const expected = `at least ${kept}: ${KEPT_DESCRIPTORS} for threads and other validators, and one for each file of the store; one more for each of ${config.maxConnections} connections`;
  if (limit < kept) return problem(found, expected, ADVICE);
  if (limit < config.maxConnections + kept) {
    return warning(found, expected, `${ADVICE}; or lower --max-connections`);
  }
  if (limit < FEW) return warning(found, `${expected}; ${FEW} for a public node`, ADVICE);
  return ok(found, expected);
}

/** The limit of the running node, or else of this process: a node started in the same shell would have it too. */
function limitOf(owner: number | undefined): { readonly limit: number; readonly whose: string } {
  if (owner !== undefined) {
    try {
      const limit = parseDescriptorLimit(readFileSync(`/proc/${owner}/limits`, 'latin1'));
      return { limit, whose: `the running node (process ${owner})` };
    } catch (error) {
      const isHidden = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].some((code) => hasCode(error, code));
      if (!isHidden) throw error;
    }
  }
  return { limit: descriptorLimit(), whose: 'this process' };
}

function storeFiles(directory: string): number {
  return existsSync(directory) ? readdirSync(directory).length : 0;
}

/** An idle node on two cores takes 200 MiB (docs/operations.md); under load, the heaps of its threads double that. */
const PROCESS_BYTES = 400 * MIB;
/** In memory, pending transactions take about twice their encoded size (`--pool-bytes`). */
const POOL_FACTOR = 2;

/** Maximum memory of a node's caches, buffers and queues when all of them are full, in bytes. */
export function memoryBudget(config: Config): number {
  const { cacheBytes, treeMemoryBytes, poolBytes, maxBufferedBytes, resultCacheBytes } = config;
  const state = cacheBytes + treeMemoryBytes + POOL_FACTOR * poolBytes;
  // The threads that serve HTTP divide both among them.
  const serving = maxBufferedBytes + resultCacheBytes;
  return PROCESS_BYTES + MAX_MEMTABLE_BYTES + state + serving;
}

export function checkMemory(config: Config, available = availableMemory()): Finding {
  const { bytes, source } = available;
  const budget = memoryBudget(config);
  const found = `${bytesText(bytes)} (${source})`;
  const expected = `at least ${bytesText(budget)}: --tree-memory ${bytesText(config.treeMemoryBytes)}, twice --pool-bytes ${bytesText(config.poolBytes)}, --max-buffered-bytes ${bytesText(config.maxBufferedBytes)}, --result-cache ${bytesText(config.resultCacheBytes)}, --cache-size ${bytesText(config.cacheBytes)}, and ${bytesText(PROCESS_BYTES + MAX_MEMTABLE_BYTES)} for the process and the store's writes`;
  const advice = 'give the machine or container more memory, or lower these options';
  // A node rarely fills all budgets at once, but it needs memory for the process, the tree and the cache early.
  const floor = PROCESS_BYTES + config.treeMemoryBytes + config.cacheBytes;
  if (bytes < floor) return problem(found, expected, advice);
  if (bytes < budget) return warning(found, expected, advice);
  return ok(found, expected);
}

interface AvailableMemory {
  readonly bytes: number;
  readonly source: string;
}

/** The smaller of the machine's memory and the limit of this process's control group. */
function availableMemory(): AvailableMemory {
  const machine = totalmem();
  // Without a limit, Node returns 0, or a number far beyond any machine.
  const limit = process.constrainedMemory();
  if (limit > 0 && limit < machine) return { bytes: limit, source: 'limit of the control group' };
  return { bytes: machine, source: 'memory of the machine' };
}
