/** Source of a value, for messages. */
export type ValueSource =
  | { readonly kind: 'flag'; readonly name: string }
  | { readonly kind: 'environment'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string; readonly key: string }
  | { readonly kind: 'default'; readonly name: string };

export type ConfigIssue =
  | {
      readonly code: 'bad_value';
      readonly option: string;
      readonly source: ValueSource;
      readonly got: unknown;
      readonly expected: string;
      readonly hint?: string;
    }
  | { readonly code: 'unknown_key'; readonly path: string; readonly key: string; readonly nearest?: string }
  /** An option requires another one. */
  | { readonly code: 'missing'; readonly option: string; readonly reason: string }
  | { readonly code: 'unknown_variable'; readonly name: string; readonly nearest: string }
  | {
      readonly code: 'bad_file';
      readonly path: string;
      readonly reason: string;
      /** The option or variable that named the file. */
      readonly source?: ValueSource;
    };

/** Thrown for an invalid configuration. Contains all issues, one line each in the message. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly issues: readonly ConfigIssue[];

  constructor(issues: readonly ConfigIssue[], options?: ErrorOptions) {
    super(issues.map(describeIssue).join('\n'), options);
    this.issues = issues;
  }
}

function describeIssue(issue: ConfigIssue): string {
  switch (issue.code) {
    case 'bad_value': {
      const hint = issue.hint === undefined ? '' : `; ${issue.hint}`;
      return `${issue.option}: expected ${issue.expected}, got ${show(issue.got)} (from ${describeSource(issue.source)})${hint}`;
    }
    case 'unknown_key':
      return `${issue.path}: unknown key ${show(issue.key)}${suggest(issue.nearest)}`;
    case 'missing':
      return `--${issue.option} is missing: ${issue.reason}`;
    case 'unknown_variable':
      return `${issue.name}: no such environment variable is read${suggest(issue.nearest)}`;
    case 'bad_file':
      return issue.source === undefined
        ? `${issue.path}: ${issue.reason}`
        : `${issue.path}: ${issue.reason} (named by ${describeSource(issue.source)})`;
  }
}

export function describeSource(source: ValueSource): string {
  switch (source.kind) {
    case 'flag':
      return `the flag --${source.name}`;
    case 'environment':
      return `the environment variable ${source.name}`;
    case 'file':
      return `the key "${source.key}" in ${source.path}`;
    case 'default':
      return `the default of --${source.name}`;
  }
}

function suggest(nearest: string | undefined): string {
  return nearest === undefined ? '' : `; did you mean ${nearest}?`;
}

const MAX_SHOWN = 120;

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
