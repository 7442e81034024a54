import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorMessage, hasCode } from '../base/errors.js';
import { packageRoot } from '../config/package-info.js';
import { LIMITS } from '../vm/wasm/engine-limits.js';
import { validateModule } from '../vm/wasm/validate.js';
import { BinaryReader } from '../wasm/binary-reader.js';
import { moduleOf, SECTION, sectionsOf } from '../wasm/sections.js';
import { checkSource } from './check-source.js';
import { ContractError } from './contract-error.js';
import { type ContractProject, GENERATED_FOLDER, generateContractFiles } from './contract-project.js';
import { mergeDataSegments } from './merge-data.js';
import { moveSourceMap } from './source-lines.js';
import type { Program } from './source-tree.js';

const ENTRY = `${GENERATED_FOLDER}/entry.ts`;
const ENTRY_POINTS = ['invoke', 'init', 'migrate'];
const START = 'heddle_start';
const SOURCE_MAPPING_URL = 'sourceMappingURL';
const OPTIMIZED = ['-O3', '--shrinkLevel', '1'];

/** The part of the compiler's interface used here. */
interface Compiler {
  main(
    args: readonly string[],
    environment: {
      readonly stdout: { write(text: string | Uint8Array): void };
      readonly stderr: { write(text: string | Uint8Array): void };
      readFile(path: string, baseDirectory: string): Promise<string | null>;
      writeFile(path: string, contents: string | Uint8Array, baseDirectory: string): void;
      listFiles(path: string, baseDirectory: string): readonly string[];
      readonly transforms: readonly {
        afterInitialize(program: Program): void;
        afterCompile(module: CompiledModule): void;
      }[];
    },
  ): Promise<{ readonly error: Error | null }>;
}

/** The part of binaryen's interface used here. */
interface CompiledModule {
  getExport(name: string): number;
  removeExport(name: string): void;
  addFunctionExport(internal: string, external: string): unknown;
  addFunction(name: string, params: number, results: number, locals: number[], body: number): unknown;
  block(label: string | null, children: number[], type: number): number;
  call(name: string, operands: number[], type: number): number;
}

interface Binaryen {
  readonly none: number;
  readonly i32: number;
  getExportInfo(reference: number): { readonly value: string };
}

/** How a contract is compiled. */
export interface BuildOptions {
  /** Folder of the SDK's modules, see {@link sdkFolder}. */
  readonly sdk: string;
  /** Keeps function names for traces and gas profiles. They make the module larger. */
  readonly names: boolean;
}

/** A compiled contract, and its source map. */
export interface CompiledContract {
  /** The WebAssembly module. */
  readonly code: Uint8Array;
  /** From offsets in the code to lines: version 3, JSON. Paths are relative to the project's folder. */
  readonly sourceMap: string;
}

/** Compiles a contract to its module; like {@link compileContract}, without the source map. */
export async function buildContract(project: ContractProject, options: BuildOptions): Promise<Uint8Array> {
  return (await compileContract(project, options)).code;
}

/**
 * Compiles a contract without optimization, so that every line keeps its own code. Larger and slower than what is
 * deployed, with other gas; the limits of the engine are not checked.
 * @throws ContractError
 */
export async function compileForDebugging(project: ContractProject, sdk: string): Promise<CompiledContract> {
  return runCompiler(project, { sdk, names: true }, []);
}

/**
 * Compiles a contract against its current IDL, ignoring files in its folder `generated`. Deterministic: the location of
 * the sources does not matter.
 * @throws ContractError
 * @throws ModuleRefused if the engine does not accept the result, for example because of floating point
 */
export async function compileContract(
  project: ContractProject,
  options: BuildOptions,
): Promise<CompiledContract> {
  const compiled = await runCompiler(project, options, OPTIMIZED);
  const code = mergeDataSegments(compiled.code);
  validateModule(code, LIMITS, 'contract');
  const shift = codeSectionOffset(code) - codeSectionOffset(compiled.code);
  return { code, sourceMap: moveSourceMap(compiled.sourceMap, shift) };
}

async function runCompiler(
  project: ContractProject,
  options: BuildOptions,
  optimization: readonly string[],
): Promise<CompiledContract> {
  const { compiler, binaryen } = await loadCompiler(project.folder);
  const generated = new Map(
    generateContractFiles(project).map(({ name, text }) => [
      join(resolve(project.folder), GENERATED_FOLDER, name),
      text,
    ]),
  );
  const report: string[] = [];
  const written: Uint8Array[] = [];
  let sourceMap: string | undefined;
  const sink = {
    write: (text: string | Uint8Array): void => {
      report.push(typeof text === 'string' ? text : Buffer.from(text).toString('utf8'));
    },
  };
  const { error } = await compiler.main([...compilerArguments(project, options), ...optimization], {
    stdout: sink,
    stderr: sink,
    readFile: async (path, base) => generated.get(resolve(base, path)) ?? readSource(path, base, options.sdk),
    writeFile: (path, contents) => {
      if (typeof contents !== 'string') written.push(contents);
      else if (path.endsWith('.map')) sourceMap = contents;
    },
    listFiles: () => [],
    transforms: [
      {
        afterInitialize: (program) => checkSource(program, project),
        afterCompile: (module) => runStartInEntryPoints(module, binaryen),
      },
    ],
  });
  const [compiled] = written;
  if (error !== null || compiled === undefined || sourceMap === undefined) {
    throw new ContractError('compile_failed', report.join('').trim() || String(error));
  }
  return { code: withoutSourceMappingUrl(compiled), sourceMap };
}

/** Offset of the contents of the code section; 0 if there is none. */
function codeSectionOffset(code: Uint8Array): number {
  return sectionsOf(code).find(({ id }) => id === SECTION.code)?.offset ?? 0;
}

/** Removes the section with the name of the source map: contracts cannot have one. */
function withoutSourceMappingUrl(code: Uint8Array): Uint8Array {
  return moduleOf(
    sectionsOf(code).filter(
      ({ id, contents }) =>
        id !== SECTION.custom || new BinaryReader(contents).name(contents.length) !== SOURCE_MAPPING_URL,
    ),
  );
}

function compilerArguments(project: ContractProject, options: BuildOptions): readonly string[] {
  return [
    ENTRY,
    '--baseDir',
    resolve(project.folder),
    '--outFile',
    `${project.name}.wasm`,
    // The `stub` runtime never frees memory: instances are reset after every call.
    '--runtime',
    'stub',
    '--exportStart',
    START,
    '--use',
    'abort=~lib/heddle/revert/abort',
    '--initialMemory',
    '1',
    '--disable',
    'nontrapping-f2i',
    '--noColors',
    '--sourceMap',
    ...(options.names ? ['--debug'] : []),
  ];
}

/** Contracts import the SDK as the package `heddle`, regardless of its location. */
async function readSource(path: string, base: string, sdk: string): Promise<string | null> {
  const ours = /(?:^|\/)node_modules\/heddle\/(.+)$/.exec(path.replaceAll('\\', '/'))?.[1];
  try {
    return await readFile(ours === undefined ? resolve(base, path) : join(sdk, ours), 'utf8');
  } catch (error) {
    // The compiler probes several paths for a module.
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return null;
    throw error;
  }
}

/**
 * Calls the start function at the beginning of each entry point. Contracts cannot have a start function, but the
 * compiler emits one for globals with computed values.
 */
function runStartInEntryPoints(module: CompiledModule, binaryen: Binaryen): void {
  const start = exported(module, binaryen, START);
  if (start === undefined) return;
  module.removeExport(START);
  for (const name of ENTRY_POINTS) {
    const inner = exported(module, binaryen, name);
    if (inner === undefined) continue;
    const wrapper = `${name}~entry`;
    const body = [module.call(start, [], binaryen.none), module.call(inner, [], binaryen.i32)];
    module.addFunction(wrapper, binaryen.none, binaryen.i32, [], module.block(null, body, binaryen.i32));
    module.removeExport(name);
    module.addFunctionExport(wrapper, name);
  }
}

function exported(module: CompiledModule, binaryen: Binaryen, name: string): string | undefined {
  const reference = module.getExport(name);
  return reference === 0 ? undefined : binaryen.getExportInfo(reference).value;
}

async function loadCompiler(folder: string): Promise<{ compiler: Compiler; binaryen: Binaryen }> {
  try {
    const compiler: unknown = await importBeside('asc', () => import('assemblyscript/asc'), folder);
    const binaryen: unknown = await importBeside('binaryen', () => import('assemblyscript/binaryen'), folder);
    return { compiler: compiler as Compiler, binaryen: (binaryen as { readonly default: Binaryen }).default };
  } catch (error) {
    const failed = `the contract compiler AssemblyScript cannot be loaded: ${errorMessage(error)}`;
    throw new ContractError('no_compiler', `${failed}; run: npm install --save-dev assemblyscript`);
  }
}

const COMPILER_FILES = { asc: 'dist/asc.js', binaryen: 'lib/binaryen.js' } as const;

/** Loads a module of the compiler from this package or, if a project links to this package, from the project. */
async function importBeside(
  name: keyof typeof COMPILER_FILES,
  own: () => Promise<unknown>,
  folder: string,
): Promise<unknown> {
  try {
    return await own();
  } catch (error) {
    const { resolve: find } = createRequire(join(resolve(folder), 'package.json'));
    const places = find.paths('assemblyscript') ?? [];
    const place = places.map((path) => join(path, 'assemblyscript')).find((path) => existsSync(path));
    if (place === undefined) throw error;
    return import(pathToFileURL(join(place, COMPILER_FILES[name])).href);
  }
}

/** Folder of the SDK in this package. */
export function sdkFolder(): string {
  return join(packageRoot(), 'contracts', 'sdk');
}
