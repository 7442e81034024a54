/** Thrown for an invalid configuration. Its message has one line for each problem. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(problems: string | readonly string[], options?: ErrorOptions) {
    super([problems].flat().join('\n'), options);
  }
}

/** The problem of an option with a wrong value. @param option its flag without dashes */
export function badValue(
  option: string,
  got: unknown,
  expected: string,
  source = `the flag --${option}`,
): string {
  return `${option}: expected ${expected}, got ${shown(got)} (from ${source})`;
}

/** The error of a flag whose value is not possible. */
export function badFlag(option: string, got: unknown, expected: string): ConfigError {
  return new ConfigError(badValue(option, got, expected));
}

/** The error of a flag that must be given. */
export function missingFlag(option: string, reason: string): ConfigError {
  return new ConfigError(`--${option} is missing: ${reason}`);
}

const MAX_SHOWN = 120;

/** A value of an option or a name, quoted and shortened. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
