import { CliError } from './cli-error.js';

const TYPESCRIPT = /\.[cm]?ts$/;
const STRIP_TYPES = '--experimental-strip-types';

/** Whether this process runs TypeScript files without a loader. */
function runsTypeScript(): boolean {
  return 'typescript' in process.features && process.features.typescript !== false;
}

/** Node's options to run these files in a process. @throws CliError if this version cannot run TypeScript */
export function typeOptions(files: readonly string[]): readonly string[] {
  const typescript = files.find((file) => TYPESCRIPT.test(file));
  if (typescript === undefined || runsTypeScript()) return [];
  if (process.allowedNodeEnvironmentFlags.has(STRIP_TYPES)) return [STRIP_TYPES];
  throw cannotRun(typescript);
}

/** Expects that this process can run the file. @throws CliError if it needs a loader or an option */
export function expectRunnable(file: string): void {
  if (!TYPESCRIPT.test(file) || runsTypeScript()) return;
  if (!process.allowedNodeEnvironmentFlags.has(STRIP_TYPES)) throw cannotRun(file);
  throw new CliError(
    `${file}: Node ${process.versions.node} runs TypeScript only with NODE_OPTIONS=${STRIP_TYPES}, or --import with a loader such as tsx`,
  );
}

function cannotRun(file: string): CliError {
  return new CliError(
    `${file}: Node ${process.versions.node} cannot run TypeScript; use Node 22.6 or later, or --import with a loader such as tsx`,
  );
}
