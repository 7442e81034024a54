import { type ParseArgsConfig, parseArgs } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;
type Option = Options[string];

/** Exit code of wrong usage. */
const WRONG_USAGE = 2;

/**
 * Reads the options of a benchmark from the command line. `--help` prints them with their defaults and ends the process.
 * Wrong usage ends it with one line that names the option, and exit code 2. An option with a numeric default takes a
 * number.
 */
export function benchArguments<const T extends Options>(
  options: T,
): ReturnType<typeof parseArgs<{ options: T }>>['values'] {
  if (process.argv.includes('--help')) {
    console.log(['Options:', ...Object.entries(options).map(helpLine)].join('\n'));
    process.exit();
  }
  try {
    const { values } = parseArgs({ options });
    for (const [name, { default: normal }] of Object.entries(options)) {
      expectNumber(name, (values as Record<string, unknown>)[name], normal);
    }
    return values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    console.error(`error: ${error.message}`);
    process.exit(WRONG_USAGE);
  }
}

function helpLine([name, { type, multiple, default: normal }]: [string, Option]): string {
  const value = type === 'boolean' ? '' : ' <VALUE>';
  const often = multiple === true ? '  may be repeated' : '';
  const usual = typeof normal === 'string' && normal !== '' ? `  default ${normal}` : '';
  return `  --${`${name}${value}`.padEnd(32)}${often}${usual}`.trimEnd();
}

/** @throws TypeError */
function expectNumber(name: string, value: unknown, normal: unknown): void {
  if (!isNumber(normal) || isNumber(value)) return;
  throw new TypeError(`--${name} takes a number, got ${JSON.stringify(value)}`);
}

function isNumber(value: unknown): boolean {
  return typeof value === 'string' && /^\d+(\.\d+)?$/.test(value);
}

/** Answers `--help` for a benchmark whose arguments have places instead of names. @param usage such as `[KEYS] [CHANGES]` */
export function describePositionals(usage: string): void {
  if (!process.argv.includes('--help')) return;
  console.log(`Arguments: ${usage}`);
  process.exit();
}
