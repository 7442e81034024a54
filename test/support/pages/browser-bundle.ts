import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { COMPILED } from './page-server.js';

export interface BundleOptions {
  /** The folder that imports are resolved from. */
  readonly resolveDir: string;
  readonly minify?: boolean;
}

/** Bundles a program like a browser application. @returns its text, and the modules that contributed to it */
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

/** The modules that browsers load before any `import()` of the program, if the bundler splits it. */
export async function loadedAtOnce(
  program: string,
  { resolveDir }: Pick<BundleOptions, 'resolveDir'>,
): Promise<readonly string[]> {
  const { metafile } = await build({
    stdin: { contents: program, resolveDir },
    bundle: true,
    splitting: true,
    outdir: join(COMPILED, 'not-written'),
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    logLevel: 'silent',
    absWorkingDir: COMPILED,
  });
  const chunks = Object.entries(metafile.outputs);
  const [entry] = chunks.find(([, { entryPoint }]) => entryPoint === '<stdin>') ?? [];
  const loaded = new Set(entry === undefined ? [] : [entry]);
  for (const path of loaded) {
    for (const { path: imported, kind } of metafile.outputs[path]?.imports ?? []) {
      if (kind === 'import-statement') loaded.add(imported);
    }
  }
  return chunks.flatMap(([path, { inputs }]) =>
    loaded.has(path) ? Object.keys(inputs).filter((name) => (inputs[name]?.bytesInOutput ?? 0) > 0) : [],
  );
}
