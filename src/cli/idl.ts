import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, relative } from 'node:path';
import { Option } from 'commander';
import { packageRoot, packageVersion } from '../config/package-info.js';
import { compileIdl } from '../idl/compiler/compile.js';
import { ContractCountError, IdlError, type IdlSource } from '../idl/compiler/diagnostics.js';
import type { GeneratedFile } from '../idl/compiler/project-files.js';
import { CLIENT_PACKAGES, type ClientPackage } from '../idl/generators/contract-client.js';
import { generateDocs } from '../idl/generators/docs.js';
import type { Manifest } from '../idl/manifest.js';
import { localRpcUrl } from '../rpc/local-url.js';
import type { CliCommand } from './cli-command.js';

/** Output streams of a command. */
export interface IdlCommandOutput {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

const GENERATE_EXAMPLES = `
Examples:
  $ heddle idl generate --out src/generated shop.idl
      types, codecs and clients of all that is declared
  $ heddle idl generate --contract token.idl --out src
      src/token-contract.ts, with which a misspelt method or a number for a u64 does not compile:

      import { connect, devAccount } from 'heddle/client';
      import { tokenContract } from './token-contract.js';

      const client = connect('http://127.0.0.1:9545');
      const token = tokenContract(client, '0x…', { sender: client.sender(devAccount(0)) });
      const { receipt } = await token.call('transfer', { to: devAccount(1).address, amount: 250n });
      for (const event of await token.events(receipt)) {
        if (event.name === 'Transfer') console.log(event.args.amount);
      }`;

/** Adds `heddle idl check`, `heddle idl generate`, `heddle idl docs` and `heddle idl openrpc`. */
export function registerIdlCommands(
  program: CliCommand,
  { console }: { readonly console: IdlCommandOutput },
): void {
  const output: IdlCommandOutput = {
    out: (text) => console.out(`${text}\n`),
    err: (text) => console.err(`${text}\n`),
  };
  const idl = program.command('idl');

  idl
    .command('check')
    .description('report all errors in interface definitions')
    .argument('<file...>', 'files compiled together: each may use the types of the others')
    .json('print JSON: the numbers of declarations, or the errors with their places')
    .examples('heddle idl check token.idl')
    .action(async (files: string[], options: JsonFlag) => {
      process.exitCode = await checkIdl(files, output, options);
    });

  idl
    .command('generate')
    .description(
      "generate TypeScript: this project's own src/generated, or types and codecs for your own files",
    )
    .argument('[FILE...]', 'your own files, compiled together; needs --out or --contract')
    .option('--contract', "write the typed client of the files' one contract", false)
    .addOption(
      new Option('--client <PACKAGE>', 'with --contract: the package that has the client')
        .choices(CLIENT_PACKAGES)
        .default('heddle/client'),
    )
    .option('--out <DIR>', 'output directory for your own files (with --contract: default .)')
    .option('--check', 'write nothing; fail if a generated file is stale', false)
    .json('print JSON: the files that were written, or with --check are current and stale')
    .addHelpText('after', GENERATE_EXAMPLES)
    .action(async (files: string[], options: GenerateOptions) => {
      process.exitCode = await generateIdl(files, options, output);
    });

  idl
    .command('docs')
    .description('write a reference page in Markdown from the doc comments')
    .argument('[FILE...]', "files, compiled together (default: the node's own interface)")
    .option('--out <FILE>', 'output file (default: standard output)')
    .examples('heddle idl docs --out api.md')
    .action(async (files: string[], options: { out?: string }) => {
      process.exitCode = await documentIdl(files, options, output);
    });

  idl
    .command('openrpc')
    .description(
      "write the OpenRPC document of the node's interface, for API explorers and client generators",
    )
    .option('--url <URL>', 'URL of the RPC path', localRpcUrl(9_545, ''))
    .option('--out <FILE>', 'output file (default: standard output)')
    .examples('heddle idl openrpc --url https://node.example.com/v2/rpc --out openrpc.json')
    .action(async (options: { url: string; out?: string }) => {
      process.exitCode = await describeIdl(options, output);
    });
}

/** @returns the exit code: 1 if the files have errors */
export async function checkIdl(
  files: readonly string[],
  output: IdlCommandOutput,
  { json = false }: JsonFlag = {},
): Promise<number> {
  return reportingErrors(output, async () => {
    const { manifest } = json ? await checkedAsJson(files, output) : compileIdl(await readSources(files));
    if (manifest === undefined) return 1;
    if (json) {
      const { interfaces, contracts, structs, enums } = manifest;
      const counts = {
        interfaces: interfaces.length,
        contracts: contracts.length,
        structs: structs.length,
        enums: enums.length,
      };
      output.out(JSON.stringify({ errors: [], ...counts }));
      return 0;
    }
    const counts = [
      count(manifest.interfaces.length, 'interface'),
      count(manifest.contracts.length, 'contract'),
      count(manifest.structs.length, 'struct'),
      count(manifest.enums.length, 'enum'),
    ];
    output.out(`no errors: ${counts.join(', ')}`);
    return 0;
  });
}

/** Compiles files; prints their errors as JSON. */
async function checkedAsJson(
  files: readonly string[],
  output: IdlCommandOutput,
): Promise<{ readonly manifest?: Manifest }> {
  try {
    return compileIdl(await readSources(files));
  } catch (error) {
    if (!(error instanceof IdlError)) throw error;
    const errors = error.diagnostics.map(({ source, line, column, message }) => ({
      file: source,
      line,
      column,
      message,
    }));
    output.out(JSON.stringify({ errors }));
    return {};
  }
}

interface JsonFlag {
  readonly json?: boolean;
}

export interface GenerateOptions extends JsonFlag {
  /** Default: this project's own files. */
  readonly out?: string;
  /** Write the typed client of a contract. */
  readonly contract?: boolean;
  /** Package of the client that a contract's typed client imports. */
  readonly client?: ClientPackage;
  readonly check: boolean;
}

/** @returns the exit code: 1 if the files have errors or, with `check`, if generated files are stale; 2 for wrong usage */
export async function generateIdl(
  files: readonly string[],
  options: GenerateOptions,
  output: IdlCommandOutput,
): Promise<number> {
  return reportingErrors(output, async () => {
    if (options.contract === true) {
      if (files.length === 0) {
        output.err('heddle: expected the interface definition of the contract, such as token.idl');
        return 2;
      }
      const { generateContractFile } = await generators();
      const file = generateContractFile(await readSources(files), options.client);
      const folder = options.out ?? '.';
      return options.check
        ? compare(folder, [file], output, options)
        : write(folder, [file], output, options);
    }
    if (files.length > 0 && options.out === undefined) {
      output.err('heddle: expected --out DIR: where to write what is generated from your files');
      return 2;
    }
    if (files.length === 0 && options.out !== undefined) {
      output.err('heddle: expected the interface definitions to generate from');
      return 2;
    }
    const directory = options.out ?? join(packageRoot(), 'src', 'generated');
    if (options.out === undefined && !existsSync(directory)) {
      output.err(
        `heddle: there is no ${directory}: an installed package holds no sources; give your own FILE and --out DIR`,
      );
      return 1;
    }
    const generated = await generate(files);
    return options.check
      ? compare(directory, generated, output, options)
      : write(directory, generated, output, options);
  });
}

/** @returns the exit code: 1 if the files have errors */
export async function documentIdl(
  files: readonly string[],
  options: { readonly out?: string },
  output: IdlCommandOutput,
): Promise<number> {
  return reportingErrors(output, async () => {
    const own = files.length === 0;
    const { manifest } = compileIdl(await readSources(own ? apiFiles() : files));
    const title = own ? 'The Heddle node API' : files.map((file) => basename(file)).join(', ');
    await writeDocument(generateDocs(manifest, title), options.out, output);
    return 0;
  });
}

/** @returns the exit code: 2 for wrong usage */
export async function describeIdl(
  { url, out }: { readonly url: string; readonly out?: string },
  output: IdlCommandOutput,
): Promise<number> {
  return reportingErrors(output, async () => {
    if (!URL.canParse(url)) {
      output.err(
        `heddle: --url: expected a URL such as https://node.example.com/v2/rpc, got ${JSON.stringify(url)}`,
      );
      return 2;
    }
    const [{ nodeRpcV1Manifest: manifest }, { openRpcDocument }] = await Promise.all([
      import('../generated/node-rpc-v1.js'),
      import('../rpc/openrpc.js'),
    ]);
    const document = openRpcDocument({ manifest, version: packageVersion(), url });
    await writeDocument(`${JSON.stringify(document, null, 2)}\n`, out, output);
    return 0;
  });
}

/** Writes a text to a file, or prints it. */
async function writeDocument(
  text: string,
  file: string | undefined,
  output: IdlCommandOutput,
): Promise<void> {
  if (file === undefined) {
    output.out(text.trimEnd());
    return;
  }
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  output.out(`wrote ${file}`);
}

/** Loaded on demand: the help of all commands loads this file. */
const generators = () => import('../idl/compiler/project-files.js');

async function generate(files: readonly string[]): Promise<readonly GeneratedFile[]> {
  const { generateProjectFiles, generateUserFiles } = await generators();
  if (files.length === 0) {
    const [ledger, nodeRpc, mesh, dev] = await readSources([...apiFiles(), meshFile(), devFile()]);
    if (ledger === undefined || nodeRpc === undefined || mesh === undefined || dev === undefined)
      throw new Error('the interface definitions are missing');
    return generateProjectFiles(ledger.text, nodeRpc.text, mesh.text, dev.text);
  }
  const last = files.at(-1) ?? '';
  return generateUserFiles(await readSources(files), basename(last, extname(last)));
}

async function write(
  directory: string,
  files: readonly GeneratedFile[],
  output: IdlCommandOutput,
  { json = false }: JsonFlag,
): Promise<number> {
  await mkdir(directory, { recursive: true });
  for (const { name, text } of files) {
    const path = join(directory, name);
    await writeFile(path, text);
    if (!json) output.out(`wrote ${shown(path)}`);
  }
  if (json) output.out(JSON.stringify({ written: files.map(({ name }) => shown(join(directory, name))) }));
  return 0;
}

async function compare(
  directory: string,
  files: readonly GeneratedFile[],
  output: IdlCommandOutput,
  { json = false }: JsonFlag,
): Promise<number> {
  const current: string[] = [];
  const stale: string[] = [];
  for (const { name, text } of files) {
    const path = join(directory, name);
    const present = existsSync(path) ? await readFile(path, 'utf8') : undefined;
    (present === text ? current : stale).push(shown(path));
    if (present === text || json) continue;
    const state = present === undefined ? 'is missing' : 'is out of date';
    output.err(`${shown(path)} ${state}; run the same command without --check`);
  }
  if (json) output.out(JSON.stringify({ current, stale }));
  else if (stale.length === 0) output.out(`${count(files.length, 'generated file')} up to date`);
  return stale.length === 0 ? 0 : 1;
}

/** Runs a command; prints errors that the user can fix and turns them into exit code 1. */
async function reportingErrors(output: IdlCommandOutput, command: () => Promise<number>): Promise<number> {
  try {
    return await command();
  } catch (error) {
    if (error instanceof IdlError) {
      output.err(`${error.message}\n\n${count(error.diagnostics.length, 'error')}`);
      return 1;
    }
    if (error instanceof ContractCountError || (error instanceof Error && 'syscall' in error)) {
      output.err(`heddle: ${error.message}`);
      return 1;
    }
    throw error;
  }
}

async function readSources(files: readonly string[]): Promise<readonly IdlSource[]> {
  return Promise.all(
    files.map(async (file) => ({
      name: file,
      text: await readFile(file, 'utf8'),
      ...((file === apiFiles()[0] || file === meshFile()) && { binary: true }),
    })),
  );
}

/** The API's own definitions, in dependency order. */
function apiFiles(): readonly [ledger: string, nodeRpc: string] {
  const directory = join(packageRoot(), 'idl');
  return [join(directory, 'ledger.idl'), join(directory, 'node_rpc_v1.idl')];
}

/** Definitions of the messages between validators. */
function meshFile(): string {
  return join(packageRoot(), 'idl', 'mesh.idl');
}

/** Definitions of the development controls. */
function devFile(): string {
  return join(packageRoot(), 'idl', 'dev_v1.idl');
}

/** A path relative to the working directory, as a user would type it. */
function shown(path: string): string {
  const near = relative(process.cwd(), path);
  return near.startsWith('..') ? path : near;
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
