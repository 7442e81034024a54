import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { hasCode } from '../../base/errors.js';
import { packageName, packageRoot } from '../../config/package-info.js';
import { type CompiledContract, compileContract, sdkFolder } from '../../contract-sdk/build-contract.js';
import {
  type ContractProject,
  GENERATED_FOLDER,
  generateContractFiles,
  readContractProject,
} from '../../contract-sdk/contract-project.js';
import { printAnswer } from '../answer.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { CliError, UsageError } from '../cli-error.js';

export function registerContractProjectCommands(contract: CliCommand, context: CommandContext): void {
  contract
    .command('new')
    .description('create a folder with a starter contract and its test')
    .argument('<NAME>', 'name of the contract and of its folder, such as my_token')
    .examples('heddle contract new my_token')
    .action((name: string) => scaffold(name, context));

  contract
    .command('build')
    .description("generate what a contract's interface says, and compile the contract, with a source map")
    .argument('[FOLDER]', 'the folder with its contract.json', '.')
    .option('--no-names', 'leave out the names of functions: smaller, but traces cannot tell functions apart')
    .json()
    .examples('heddle contract build my_token')
    .action((folder: string, options: BuildFlags) => build(folder, options, context));
}

async function scaffold(name: string, { console, workingDirectory }: CommandContext): Promise<void> {
  if (!/^[a-z][a-z0-9_-]{0,39}$/.test(name)) {
    throw new UsageError(
      `expected a name of lowercase letters, digits, - and _ that begins with a letter, got ${JSON.stringify(name)}`,
    );
  }
  const folder = join(workingDirectory, name);
  if (existsSync(folder)) throw new CliError(`${name}: a file or folder of that name exists already`);
  const template = await readContractProject(join(packageRoot(), 'contracts', 'template'));
  const rename = renaming(template, name);
  for (const entry of await readdir(template.folder, { recursive: true, withFileTypes: true })) {
    const from = join(entry.parentPath, entry.name);
    const inside = relative(template.folder, from);
    // Generated and compiled files still carry the template's name.
    if (!entry.isFile() || inside.startsWith(GENERATED_FOLDER) || /\.wasm(?:\.map)?$/.test(inside)) continue;
    // npm leaves a file named .gitignore out of the package.
    const to = join(folder, inside === 'gitignore' ? '.gitignore' : rename(inside));
    await mkdir(dirname(to), { recursive: true });
    const text = withImports(rename(await readFile(from, 'utf8')));
    await writeFile(to, inside === 'package.json' ? withThisPackage(text, folder) : text);
  }
  console.out(
    [
      `made ${name}/`,
      '',
      `  cd ${name} && npm install`,
      '  npm test                   builds it, and tests what was built',
      `  heddle contract deploy ${name}.wasm --idl ${name}.idl --from-dev 0 owner=dev:0 start=1`,
      '  heddle dev script scripts/deploy.mjs   a dry run of a deployment by a program',
      '',
    ].join('\n'),
  );
}

/** Text of the template with imports and commands of this program's own package, which may be `heddle` or `heddle-contracts`. */
function withImports(text: string): string {
  const name = packageName();
  if (name === 'heddle') return text;
  return text
    .replaceAll("'heddle/contracts'", `'${name}'`)
    .replaceAll(/\bheddle contract (?=build\b|test\b)/g, `${name} `)
    .replaceAll('node_modules/heddle/', `node_modules/${name}/`);
}

/** The project's package.json, with a dependency on this program's own package. */
function withThisPackage(text: string, folder: string): string {
  const project: { devDependencies: Record<string, string>; allowScripts?: Record<string, boolean> } =
    JSON.parse(text);
  delete project.devDependencies['heddle'];
  const dependency = ownDependency(packageName(), packageRoot(), folder);
  project.devDependencies[packageName()] = dependency;
  // The package is built; npm would ask whether it may build it.
  if (dependency.startsWith('file:')) project.allowScripts = { [dependency]: false };
  return `${JSON.stringify(project, null, 2)}\n`;
}

/** Replaces the template's name with the new one, in both spellings. */
function renaming(template: ContractProject, name: string): (text: string) => string {
  const title = name.replaceAll(/(?:^|[_-]+)([a-z0-9]?)/g, (_, letter: string) => letter.toUpperCase());
  const old = new RegExp(`\\b(?:${template.name}|${template.contract.name})`, 'g');
  return (text) => text.replaceAll(old, (found) => (found === template.name ? name : title));
}

interface BuildFlags {
  readonly names: boolean;
  readonly json?: boolean;
}

async function build(
  folder: string,
  { names, json = false }: BuildFlags,
  context: CommandContext,
): Promise<void> {
  const { workingDirectory } = context;
  const project = await readContractProject(resolve(workingDirectory, folder));
  // Before the compilation: editors need the imports also while the contract does not compile.
  await writeGenerated(project);
  const compiled = await compileContract(project, { sdk: sdkFolder(), names });
  const file = relative(workingDirectory, await writeBuild(project, compiled));
  const bytes = compiled.code.length;
  printAnswer(context, { json }, { file, bytes }, `${file}, ${bytes} bytes\n`);
}

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

const FILE = 'file:';

/**
 * How a new project depends on this program's package, which no registry has: as the project that it is installed in does,
 * or on its folder. Paths are relative to the new project, so that both can move together.
 * @param name of the package
 * @param root of the package
 * @param folder of the new project
 */
export function ownDependency(name: string, root: string, folder: string): string {
  const modules = dirname(root);
  const user = /[\\/]node_modules$/.test(modules) ? dirname(modules) : undefined;
  const spec = user === undefined ? undefined : specIn(user, name);
  if (user === undefined || spec === undefined) return fileSpec(folder, root);
  return spec.startsWith(FILE) ? fileSpec(folder, resolve(user, spec.slice(FILE.length))) : spec;
}

function fileSpec(folder: string, target: string): string {
  return `${FILE}${relative(folder, target).replaceAll('\\', '/')}`;
}

/** The dependency in a project's package.json; undefined if there is none. */
function specIn(project: string, name: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(join(project, 'package.json'), 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  const { dependencies, devDependencies } = JSON.parse(text) as {
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly devDependencies?: Readonly<Record<string, string>>;
  };
  return devDependencies?.[name] ?? dependencies?.[name];
}
