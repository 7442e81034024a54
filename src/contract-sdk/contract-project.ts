import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, extname, join, posix, relative, sep } from 'node:path';
import { errorMessage } from '../base/errors.js';
import { type ContractAbi, compileContract } from '../idl/abi/contract-abi.js';
import { compileIdl } from '../idl/compiler/compile.js';
import type { GeneratedFile } from '../idl/compiler/unit-files.js';
import {
  generateContractClient,
  generateContractEntry,
  generateContractTypes,
} from '../idl/generators/assemblyscript.js';
import type { ContractDefinition, Manifest } from '../idl/manifest.js';
import { HOST_LIMITS } from '../vm/wasm/engine-limits.js';
import { ContractError } from './contract-error.js';

/** Folder of generated files inside a project. */
export const GENERATED_FOLDER = 'generated';

/** A contract's folder: its `contract.json`, IDL and AssemblyScript. */
export interface ContractProject {
  /** Path of the folder, as given. */
  readonly folder: string;
  /** File name of the IDL without extension; also the name of the compiled module and the generated types. */
  readonly name: string;
  /** Path of the IDL, relative to the folder. */
  readonly idl: string;
  /** Text of the IDL. */
  readonly idlText: string;
  /** Everything that the IDL declares. */
  readonly manifest: Manifest;
  /** The contract in it. */
  readonly contract: ContractDefinition;
  /** Path, relative to the folder, of the module that exports the class named after the contract. */
  readonly source: string;
  /** Contracts that this one calls. */
  readonly calls: readonly CalledContract[];
}

/** A contract that another one calls, named under `calls` in its `contract.json`. */
export interface CalledContract {
  /** Path of the called contract's IDL, relative to the folder. */
  readonly idl: string;
  /** Everything that the IDL declares. */
  readonly manifest: Manifest;
  /** The contract in it. */
  readonly contract: ContractDefinition;
}

/**
 * Reads a contract's folder. Its `contract.json` is `{"idl": path, "source": path, "calls": [paths of IDLs]}`, with
 * paths relative to the folder; `calls` is optional.
 * @throws ContractError `bad_project` if a file is missing or invalid
 * @throws IdlError with all mistakes in an IDL
 */
export async function readContractProject(folder: string): Promise<ContractProject> {
  const { idl, source, calls } = parseProjectFile(folder, await readText(folder, 'contract.json'));
  const idlText = await readText(folder, idl);
  const own = oneContract(idl, idlText);
  checkTopics(idl, own.contract);
  return {
    folder,
    name: basename(idl, extname(idl)),
    idl,
    idlText,
    source,
    ...own,
    calls: await Promise.all(
      calls.map(async (path) => ({ idl: path, ...oneContract(path, await readText(folder, path)) })),
    ),
  };
}

/**
 * The interface of a project's contract, for {@link ContractSandbox.deploy}.
 * @throws AbiError `selector_collision` if two functions or two errors share a selector
 */
export function contractAbi(project: ContractProject): ContractAbi {
  return compileContract(project.manifest, sha256, project.contract.name);
}

/** Generates the files of the folder `generated`. Deterministic. */
export function generateContractFiles(project: ContractProject): readonly GeneratedFile[] {
  const { manifest, contract, source, name } = project;
  const module = { manifest, contract, source: project.idl, sha256 };
  const from = posix.join('..', source.split(sep).join('/')).replace(/\.ts$/, '');
  const place = { className: contract.name, from, typesFrom: `./${name}` };
  return [
    { name: `${name}.ts`, text: generateContractTypes(module) },
    { name: 'entry.ts', text: generateContractEntry(module, place) },
    ...project.calls.map((called) => ({
      name: `${basename(called.idl, extname(called.idl))}-client.ts`,
      text: generateContractClient({ ...called, source: called.idl, sha256 }),
    })),
  ];
}

function oneContract(path: string, text: string): { manifest: Manifest; contract: ContractDefinition } {
  const { manifest } = compileIdl([{ name: path, text }]);
  const [contract, second] = manifest.contracts;
  if (contract === undefined || second !== undefined) {
    const reason = `${path}: expected exactly one contract, got ${manifest.contracts.length}`;
    throw new ContractError('bad_project', reason);
  }
  return { manifest, contract };
}

/** Refuses events with more indexed fields than the engine takes topics: emitting one would trap. */
function checkTopics(path: string, { events }: ContractDefinition): void {
  // One topic names the event.
  const most = HOST_LIMITS.eventTopics - 1;
  for (const { name, fields } of events) {
    const count = fields.filter(({ indexed }) => indexed).length;
    if (count <= most) continue;
    const reason = `${path}: the event ${name}: expected at most ${most} indexed fields, got ${count}`;
    throw new ContractError('bad_project', reason);
  }
}

function parseProjectFile(
  folder: string,
  text: string,
): { readonly idl: string; readonly source: string; readonly calls: readonly string[] } {
  const bad = (detail: string): ContractError =>
    new ContractError('bad_project', `${join(folder, 'contract.json')}: ${detail}`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw bad(`expected JSON: ${errorMessage(error)}`);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw bad('expected an object');
  const { idl, source, calls, ...others } = parsed as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw bad(`unknown member ${JSON.stringify(unknown)}`);
  if (typeof idl !== 'string') throw bad('expected "idl", the path of the interface definition');
  if (typeof source !== 'string') throw bad('expected "source", the path of the AssemblyScript module');
  if (calls === undefined) return { idl, source, calls: [] };
  if (!Array.isArray(calls) || !calls.every((path): path is string => typeof path === 'string')) {
    throw bad('expected "calls" to be a list of paths of interface definitions');
  }
  return { idl, source, calls };
}

async function readText(folder: string, path: string): Promise<string> {
  try {
    return await readFile(join(folder, path), 'utf8');
  } catch (error) {
    const reason = errorMessage(error);
    throw new ContractError('bad_project', `${relative('.', join(folder, path))} cannot be read: ${reason}`);
  }
}

function sha256(data: Uint8Array): Uint8Array {
  return createHash('sha256').update(data).digest();
}
