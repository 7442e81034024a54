// Generates the code for the interface definition and compiles the contract.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildContract, generateContractFiles, readContractProject, sdkFolder } from 'heddle/contracts';

const folder = fileURLToPath(new URL('.', import.meta.url));
try {
  const project = await readContractProject(folder);
  await mkdir(join(folder, 'generated'), { recursive: true });
  for (const { name, text } of generateContractFiles(project)) {
    await writeFile(join(folder, 'generated', name), text);
  }
  const code = await buildContract(project, { sdk: sdkFolder(), names: true });
  await writeFile(join(folder, `${project.name}.wasm`), code);
  console.log(`wrote ${project.name}.wasm, ${code.length} bytes`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
