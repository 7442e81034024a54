/** An error that programs tell apart by a code. Each class documents its codes. */
export abstract class CodedError<Code extends string> extends Error {
  constructor(
    /** Which error it is, for programs; the message is for people. */
    readonly code: Code,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The message of a thrown value, for quoting in another message. */
export function errorMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Converts a thrown value to an Error. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** Whether a thrown value is a system error of this code, such as `ENOENT`. */
export function hasCode(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === code;
}
