import { InvalidArgumentError } from 'commander';

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const MAX_TTL_MS = 10 * 365 * 86_400_000;

/** Parses a lifetime such as 30d, 12h, 45m or 90s, at most ten years, to milliseconds. @throws InvalidArgumentError */
export function lifetime(text: string): number {
  const [, count, unit = ''] = /^([1-9]\d{0,9})([smhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS_MS[unit] ?? Number.NaN);
  if (ms <= MAX_TTL_MS) return ms;
  throw new InvalidArgumentError(
    `expected a lifetime such as 30d, 12h, 45m or 90s, at most ten years, got ${JSON.stringify(text)}`,
  );
}

/** Parses the `sub` of a token. @param max length in characters @throws InvalidArgumentError */
export function subject(max: number): (text: string) => string {
  return (text) => {
    if (text !== '' && text.length <= max) return text;
    throw new InvalidArgumentError(`expected a name of 1 to ${max} characters, got ${text.length}`);
  };
}
