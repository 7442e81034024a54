import * as v from 'valibot';
import { CodedError } from '../../base/errors.js';

export type SweepErrorCode =
  /** The sweep file, one of its CSV files or an option has an unexpected value. */
  | 'bad_sweep'
  /** A file cannot be read, is no UTF-8 text or is too large. */
  | 'unreadable';

export class SweepError extends CodedError<SweepErrorCode> {
  override readonly name = 'SweepError';
}

const MAX_QUOTED = 100;

/** Location of a value in a file or among the options; opens every message. */
export class Place {
  readonly #file: string | undefined;
  readonly #path: readonly string[];

  /** @param file undefined for options */
  constructor(file: string | undefined, path: readonly string[] = []) {
    this.#file = file;
    this.#path = path;
  }

  /** The location of a member or element of this value. */
  at(...path: readonly (string | number)[]): Place {
    return new Place(this.#file, [...this.#path, ...path.map(String)]);
  }

  unexpected(expected: string, got: unknown): SweepError {
    return this.wrong(`expected ${expected}, got ${quoted(got)}`);
  }

  wrong(explanation: string): SweepError {
    const path = this.#path.join('.');
    const places = [this.#file, path].filter((part) => part !== undefined && part !== '');
    return new SweepError('bad_sweep', [...places, explanation].join(': '));
  }

  /**
   * Validates a value with a schema; a message of the schema continues "expected …".
   * @throws SweepError about the first unexpected value
   */
  check<T>(schema: v.GenericSchema<unknown, T>, value: unknown): T {
    const checked = v.safeParse(schema, value, { abortEarly: true });
    if (checked.success) return checked.output;
    const [issue] = checked.issues;
    const path = (issue.path ?? []).map(({ key }) => String(key));
    // A surplus member is reported at its object.
    if (issue.expected === 'never')
      throw this.at(...path.slice(0, -1)).unexpected(issue.message, path.at(-1));
    throw this.at(...path).unexpected(issue.message, issue.input);
  }
}

/** An object with exactly these members. A missing member is described by its own schema. */
export function members<const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.StrictObjectSchema<Entries, (issue: v.StrictObjectIssue) => string> {
  const names = Object.keys(entries).join(', ');
  return v.strictObject(entries, (issue) => {
    if (issue.expected === 'never') return `only the members ${names}`;
    const missing = entries[String(issue.path?.at(-1)?.key)];
    const described = missing === undefined ? undefined : v.safeParse(missing, undefined).issues?.[0].message;
    return described ?? `an object with the members ${names}`;
  });
}

function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= MAX_QUOTED ? text : `${text.slice(0, MAX_QUOTED)}…`;
}
