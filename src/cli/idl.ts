import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, relative } from 'node:path';
import { errorMessage } from '../base/errors.js';
import { counted } from '../base/number-text.js';
import { packageRoot, packageVersion } from '../config/package-info.js';
import { compileIdl } from '../idl/compiler/compile.js';
import { IdlError, type IdlSource } from '../idl/compiler/diagnostics.js';
import type { GeneratedFile } from '../idl/compiler/unit-files.js';
import { CLIENT_PACKAGES, type ClientPackage } from '../idl/generators/contract-client.js';
import { generateDocs } from '../idl/generators/docs.js';
import { localRpcUrl } from '../rpc/local-url.js';
import type { JsonFlag } from './answer.js';
import type { CliCommand, CommandContext } from './cli-command.js';
import { CliError, ReportedFailure, UsageError } from './cli-error.js';
import type { Console } from './console.js';

const GENERATE_EXAMPLES = `Examples:
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

interface GenerateOptions extends JsonFlag {
  /** Default: this project's own files. */
  readonly out?: string;
  /** Write the typed client of a contract. */
  readonly contract: boolean;
  /** Package of the client that a contract's typed client imports. */
  readonly client: ClientPackage;
  readonly check: boolean;
}

export function registerIdlCommands(program: CliCommand, { console }: CommandContext): void {
  const idl = program.command('idl');

  idl
    .command('check')
    .description('report all errors in interface definitions')
    .argument('<file...>', 'files compiled together: each may use the types of the others')
    .json('print JSON: the numbers of declarations, or the errors with their places')
    .examples('heddle idl check token.idl')
    .action((files: string[], options: JsonFlag) =>
      reportingErrors(console, () => check(files, options, console)),
    );

  idl
    .command('generate')
    .description(
      "generate TypeScript: this project's own src/generated, or types and codecs for your own files",
    )
    .argument('[FILE...]', 'your own files, compiled together; needs --out or --contract')
    .option('--contract', "write the typed client of the files' one contract", false)
    .choice(
      '--client <PACKAGE>',
      'with --contract: the package that has the client',
      CLIENT_PACKAGES,
      'heddle/client',
    )
    .option('--out <DIR>', 'output directory for your own files (with --contract: default .)')
    .option('--check', 'write nothing; fail if a generated file is stale', false)
    .json('print JSON: the files that were written, or with --check are current and stale')
    .notes(GENERATE_EXAMPLES)
    .action((files: string[], options: GenerateOptions) =>
      reportingErrors(console, async () => {
        const [folder, generated] = await generate(files, options);
        if (options.check) await compare(folder, generated, options, console);
        else await write(folder, generated, options, console);
      }),
    );

  idl
    .command('docs')
    .description('write a reference page in Markdown from the doc comments')
    .argument('[FILE...]', "files, compiled together (default: the node's own interface)")
    .option('--out <FILE>', 'output file (default: standard output)')
    .examples('heddle idl docs --out api.md')
    .action((files: string[], { out }: { out?: string }) =>
      reportingErrors(console, async () => {
        const own = files.length === 0;
        const { manifest } = compileIdl(await readSources(own ? OWN.slice(0, 2) : files));
        const title = own ? 'The Heddle node API' : files.map((file) => basename(file)).join(', ');
        await writeDocument(generateDocs(manifest, title), out, console);
      }),
    );

  idl
    .command('openrpc')
    .description(
      "write the OpenRPC document of the node's interface, for API explorers and client generators",
    )
    .option('--url <URL>', 'URL of the RPC path', localRpcUrl(9_545, ''))
    .option('--out <FILE>', 'output file (default: standard output)')
    .examples('heddle idl openrpc --url https://node.example.com/v2/rpc --out openrpc.json')
    .action(async ({ url, out }: { url: string; out?: string }) => {
      if (!URL.canParse(url)) {
        throw new UsageError(
          `--url: expected a URL such as https://node.example.com/v2/rpc, got ${JSON.stringify(url)}`,
        );
      }
      const [{ nodeRpcV1Manifest: manifest }, { openRpcDocument }] = await Promise.all([
        import('../generated/node-rpc-v1.js'),
        import('../rpc/openrpc.js'),
      ]);
      const document = openRpcDocument({ manifest, version: packageVersion(), url });
      await writeDocument(`${JSON.stringify(document, null, 2)}\n`, out, console);
    });
}

async function check(files: readonly string[], { json }: JsonFlag, { out }: Console): Promise<void> {
  const sources = await readSources(files);
  try {
    const { manifest } = compileIdl(sources);
    const kinds = ['interfaces', 'contracts', 'structs', 'enums'] as const;
    const numbers = Object.fromEntries(kinds.map((kind) => [kind, manifest[kind].length]));
    const counts = Object.entries(numbers).map(([kind, number]) => counted(number, kind.slice(0, -1)));
    out(`${json ? JSON.stringify({ errors: [], ...numbers }) : `no errors: ${counts.join(', ')}`}\n`);
  } catch (error) {
    if (!json || !(error instanceof IdlError)) throw error;
    const { diagnostics } = error;
    const errors = diagnostics.map(({ source: file, line, column, message }) => ({
      file,
      line,
      column,
      message,
    }));
    out(`${JSON.stringify({ errors })}\n`);
    throw new ReportedFailure();
  }
}

/** The generators are loaded on demand: the help of all commands loads this file. */
async function generate(
  files: readonly string[],
  { contract, client, out }: GenerateOptions,
): Promise<readonly [folder: string, files: readonly GeneratedFile[]]> {
  const { generateContractFile, generateUserFiles } = await import('../idl/compiler/user-files.js');
  if (contract) {
    if (files.length === 0) {
      throw new UsageError('expected the interface definition of the contract, such as token.idl');
    }
    return [out ?? '.', [generateContractFile(await readSources(files), client)]];
  }
  const last = files.at(-1);
  if (last !== undefined) {
    if (out === undefined) {
      throw new UsageError('expected --out DIR, the folder for the generated files');
    }
    return [out, generateUserFiles(await readSources(files), basename(last, extname(last)))];
  }
  if (out !== undefined) throw new UsageError('expected the interface definitions to generate from');
  const folder = join(packageRoot(), 'src', 'generated');
  if (!existsSync(folder)) {
    throw new CliError(
      `there is no ${folder}: an installed package holds no sources; give your own FILE and --out DIR`,
    );
  }
  const [ledger, nodeRpc, mesh, dev] = await readSources(OWN);
  if (ledger === undefined || nodeRpc === undefined || mesh === undefined || dev === undefined)
    throw new Error('the interface definitions are missing');
  const { generateProjectFiles } = await import('../idl/compiler/project-files.js');
  return [folder, generateProjectFiles(ledger.text, nodeRpc.text, mesh.text, dev.text)];
}

async function writeDocument(text: string, file: string | undefined, { out }: Console): Promise<void> {
  if (file === undefined) {
    out(`${text.trimEnd()}\n`);
    return;
  }
  await mkdir(dirname(file), { recursive: true })
    .then(() => writeFile(file, text))
    .catch(explain);
  out(`wrote ${file}\n`);
}

async function write(
  folder: string,
  files: readonly GeneratedFile[],
  { json }: JsonFlag,
  { out }: Console,
): Promise<void> {
  await mkdir(folder, { recursive: true }).catch(explain);
  for (const { name, text } of files) {
    const path = join(folder, name);
    await writeFile(path, text).catch(explain);
    if (!json) out(`wrote ${shown(path)}\n`);
  }
  if (json) out(`${JSON.stringify({ written: files.map(({ name }) => shown(join(folder, name))) })}\n`);
}

async function compare(
  folder: string,
  files: readonly GeneratedFile[],
  { json }: JsonFlag,
  { out, err }: Console,
): Promise<void> {
  const current: string[] = [];
  const stale: string[] = [];
  for (const { name, text } of files) {
    const path = join(folder, name);
    const present = existsSync(path) ? await readFile(path, 'utf8').catch(explain) : undefined;
    (present === text ? current : stale).push(shown(path));
    if (present === text || json) continue;
    const state = present === undefined ? 'is missing' : 'is out of date';
    err(`${shown(path)} ${state}; run the same command without --check\n`);
  }
  if (json) out(`${JSON.stringify({ current, stale })}\n`);
  else if (stale.length === 0) out(`${counted(files.length, 'generated file')} up to date\n`);
  if (stale.length > 0) throw new ReportedFailure();
}

/** Prints mistakes in interface definitions with their places, without a prefix. */
async function reportingErrors({ err }: Console, command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    if (!(error instanceof IdlError)) throw error;
    err(`${error.message}\n\n${counted(error.diagnostics.length, 'error')}\n`);
    throw new ReportedFailure();
  }
}

function explain(error: unknown): never {
  throw new CliError(errorMessage(error), { cause: error });
}

/** The definitions of the API, in dependency order, of the mesh and of the development controls. */
const OWN = ['ledger', 'node_rpc_v1', 'mesh', 'dev_v1'].map((name) =>
  join(packageRoot(), 'idl', `${name}.idl`),
);

function readSources(files: readonly string[]): Promise<readonly IdlSource[]> {
  const [ledger, , mesh] = OWN;
  return Promise.all(
    files.map(async (file) => ({
      name: file,
      text: await readFile(file, 'utf8').catch(explain),
      ...((file === ledger || file === mesh) && { binary: true }),
    })),
  );
}

/** A path relative to the working directory, as a user would type it. */
function shown(path: string): string {
  const near = relative(process.cwd(), path);
  return near.startsWith('..') ? path : near;
}
