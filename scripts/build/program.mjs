import { buildBundles } from './bundles.mjs';
import { buildExplorer } from './explorer.mjs';
import { compileModules } from './modules.mjs';
import { buildReportPage } from './report-page.mjs';

/** Writes all that runs, without a type check. Ends the process if a source cannot be compiled, after saying why. */
export async function buildProgram() {
  try {
    await compileModules();
    await Promise.all([buildBundles(), buildExplorer(), buildReportPage()]);
  } catch (error) {
    // esbuild has printed its own errors.
    if (!('errors' in error)) throw error;
    process.exit(1);
  }
}
