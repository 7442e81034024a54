import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { UwsBinding } from './uws-binding.js';

const PACKAGE = 'uWebSockets.js';

export type LoadedUws = { readonly binding: UwsBinding } | { readonly reason: string };

/**
 * Loads the native binary of uWebSockets.js for this Node version and machine. It is loaded directly, bypassing the
 * package's entry file, which prints a warning and falls back to a slow emulation if it finds no binary.
 */
export function loadUws(): LoadedUws {
  const require = createRequire(import.meta.url);
  let entry: string;
  try {
    entry = require.resolve(PACKAGE);
  } catch (error) {
    return { reason: `${PACKAGE} is not installed (${errorCode(error)})` };
  }
  const { platform, arch, version } = process;
  const path = binaryOf(entry);
  if (path === undefined) {
    return { reason: `the installed ${PACKAGE} has no binary for Node ${version} on ${platform} ${arch}` };
  }
  try {
    return { binding: require(path) as UwsBinding };
  } catch (error) {
    const [firstLine = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return { reason: `the binary of ${PACKAGE} failed to load: ${firstLine}` };
  }
}

/** The binary for this Node version and machine: in a separate package or, in older versions, in the library's own. */
function binaryOf(entry: string): string | undefined {
  const { platform, arch, versions } = process;
  const [major] = versions.node.split('.');
  const candidates = [
    join(dirname(entry), '..', 'binaries', `uws_${platform}_${arch}_${versions.modules}.node`),
  ];
  try {
    const index = createRequire(entry).resolve(`@uwsjs/${platform}-${arch}-${major}`);
    candidates.unshift(join(dirname(index), 'uws.node'));
  } catch (error) {
    if (errorCode(error) !== 'MODULE_NOT_FOUND') throw error;
  }
  return candidates.find((candidate) => existsSync(candidate));
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
