import { loadavg } from 'node:os';
import { MacroError } from './macro-error.js';

/** Runs a comparison. A signal ends the process in order, so that it ends its nodes too. */
export async function runMacro(main: () => Promise<void>): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const load = loadavg().map((each) => each.toFixed(1));
  console.log(`load average before: ${load.join(' ')}`);
  try {
    await main();
  } catch (error) {
    if (!(error instanceof MacroError)) throw error;
    console.error(`error: ${error.message}`);
    process.exitCode = 1;
  }
}
