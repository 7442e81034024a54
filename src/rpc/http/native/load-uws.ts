import { createRequire } from 'node:module';
import { errorMessage, hasCode } from '../../../base/errors.js';
import type { UwsBinding } from './uws-binding.js';

/** Releases of uWebSockets.js, newest first: 20.69 has binaries for Node 22, 24 and 26, 20.51 for Node 20 and 22. */
const PACKAGES = ['uWebSockets.js', 'uWebSockets.js-20.51'];

export type LoadedUws = { readonly binding: UwsBinding } | { readonly reason: string };

/**
 * Loads the newest release of uWebSockets.js that has a binary for this Node and platform. The binary is in a
 * separate package, which is loaded directly because the main package falls back to a slow imitation when it is
 * missing.
 */
export function loadUws(): LoadedUws {
  const { platform, arch, versions } = process;
  const [major] = versions.node.split('.');
  const require = createRequire(import.meta.url);
  let failure: string | undefined;
  for (const name of PACKAGES) {
    try {
      const requireFromRelease = createRequire(require.resolve(name));
      return { binding: requireFromRelease(`@uwsjs/${platform}-${arch}-${major}`) as UwsBinding };
    } catch (error) {
      if (hasCode(error, 'MODULE_NOT_FOUND')) continue;
      const [firstLine = ''] = errorMessage(error).split('\n');
      failure ??= `the binary of ${name} does not load: ${firstLine}`;
    }
  }
  return {
    reason:
      failure ??
      `no binary of uWebSockets.js for Node ${major} on ${platform} ${arch} is installed; ` +
        'npm install fetches the one for the Node that runs it, among Node 20, 22, 24 and 26',
  };
}
