import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../package-root.js';

const COMPILER_OPTIONS = {
  target: 'es2023',
  module: 'nodenext',
  rootDir: '.',
  outDir: 'out',
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  types: ['node'],
  skipLibCheck: true,
};

export interface TypeMistake {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

/** A user's TypeScript project, beside the installed package. */
export class UserProject {
  readonly directory: string = mkdtempSync(join(tmpdir(), 'heddle-user-'));

  constructor() {
    const root = packageRoot(import.meta.url);
    mkdirSync(join(this.directory, 'node_modules'));
    symlinkSync(root, join(this.directory, 'node_modules', 'heddle'));
    symlinkSync(join(root, 'node_modules', '@types'), join(this.directory, 'node_modules', '@types'));
    this.write('package.json', '{ "type": "module" }');
    this.write('tsconfig.json', JSON.stringify({ compilerOptions: COMPILER_OPTIONS }));
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.directory, name), text);
  }

  /** Compiles everything. @returns the errors */
  compile(): readonly TypeMistake[] {
    const compiler = join(packageRoot(import.meta.url), 'node_modules', 'typescript', 'bin', 'tsc');
    const args = [compiler, '-p', this.directory, '--pretty', 'false'];
    const { stdout, status } = spawnSync(process.execPath, args, {
      cwd: this.directory,
      encoding: 'utf8',
      timeout: 120_000,
    });
    const found = [...stdout.matchAll(/^(\S+?)\((\d+),\d+\): error TS\d+: (.*)$/gm)];
    if (found.length === 0 && status !== 0) throw new Error(`the compiler failed: ${stdout}`);
    return found.map(([, file = '', line, message = '']) => ({ file, line: Number(line), message }));
  }

  /** Loads a compiled module, by the name of its source. */
  load(name: string): Promise<Record<string, unknown>> {
    return import(pathToFileURL(join(this.directory, 'out', name.replace(/\.ts$/, '.js'))).href);
  }

  remove(): void {
    rmSync(this.directory, { recursive: true });
  }
}
