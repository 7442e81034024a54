#!/usr/bin/env node
import { setImmediate as nextTick } from 'node:timers/promises';
import { processConsole } from './cli/console.js';
import { runCommandLine } from './cli/run.js';
import { processEnvironment } from './config/environment.js';

const exitCode = await runCommandLine(process.argv.slice(2), {
  console: processConsole(),
  environment: processEnvironment(),
  workingDirectory: process.cwd(),
});
// What could not be written is known a turn later, and is a failure too.
await nextTick();
// Everything is closed by now; a connection that a library keeps for reuse is no reason to stay.
process.exit(exitCode);
