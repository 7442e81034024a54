/** The process's environment; no other code reads it. */
export function processEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
