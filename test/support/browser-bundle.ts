import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { COMPILED } from './page-server.js';

export interface BundleOptions {
  /** The folder that imports are resolved from. */
  readonly resolveDir: string;
  readonly minify?: boolean;
}

/** A program as an application for browsers would bundle it. @returns its text, and the modules of which it holds a part */
export async function browserBundle(program: string, { resolveDir, minify = false }: BundleOptions) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir },
    bundle: true,
    write: false,
    metafile: true,
    minify,
    format: 'esm',
    platform: 'browser',
    logLevel: 'silent',
    absWorkingDir: COMPILED,
  });
  const [output] = Object.values(metafile.outputs);
  const modules = Object.entries(output?.inputs ?? {})
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => relative(COMPILED, join(COMPILED, path)));
  return { text: outputFiles[0]?.text ?? '', modules };
}
