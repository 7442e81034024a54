import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { UwsBinding } from './uws-binding.js';

const PACKAGE = 'uWebSockets.js';

export type LoadedUws = { readonly binding: UwsBinding } | { readonly reason: string };

/**
 * Loads the compiled part of uWebSockets.js for this Node and machine. The binary is loaded by itself, past the package's
 * own entry file, which prints a warning and serves with a slow imitation where it finds none.
 */
export function loadUws(): LoadedUws {
  const require = createRequire(import.meta.url);
  let entry: string;
  try {
    entry = require.resolve(PACKAGE);
  } catch (error) {
    return { reason: `${PACKAGE} is not installed (${errorCode(error)})` };
  }
  const file = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`;
  const candidates = [join(dirname(entry), file), join(dirname(entry), '..', 'binaries', file)];
  const path = candidates.find((candidate) => existsSync(candidate));
  if (path === undefined) {
    const { platform, arch, version } = process;
    return { reason: `the installed ${PACKAGE} has no binary for Node ${version} on ${platform} ${arch}` };
  }
  try {
    return { binding: require(path) as UwsBinding };
  } catch (error) {
    const [firstLine = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return { reason: `the binary of ${PACKAGE} does not load: ${firstLine}` };
  }
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
