// Bundles what the HTML pages of reports contain into dist/report-page/: their style, and the script that draws plots.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { DIST, isNewerThan, ROOT } from './places.mjs';

const SOURCES = join(ROOT, 'src', 'load', 'page');
/** The files that the last bundle was made of. */
const INPUTS = join(DIST, 'report-page-inputs.json');

/** Bundles style and script unless they are newer than everything that they are made of. */
export async function buildReportPage() {
  if (existsSync(INPUTS) && isNewerThan(INPUTS, JSON.parse(readFileSync(INPUTS, 'utf8')))) return;
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: {
      draw: join(SOURCES, 'browser', 'draw.ts'),
      style: join(SOURCES, 'style.css'),
    },
    outdir: join(DIST, 'report-page'),
    bundle: true,
    minify: true,
    metafile: true,
    format: 'iife',
    platform: 'browser',
    target: ['es2022'],
    legalComments: 'eof',
    logLevel: 'warning',
  });
  writeFileSync(INPUTS, JSON.stringify(['scripts/build/report-page.mjs', ...Object.keys(metafile.inputs)]));
}
