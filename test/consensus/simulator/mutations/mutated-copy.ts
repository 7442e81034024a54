import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import type { Mutation } from './mutation.js';

/** Paths of a package: its sources in `src`, and its compiled modules. */
export interface PackagePaths {
  readonly root: string;
  /** Directory with the compiled `src`. */
  readonly compiled: string;
}

/**
 * Makes a copy of the compiled program with one mutated module, in a temporary directory.
 * @throws RangeError if the mutated text does not occur exactly once
 */
export function mutatedCopy({ root, compiled }: PackagePaths, mutation: Mutation): string {
  const module = transformSync(mutatedSource(root, mutation), {
    loader: 'ts',
    format: 'esm',
    target: 'es2023',
  }).code;
  const copy = mkdtempSync(join(tmpdir(), 'heddle-mutation-'));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  writeFileSync(join(copy, 'package.json'), '{"type":"module"}');
  for (const directory of ['src', 'native-free'])
    linkModules(join(compiled, directory), join(copy, directory));
  const path = join(copy, 'src/consensus', mutation.file.replace(/\.ts$/, '.js'));
  rmSync(path);
  writeFileSync(path, module);
  return copy;
}

/** @throws RangeError if the text to replace does not occur exactly once */
export function mutatedSource(root: string, { name, file, find, replace }: Mutation): string {
  const source = readFileSync(join(root, 'src/consensus', file), 'utf8');
  const parts = source.split(find);
  if (parts.length !== 2)
    throw new RangeError(`${file}: the text of "${name}" occurs ${parts.length - 1} times, not once`);
  return parts.join(replace);
}

/** Links all modules of a directory, which costs no space. */
function linkModules(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.isDirectory()) linkModules(join(from, entry.name), join(to, entry.name));
    else if (entry.name.endsWith('.js')) linkSync(join(from, entry.name), join(to, entry.name));
  }
}
