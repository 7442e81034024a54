// Writes docs/speed.md from docs/speed.json, a run of the benchmarks. Needs a build.
// usage: node scripts/speed.mjs [--check]
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const { readRun } = await import('../dist/bench/results/read-run.js');
const { speedPage } = await import('../dist/bench/report/speed-page.js');

const page = new URL('../docs/speed.md', import.meta.url);
const wanted = speedPage(readRun(fileURLToPath(new URL('../docs/speed.json', import.meta.url))));
if (readFileSync(page, 'utf8') !== wanted) {
  if (process.argv.includes('--check')) {
    console.error(
      'docs/speed.md does not match docs/speed.json and the catalogue of benchmarks: run npm run docs',
    );
    process.exitCode = 1;
  } else writeFileSync(page, wanted);
}
