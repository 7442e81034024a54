import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TestProject } from './test-project.js';

export const MAIN = fileURLToPath(new URL('../../../bundle/main.js', import.meta.url));

const RANDOM_TEST = `import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ContractSandbox, contractAbi, readContractProject } from 'heddle/contracts';
test('random', async () => {
  const abi = contractAbi(await readContractProject('.'));
  const counter = (await ContractSandbox.create()).deploy(new Uint8Array(20), readFileSync('counter.wasm'), abi);
  counter.init({ owner: '0x' + '01'.repeat(20), start: Math.floor(Math.random() * 1e9) });
  counter.call('owner');
});
`;

/** A project with a fuzz test of one random call, in place of the template's of hundreds. */
export function projectWithRandomTest(): TestProject {
  const project = new TestProject();
  rmSync(join(project.folder, 'test', 'counter.fuzz.test.mjs'));
  writeFileSync(join(project.folder, 'test', 'random.fuzz.test.mjs'), RANDOM_TEST);
  return project;
}

/** Runs `heddle contract test` in a process of its own, whose output its tests inherit. */
export function contractTest(
  { folder }: TestProject,
  ...args: readonly string[]
): { readonly status: number | null; readonly text: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [MAIN, 'contract', 'test', folder, ...args],
    {
      encoding: 'utf8',
      cwd: folder,
      timeout: 120_000,
    },
  );
  return { status, text: `${stdout}${stderr}` };
}
