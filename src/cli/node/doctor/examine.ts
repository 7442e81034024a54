import { errorMessage } from '../../../base/errors.js';
import type { Config } from '../../../config/config.js';
import { loadCrypto } from '../../../crypto/load-crypto.js';
import { ownerOf } from '../../../storage/data-directory.js';
import { checkClock, checkClocksOfNodes } from './clock.js';
import { checkConfiguration } from './configuration.js';
import { checkDataDirectory } from './data-directory.js';
import { checkDiskSpace, checkFileSystem } from './disk.js';
import type { DoctorContext } from './doctor-context.js';
import { type CheckName, type Finding, problem } from './finding.js';
import { checkGenesis } from './genesis.js';
import { checkIssuerKeys } from './issuer-keys.js';
import { checkMemory } from './memory.js';
import { checkNativeParts } from './native-parts.js';
import { checkNodeVersion } from './node-version.js';
import { checkOpenFiles } from './open-files.js';
import { checkP2pPort, checkRpcPort } from './ports.js';
import { checkProxy } from './proxy.js';
import { checkPublicAddress } from './public-address.js';
import { checkQuotaStore } from './quota-store.js';
import { checkTokenFiles } from './token-files.js';
import { checkTracing } from './tracing.js';
import { checkUser } from './user.js';
import { checkValidatorFiles } from './validator-files.js';
import { checkValidatorKey } from './validator-key.js';

type Findings = Finding | readonly Finding[];
type Check = (context: DoctorContext) => Findings | Promise<Findings>;

/** Every check, in the order of the report. */
const CHECKS: Readonly<Record<CheckName, Check>> = {
  'node version': () => checkNodeVersion(),
  user: checkUser,
  'open files': checkOpenFiles,
  'data directory': checkDataDirectory,
  'disk space': (context) => checkDiskSpace(context),
  'file system': checkFileSystem,
  memory: (context) => checkMemory(context),
  clock: checkClock,
  'clocks of nodes': checkClocksOfNodes,
  'native parts': checkNativeParts,
  configuration: checkConfiguration,
  genesis: checkGenesis,
  'validator key': checkValidatorKey,
  'validator files': checkValidatorFiles,
  'token files': checkTokenFiles,
  'issuer keys': checkIssuerKeys,
  'quota store': checkQuotaStore,
  'RPC port': checkRpcPort,
  'p2p port': checkP2pPort,
  'public address': checkPublicAddress,
  proxy: checkProxy,
  tracing: checkTracing,
};

/**
 * Examines a configuration and the machine. Changes nothing, so it can run beside a node.
 * @param urls nodes whose clocks are compared, besides the followed ones
 * @param credentials the directory of the service's credentials, as systemd names it in `CREDENTIALS_DIRECTORY`
 */
export async function examine(
  config: Config,
  urls: readonly string[],
  credentials: string | undefined,
): Promise<readonly Finding[]> {
  const context: DoctorContext = {
    config,
    // Any implementation will do here; the check of native parts reports which ones the node would use.
    crypto: await loadCrypto('auto'),
    owner: await ownerIfVisible(config.dataDir),
    urls: [...new Set([...config.follow, ...urls])],
    credentials,
  };
  const findings: Finding[] = [];
  for (const [name, check] of Object.entries(CHECKS) as [CheckName, Check][]) {
    findings.push(...[await attempt(name, check, context)].flat());
  }
  return findings;
}

/** Reports a check that throws as a finding, so that it does not hide the results of the others. */
async function attempt(name: CheckName, check: Check, context: DoctorContext): Promise<Findings> {
  try {
    return await check(context);
  } catch (error) {
    const found = `the check failed: ${errorMessage(error)}`;
    return problem(
      name,
      found,
      'a result',
      'fix the cause that the message names; if it is unclear, report it as a bug',
    );
  }
}

/** Undefined for an unreadable directory: the data directory check reports that. */
async function ownerIfVisible(dataDir: string): Promise<number | undefined> {
  try {
    return await ownerOf(dataDir);
  } catch {
    return undefined;
  }
}
