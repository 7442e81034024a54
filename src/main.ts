#!/usr/bin/env node
import { setImmediate as nextTick } from 'node:timers/promises';
import { keepCompiledCode } from './base/compile-cache.js';
import { processConsole } from './cli/console.js';
import { runCommandLine } from './cli/run.js';
import { processEnvironment } from './config/environment.js';

keepCompiledCode();
const exitCode = await runCommandLine(process.argv.slice(2), {
  console: processConsole(),
  environment: processEnvironment(),
  workingDirectory: process.cwd(),
});
// A pipe accepts long output in pieces; exiting now would drop the rest.
await new Promise((resolve) => process.stdout.write('', resolve));
// A failed write to the console is reported one tick later and must affect the exit code.
await nextTick();
// Everything is closed by now; sockets that a library keeps alive for reuse must not delay the exit.
if (exitCode !== 0) process.exitCode = exitCode;
process.exit();
