import { isIdentifier } from '../load/name-counts.js';
import { memberTexts } from '../load/result-text.js';

/** How the execution inside a result ended. */
export interface Outcome {
  /** Type of the status, such as `success`; `incomplete` for a pipeline or a bundle with a failed part. */
  readonly status?: string;
  readonly gasUsed?: bigint;
  /** Name of the error that the contract declares, such as `InsufficientBalance`; absent unless it reverted with one. */
  readonly errorName?: string;
}

/** Members that hold the execution in results of several parts. */
const PARTS = ['simulation', 'result', 'receipt'] as const;

/** Members that say whether all parts succeeded. */
const VERDICTS = ['completed', 'atomic_success'] as const;

/** Reads the outcome from a result or a receipt, without parsing the rest. @param result valid JSON text */
export function outcomeOf(result: string): Outcome {
  const members = membersOf(result);
  const part = PARTS.map((name) => members?.get(name)).find((text) => text !== undefined);
  const execution = members?.has('status') === true || part === undefined ? members : membersOf(part);
  if (execution === undefined) return {};
  const status = statusOf(execution);
  const gasUsed = integerOf(execution.get('gas_used'));
  const errorName = status === 'reverted' ? errorNameOf(execution) : undefined;
  return {
    ...(status !== undefined && { status }),
    ...(gasUsed !== undefined && { gasUsed }),
    ...(errorName !== undefined && { errorName }),
  };
}

function statusOf(execution: ReadonlyMap<string, string>): string | undefined {
  const text = execution.get('status');
  if (text !== undefined) return textOf(membersOf(text)?.get('type'));
  const verdict = VERDICTS.map((name) => execution.get(name)).find((value) => value !== undefined);
  return verdict === undefined ? undefined : verdict === 'true' ? 'success' : 'incomplete';
}

/** The name in `status.value.error`; undefined for a text that is no name, as from a hostile node. */
function errorNameOf(execution: ReadonlyMap<string, string>): string | undefined {
  let text = execution.get('status');
  for (const member of ['value', 'error', 'name']) {
    text = text === undefined ? undefined : membersOf(text)?.get(member);
  }
  const name = textOf(text);
  return name !== undefined && isIdentifier(name) ? name : undefined;
}

/** The members of an object; undefined for other values. */
export function membersOf(text: string): ReadonlyMap<string, string> | undefined {
  return text.trimStart().startsWith('{') ? memberTexts(text) : undefined;
}

/** A JSON string's value; undefined for other values. */
export function textOf(text: string | undefined): string | undefined {
  return text?.startsWith('"') === true ? (JSON.parse(text) as string) : undefined;
}

/** A non-negative integer; undefined for other values. */
export function integerOf(text: string | undefined): bigint | undefined {
  return text !== undefined && /^\d{1,20}$/.test(text) ? BigInt(text) : undefined;
}
