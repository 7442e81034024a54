import { errorMessage } from '../../../base/errors.js';
import { counted } from '../../../base/number-text.js';
import { shownLine } from '../../../base/shown-text.js';
import type { Config } from '../../../config/config.js';
import { loadCrypto } from '../../../crypto/load-crypto.js';
import { ownerOf } from '../../../storage/data-directory.js';
import { checkConfiguration, checkGenesis } from './chain.js';
import { checkClock, checkClocksOfNodes } from './clock.js';
import { checkDataDirectory, checkDiskSpace, checkFileSystem } from './disk.js';
import { type DoctorContext, type Finding, problem } from './doctor-context.js';
import { checkMemory, checkNodeVersion, checkOpenFiles, checkUser } from './machine.js';
import { checkNativeParts } from './native-parts.js';
import { checkP2pPort, checkProxy, checkPublicAddress, checkRpcPort } from './network.js';
import { checkIssuerKeys, checkTokenFiles, checkValidatorFiles, checkValidatorKey } from './secrets.js';
import { checkQuotaStore, checkTracing } from './services.js';

type Findings = Finding | readonly Finding[];
type Check = (context: DoctorContext) => Findings | Promise<Findings>;

const CHECKS = {
  'node version': () => checkNodeVersion(),
  user: checkUser,
  'open files': checkOpenFiles,
  'data directory': checkDataDirectory,
  'disk space': ({ config }) => checkDiskSpace(config),
  'file system': checkFileSystem,
  memory: ({ config }) => checkMemory(config),
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
  proxy: ({ config }) => checkProxy(config),
  tracing: checkTracing,
} as const satisfies Readonly<Record<string, Check>>;

export type CheckName = keyof typeof CHECKS;

export interface CheckedFinding extends Finding {
  readonly check: CheckName;
}

/**
 * Examines a configuration and the machine. Changes nothing, so it can run beside a node.
 * @param urls nodes whose clocks are compared, besides the followed ones
 * @param credentials the directory of the service's credentials, as systemd names it in `CREDENTIALS_DIRECTORY`
 */
export async function examine(
  config: Config,
  urls: readonly string[],
  credentials: string | undefined,
): Promise<readonly CheckedFinding[]> {
  const context: DoctorContext = {
    config,
    // Any implementation will do here; the check of native parts reports which ones the node would use.
    crypto: await loadCrypto('auto'),
    owner: await ownerIfVisible(config.dataDir),
    urls: [...new Set([...config.follow, ...urls])],
    credentials,
  };
  const findings: CheckedFinding[] = [];
  for (const [name, check] of Object.entries(CHECKS) as [CheckName, Check][]) {
    const found = [await attempt(check, context)].flat();
    findings.push(...found.map((finding) => ({ check: name, ...finding })));
  }
  return findings;
}

/** Reports a check that throws as a finding, so that it does not hide the results of the others. */
async function attempt(check: Check, context: DoctorContext): Promise<Findings> {
  try {
    return await check(context);
  } catch (error) {
    const found = `the check failed: ${errorMessage(error)}`;
    return problem(
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

export function summaryOf(findings: readonly CheckedFinding[]) {
  const count = (result: CheckedFinding['result']) =>
    findings.filter((finding) => finding.result === result).length;
  return { problems: count('problem'), warnings: count('warning') };
}

/** One JSON object: `version`, `problems`, `warnings` and `findings`. */
export function renderJson(version: string, findings: readonly CheckedFinding[]): string {
  return JSON.stringify({ version, ...summaryOf(findings), findings }, null, 2);
}

/** One line per finding; further lines advise on a warning or problem. */
export function renderText(version: string, findings: readonly CheckedFinding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const indent = ' '.repeat('problem'.length + width + 4);
  const lines = findings.flatMap(({ result, check, found, expected, advice }) => [
    `${result.padEnd('problem'.length)}  ${check.padEnd(width)}  ${oneLine(found)}`,
    ...(advice === undefined
      ? []
      : [`${indent}expected: ${oneLine(expected)}`, `${indent}to do: ${oneLine(advice)}`]),
  ]);
  const { problems, warnings } = summaryOf(findings);
  return [
    `heddle ${version}`,
    '',
    ...lines,
    '',
    `${counted(problems, 'problem')}, ${counted(warnings, 'warning')}`,
  ].join('\n');
}

function oneLine(text: string): string {
  return shownLine(text.replace(/\s*\n\s*/g, '; '));
}
