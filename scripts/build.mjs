// Writes dist/: a module for each source file, the bundles that a node runs, the explorer, what the pages of reports
// contain, and the declarations with a type check. Only what changed is written again.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './build/places.mjs';
import { buildProgram } from './build/program.mjs';

await buildProgram();
const passed = await Promise.all([
  checkTypes('tsconfig.json'),
  checkTypes('src/explorer'),
  checkTypes('src/load/page/browser'),
]);
if (passed.includes(false)) process.exitCode = 1;

/** Checks types and writes declarations. @returns false if there are errors, which are printed */
function checkTypes(project) {
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const child = spawn(process.execPath, [compiler, '-p', project], { cwd: ROOT, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code === 0));
  });
}
