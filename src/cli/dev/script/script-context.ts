import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
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
import type { ScriptClient } from './script-client.js';
import type { ScriptFile } from './script-file.js';
import type { ScriptPass } from './script-pass.js';

/** A compiled contract with its interface. */
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
    if (idl !== undefined) throw new UsageError(`deploy ${name}: idl is for another wasm: name both files`);
    return readBuilt(script, name);
  }
  const module = pathOf(wasm);
  const beside = join(dirname(module), `${basename(module, extname(module))}.idl`);
  const text = idl !== undefined ? pathOf(idl) : existsSync(beside) ? beside : undefined;
  const code = readModule(module, folder);
  return text === undefined ? { code } : { code, idl: interfaceIn(text) };
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
    throw new CliError(`${module}: there is no such file; run "heddle contract build" first`);
  }
  const code = readModule(module, folder);
  const sources = [join(folder, project.idl), ...(await filesIn(dirname(join(folder, project.source))))];
  const builtMs = (await stat(module)).mtimeMs;
  const changed = await firstNewer(sources, builtMs);
  const warning = `${relative(folder, module)} is older than ${relative(folder, changed ?? '')}: run "heddle contract build"`;
  return { code, idl: project.idlText, ...(changed !== undefined && { warning }) };
}

/** The text of an interface. @throws CliError, IdlError unless it is that of one contract */
function interfaceIn(path: string): string {
  return readInterface(readText(path, '.'), path).text;
}

/** The nearest folder with a contract.json. */
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

export interface ContextParts {
  readonly script: ScriptFile;
  readonly client: ScriptClient;
  readonly pass: ScriptPass;
  readonly chain: ScriptChain;
  readonly isDryRun: boolean;
  /** At least one. */
  readonly signers: readonly [Signer, ...Signer[]];
  readonly folder: DeploymentFolder;
  readonly args: readonly string[];
  /** Prints a line. */
  readonly print: (line: string) => void;
  readonly warn: (text: string) => void;
}

/** What one pass over a script gets. */
export function scriptContext(parts: ContextParts): ScriptContext {
  const { script, client, pass, folder, print, warn } = parts;
  const [first, ...others] = parts.signers;
  const sender = client.sender(first);
  const contractAt = (address: Uint8Array) => client.contract(address, { sender });
  return {
    client,
    chain: parts.chain,
    isDryRun: parts.isDryRun,
    args: parts.args,
    sender,
    senders: [sender, ...others.map((signer) => client.sender(signer))],
    deploy: async (name, options = {}) => {
      expectContractName(name);
      const { wasm, idl, sender: by = sender, ...given } = options;
      const { code, idl: text, warning } = await readDeployable(script, name, { wasm, idl });
      if (warning !== undefined) warn(warning);
      const from = client.sender(by.signer, { lane: by.lane });
      return from.deployNamed(name, { ...given, code, ...(text !== undefined && { idl: text }) });
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
