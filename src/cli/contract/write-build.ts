import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CompiledContract } from '../../contract-sdk/build-contract.js';
import {
  type ContractProject,
  GENERATED_FOLDER,
  generateContractFiles,
} from '../../contract-sdk/contract-project.js';

/** Writes the files that the project's interface determines. */
export async function writeGenerated(project: ContractProject): Promise<void> {
  const generated = join(project.folder, GENERATED_FOLDER);
  await mkdir(generated, { recursive: true });
  for (const { name, text } of generateContractFiles(project)) await writeFile(join(generated, name), text);
}

/** Writes the module and its source map into the project's folder. @returns path of the module */
export async function writeBuild(
  project: ContractProject,
  { code, sourceMap }: CompiledContract,
): Promise<string> {
  const wasm = join(project.folder, `${project.name}.wasm`);
  await writeFile(wasm, code);
  await writeFile(`${wasm}.map`, sourceMap);
  return wasm;
}
