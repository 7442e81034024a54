// Writes dist/: a module for each source file, the declarations with a type check, and the explorer. Only what changed
// is written again.
// usage: node scripts/build.mjs [--modules]      --modules: without the type check and the explorer
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildExplorer } from './build/explorer.mjs';
import { compileModules } from './build/modules.mjs';
import { ROOT } from './build/places.mjs';

await compileModules();
if (!process.argv.includes('--modules')) {
  const passed = await Promise.all([
    checkTypes('tsconfig.json'),
    checkTypes('src/explorer'),
    buildExplorer(),
  ]);
  if (passed.includes(false)) process.exitCode = 1;
}

/** Checks types and writes declarations. @returns false if there are errors, which are printed */
function checkTypes(project) {
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const child = spawn(process.execPath, [compiler, '-p', project], { cwd: ROOT, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code === 0));
  });
}
