// What npm runs after an install in a checkout: builds the program, without a check of its types, and puts the command `heddle` into node_modules/.bin, so that
// `npx heddle` finds it there. npx would otherwise pack the checkout, which builds it once more.
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from './build/places.mjs';
import { buildProgram } from './build/program.mjs';

const PROGRAM = join('dist', 'bundle', 'main.js');
const DECLARATIONS = join('dist', 'src', 'client', 'client.d.ts');
const COMMAND = join(ROOT, 'node_modules', '.bin', 'heddle');

// npm also prepares the checkout when it installs a project that depends on it, which needs the declarations too.
const isOwnInstall = resolve(process.env.npm_config_local_prefix ?? ROOT) === ROOT;
if (isOwnInstall) {
  await buildProgram();
  if (!isThere(COMMAND)) symlinkSync(join('..', '..', PROGRAM), COMMAND);
} else if (!existsSync(join(ROOT, DECLARATIONS))) {
  const { status } = spawnSync(process.execPath, [join(ROOT, 'scripts', 'build.mjs')], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** Also true for a link to nothing. */
function isThere(path) {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
