// Builds what changed and runs tests: npm test [-- PART… --OPTION…]
// A PART selects the test files whose path contains it, of both tiers; without one, the fast tier runs, or the tier that
// --tier=fast|slow|all names. Other options are those of node --test.
// Runs about one process per core at a time.
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../build/places.mjs';
import { buildProgram } from '../build/program.mjs';
import { groupFiles } from './groups.mjs';
import { selectTests } from './select.mjs';

const args = process.argv.slice(2);
const parts = args.filter((argument) => !argument.startsWith('--'));
const tier = args.find((argument) => argument.startsWith('--tier='))?.slice('--tier='.length);
const options = args.filter((argument) => argument.startsWith('--') && !argument.startsWith('--tier='));

/** How a tier runs: the factor for random cases (test/support/sweep.ts), and the time limit of a process. */
const TIERS = {
  fast: { sweep: '1', maxFiles: 16, maxStarting: 4, timeoutMs: 300_000 },
  slow: { sweep: '10', maxFiles: 4, maxStarting: 1, timeoutMs: 1_200_000 },
};
const settings = tier === 'slow' || tier === 'all' ? TIERS.slow : TIERS.fast;
/** Parts select slow tests too. */
const timeoutMs = parts.length > 0 ? TIERS.slow.timeoutMs : settings.timeoutMs;

await build();
let selected;
try {
  selected = selectTests({ parts, tier });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
const sweep = process.env.HEDDLE_SWEEP ?? settings.sweep;
console.log(`${selected.length} test files, HEDDLE_SWEEP=${sweep}`);
/** Fast tests wait for blocks and time limits, so one more than there are cores; long attacks need their core. */
const concurrency = availableParallelism() + (settings === TIERS.fast ? 1 : 0);
process.exitCode = runFiles(groupFiles(selected, settings)) ? 0 : 1;

/** A whole run checks types too; a developer with a few files wants their result at once. */
async function build() {
  if (parts.length > 0) {
    await buildProgram();
    return;
  }
  const { status } = spawnSync(process.execPath, [join(ROOT, 'scripts', 'build.mjs')], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

/** A process that takes too long fails by name, so that a test that hangs is found. @returns true if all tests passed */
function runFiles(files) {
  const command = [
    '--test',
    `--test-reporter=${fileURLToPath(new URL('./reporter.mjs', import.meta.url))}`,
    '--test-reporter-destination=stdout',
    `--test-concurrency=${concurrency}`,
    `--test-timeout=${timeoutMs}`,
    ...options,
    ...files,
  ];
  // One native mode a run; HEDDLE_NATIVE=off runs the fallbacks.
  const env = {
    HEDDLE_NATIVE: 'auto',
    ...process.env,
    HEDDLE_SWEEP: sweep,
    HEDDLE_TEST_PROCESSES: String(files.length),
  };
  return spawnSync(process.execPath, command, { cwd: ROOT, stdio: 'inherit', env }).status === 0;
}
