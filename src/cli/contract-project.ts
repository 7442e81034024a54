import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { packageRoot } from '../config/package-info.js';
import { buildContract, sdkFolder } from '../contract-sdk/build-contract.js';
import {
  GENERATED_FOLDER,
  generateContractFiles,
  readContractProject,
} from '../contract-sdk/contract-project.js';
import { CliError } from './cli-error.js';
import type { CommandContext } from './run.js';

/** `heddle contract new` and `heddle contract build`. */
export function registerContractProjectCommands(contract: Command, context: CommandContext): void {
  contract
    .command('new')
    .description('make a folder with a contract that builds and passes its test, to begin with')
    .argument('<NAME>', 'name of the contract and of its folder, such as my_token')
    .addHelpText('after', '\nExample:\n  $ heddle contract new my_token\n')
    .action((name: string) => scaffold(name, context));

  contract
    .command('build')
    .description("generate what a contract's interface says, and compile the contract")
    .argument('[FOLDER]', 'the folder with its contract.json', '.')
    .option('--no-names', 'leave out the names of functions: smaller, but traces cannot tell functions apart')
    .addHelpText('after', '\nExample:\n  $ heddle contract build my_token\n')
    .action((folder: string, options: { names: boolean }) => build(folder, options, context));
}

/** What stands for the new contract's name in the template. */
const TEMPLATE_NAME = 'template';

async function scaffold(name: string, { console, workingDirectory }: CommandContext): Promise<void> {
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(name)) {
    throw new CliError(
      'usage',
      `expected a name of lowercase letters, digits and _ that begins with a letter, got ${JSON.stringify(name)}`,
    );
  }
  const folder = join(workingDirectory, name);
  if (existsSync(folder)) throw new CliError('failure', `${name}: there is something of that name already`);
  await cp(join(packageRoot(), 'contracts', TEMPLATE_NAME), folder, { recursive: true });
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    if (/\.(ts|mjs|json|idl|md)$/.test(entry.name)) {
      await writeFile(path, renamed(await readFile(path, 'utf8'), name));
    }
    if (entry.name.includes(TEMPLATE_NAME)) {
      await rename(path, join(entry.parentPath, entry.name.replaceAll(TEMPLATE_NAME, name)));
    }
  }
  console.out(
    [
      `made ${name}/`,
      '',
      `  cd ${name}`,
      '  heddle contract build      generates what the interface says and compiles the contract',
      '  npm test                   runs its test',
      '',
    ].join('\n'),
  );
}

/** A text of the template with the new name in each way of writing it. */
function renamed(text: string, name: string): string {
  const pascal = name.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return text.replaceAll(/\bTemplate/g, pascal).replaceAll(/\btemplate/g, name);
}

async function build(
  folder: string,
  { names }: { readonly names: boolean },
  { console, workingDirectory }: CommandContext,
): Promise<void> {
  const project = await readContractProject(resolve(workingDirectory, folder));
  const generated = join(project.folder, GENERATED_FOLDER);
  const code = await buildContract(project, { sdk: sdkFolder(), names });
  await mkdir(generated, { recursive: true });
  for (const { name, text } of generateContractFiles(project)) await writeFile(join(generated, name), text);
  const wasm = join(project.folder, `${project.name}.wasm`);
  await writeFile(wasm, code);
  console.out(`${relative(workingDirectory, wasm)}, ${code.length} bytes\n`);
}
