/** The process's environment. Nothing else reads it. */
export function processEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
