import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defined } from '../../../base/defined.js';
import { toError } from '../../../base/errors.js';
import {
  type ConnectOptions,
  connectReadOnly,
  formatAddress,
  parseAddress,
  RpcCallError,
  type ScriptChain,
  type ScriptContext,
  type ScriptDeployOptions,
  type Signer,
} from '../../../client/client.js';
import { readContractProject } from '../../../contract-sdk/contract-project.js';
import { CliError, UsageError } from '../../cli-error.js';
import { readInterface, readModule, readText } from '../../contract/contract-handle.js';
import { showValue } from '../../repl/shown-value.js';
import { type DeploymentFolder, expectContractName } from './deployment-folder.js';
import { ScriptClient, type SendDefaults } from './script-client.js';
import { loadScript, type PassKind, type ScriptFile, scriptFailure } from './script-file.js';
import { ScriptPass, type ScriptPassOptions } from './script-pass.js';
import { StepReader } from './step.js';

export interface Deployable {
  readonly code: Uint8Array;
  readonly idl?: string;
  /** Set if the module may be older than its source. */
  readonly warning?: string;
}

/**
 * Reads the contract that a script deploys: from the files that it names, or else from the project that it is in.
 * @param name the contract of the project, if the script names no files
 * @throws CliError; ContractError, IdlError for a damaged project
 */
export async function readDeployable(
  script: ScriptFile,
  name: string,
  { wasm, idl }: { readonly [File in 'wasm' | 'idl']: ScriptDeployOptions[File] | undefined },
): Promise<Deployable> {
  const folder = dirname(script.path);
  const pathOf = (file: string | URL) =>
    typeof file === 'string' ? resolve(folder, file) : fileURLToPath(file);
  if (wasm === undefined) {
    if (idl !== undefined) throw new UsageError(`deploy ${name}: got idl without wasm; give both or neither`);
    return readBuilt(script, name);
  }
  const module = pathOf(wasm);
  const beside = join(dirname(module), `${basename(module, extname(module))}.idl`);
  const text = idl !== undefined ? pathOf(idl) : existsSync(beside) ? beside : undefined;
  const code = readModule(module, folder);
  return text === undefined ? { code } : { code, idl: readInterface(readText(text, '.'), text).text };
}

async function readBuilt(script: ScriptFile, name: string): Promise<Deployable> {
  const folder = projectAbove(dirname(script.path));
  if (folder === undefined) {
    throw new UsageError(
      `deploy ${name}: no folder above ${script.shown} has a contract.json; name the files: deploy('${name}', { wasm: '../${name.toLowerCase()}.wasm' })`,
    );
  }
  const project = await readContractProject(folder);
  if (project.contract.name !== name) {
    throw new UsageError(
      `deploy ${name}: the project in ${folder} has the contract ${project.contract.name}; for another contract or another name, name the file: { wasm: '…' }`,
    );
  }
  const module = join(folder, `${project.name}.wasm`);
  if (!existsSync(module)) {
    throw new CliError(`${module}: no such file; run "heddle contract build" first`);
  }
  const code = readModule(module, folder);
  const sources = [join(folder, project.idl), ...(await filesIn(dirname(join(folder, project.source))))];
  const builtMs = (await stat(module)).mtimeMs;
  const changed = await firstNewer(sources, builtMs);
  const warning = `${relative(folder, module)} is older than ${relative(folder, changed ?? '')}: run "heddle contract build"`;
  return { code, idl: project.idlText, ...(changed !== undefined && { warning }) };
}

function projectAbove(folder: string): string | undefined {
  if (existsSync(join(folder, 'contract.json'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : projectAbove(parent);
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function firstNewer(files: readonly string[], thanMs: number): Promise<string | undefined> {
  for (const file of files) if ((await stat(file)).mtimeMs > thanMs) return file;
  return undefined;
}

function scriptContext(
  command: ScriptCommand,
  client: ScriptClient,
  pass: ScriptPass,
  isDryRun: boolean,
): ScriptContext {
  const { script, chain, args, folder, print, warn } = command;
  const [first, ...others] = command.signers;
  const sender = client.sender(first);
  const contractAt = (address: Uint8Array) => client.contract(address, { sender });
  return {
    client,
    chain,
    isDryRun,
    args,
    sender,
    senders: [sender, ...others.map((signer) => client.sender(signer))],
    deploy: async (name, options = {}) => {
      expectContractName(name);
      const { wasm, idl, sender: by = sender, ...given } = options;
      const { code, idl: text, warning } = await readDeployable(script, name, { wasm, idl });
      if (warning !== undefined) warn(warning);
      const from = client.sender(by.signer, { lane: by.lane });
      return from.deployNamed(name, defined({ ...given, code, idl: text }));
    },
    contract: (address, options = {}) => client.contract(address, { sender, ...options }),
    deployed: async (name) => {
      expectContractName(name);
      const here = pass.performed.findLast(({ step }) => step.type === 'deploy' && step.name === name);
      if (here?.receipt.contract !== undefined) return contractAt(here.receipt.contract);
      const recorded = folder.deployed(name);
      if (recorded === undefined) return undefined;
      const address = parseAddress(recorded.address);
      if (await isContract(client, address)) {
        pass.named(recorded.address, name);
        return contractAt(address);
      }
      warn(
        `${name}: the chain has no contract at ${formatAddress(address)}, where an earlier run deployed it`,
      );
      return undefined;
    },
    log: (...values) =>
      print(values.map((value) => (typeof value === 'string' ? value : showValue(value, false))).join(' ')),
  };
}

async function isContract(client: ScriptClient, address: Uint8Array): Promise<boolean> {
  try {
    await client.contract_metadata({ address });
    return true;
  } catch (error) {
    if (error instanceof RpcCallError && error.kind === 'not_found') return false;
    throw error;
  }
}

/** What the passes of a command have in common. */
export interface ScriptCommand {
  readonly script: ScriptFile;
  readonly chain: ScriptChain;
  readonly signers: readonly [Signer, ...Signer[]];
  readonly folder: DeploymentFolder;
  readonly args: readonly string[];
  readonly defaults: SendDefaults;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
  readonly warn: (text: string) => void;
}

export interface PassTarget extends Omit<ScriptPassOptions, 'reader'> {
  readonly kind: PassKind;
  readonly url: string;
  readonly access: ConnectOptions;
  /** The id that the node must have; undefined for any. */
  readonly chainId: bigint | undefined;
}

/** Runs a script once. @throws CliError with the script's line; the signal's reason */
export async function runPass(
  command: ScriptCommand,
  { kind, url, access, chainId, ...options }: PassTarget,
): Promise<ScriptPass> {
  const { script, signal, defaults } = command;
  const run = await loadScript(script, kind);
  const reading = connectReadOnly(url, access);
  const pass = new ScriptPass({ ...options, reader: new StepReader(reading) });
  const client = new ScriptClient(url, access, { pass, chainId, defaults: { ...defaults, signal } });
  try {
    await unlessStopped(signal, async () => {
      await run(scriptContext(command, client, pass, kind === 'dry'));
      await pass.idle();
    });
    return pass;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw scriptFailure(script, error, pass.askedAt(error));
  } finally {
    await Promise.all([client.close(), reading.close()]);
  }
}

/** Runs work until it ends, the signal aborts, or a promise is rejected that nothing waits for, such as a call without await. */
async function unlessStopped(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  let stop: (reason: unknown) => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = reject;
  });
  const onStray = (reason: unknown) => stop(toError(reason));
  const onAbort = () => stop(signal.reason);
  process.on('unhandledRejection', onStray);
  signal.addEventListener('abort', onAbort);
  try {
    signal.throwIfAborted();
    await Promise.race([work(), stopped]);
  } finally {
    process.off('unhandledRejection', onStray);
    signal.removeEventListener('abort', onAbort);
  }
}
