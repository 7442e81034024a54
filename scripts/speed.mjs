// Writes docs/speed.md and docs/scaling.md from docs/speed.json, a run of the benchmarks. Needs a build.
// usage: node scripts/speed.mjs [--check]
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const { readRun } = await import('../dist/bench/results/read-run.js');
const { scalingPage } = await import('../dist/bench/report/scaling-page.js');
const { speedPage } = await import('../dist/bench/report/speed-page.js');

const run = readRun(fileURLToPath(new URL('../docs/speed.json', import.meta.url)));
for (const [name, wanted] of [
  ['docs/speed.md', speedPage(run)],
  ['docs/scaling.md', scalingPage(run)],
]) {
  const page = new URL(`../${name}`, import.meta.url);
  if (existsSync(page) && readFileSync(page, 'utf8') === wanted) continue;
  if (process.argv.includes('--check')) {
    console.error(`${name} does not match docs/speed.json and the catalogue of benchmarks: run npm run docs`);
    process.exitCode = 1;
  } else writeFileSync(page, wanted);
}
