/* Outcomes of transactions and calls as text for a terminal. */
import { shownLine } from '../base/shown-text.js';
import { formatAddress, formatAmount, formatHash } from '../client/client.js';
import type { ExecStatus, Log, StateDiff } from '../generated/node-rpc-v1.js';
import { toPrefixedHex } from '../idl/hex.js';
import type { JsonValue } from '../idl/json-value.js';

/** Longer values are truncated; `--json` prints them whole. */
const MAX_VALUE = 80;

/** The latest time of a Date. */
const MAX_TIME_MS = 8_640_000_000_000_000n;

/** Describes the outcome of a call on one line. */
export function statusText(status: ExecStatus): string {
  return shownLine(outcomeOf(status));
}

function outcomeOf(status: ExecStatus): string {
  switch (status.type) {
    case 'success':
    case 'out_of_gas':
      return status.type.replaceAll('_', ' ');
    case 'reverted': {
      const { message, data, error } = status.value;
      if (isDecodedError(error)) return `reverted: ${error.name}${membersText(error.args)}`;
      return `reverted${message === undefined ? (data.length === 0 ? '' : `: ${cut(toPrefixedHex(data))}`) : `: ${message}`}`;
    }
    case 'trapped': {
      const { kind, message, backtrace } = status.value;
      const where = backtrace[0] === undefined ? '' : ` in ${backtrace[0]}`;
      return `trapped (${kind})${where}: ${message}`;
    }
    case 'invalid':
      return `invalid: ${status.value}`;
  }
}

function isDecodedError(
  error: JsonValue | undefined,
): error is { readonly name: string; readonly args: JsonValue } {
  return typeof error === 'object' && error !== null && 'name' in error && 'args' in error;
}

/** Lists the members of an object, such as a call's arguments, on one line. */
export function membersText(members: JsonValue | undefined): string {
  if (typeof members !== 'object' || members === null || Array.isArray(members)) return '(…)';
  const shown = Object.entries(members).map(([name, value]) => `${name}: ${cut(textOf(value))}`);
  return `(${shown.join(', ')})`;
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' && /^[0-9a-zA-Z_]+$/.test(value) ? value : JSON.stringify(value);
}

/** Describes an event on one line. */
export function eventText({ contract, event, topics, data }: Log): string {
  const emitter = formatAddress(contract);
  if (event !== undefined) return shownLine(`${event.name}${membersText(event.args)} of ${emitter}`);
  return `of ${emitter}: ${topics.map((topic) => formatHash(topic)).join(' ')} ${cut(toPrefixedHex(data))}`;
}

/** Formats a time in milliseconds since 1970, in UTC. */
export function timeText(ms: bigint): string {
  return ms <= MAX_TIME_MS ? new Date(Number(ms)).toISOString() : `${ms} ms`;
}

/** Lists the changes of an account. */
export function diffLines({ address, balance, slots, code_hash: code }: StateDiff): string[] {
  return [
    formatAddress(address),
    ...(balance === undefined
      ? []
      : [`  balance ${formatAmount(balance.before)} → ${formatAmount(balance.after)}`]),
    ...(code === undefined ? [] : [`  code ${formatHash(code)}`]),
    ...slots.map(
      ({ slot, before, after }) => `  slot ${formatHash(slot)} ${slotText(before)} → ${slotText(after)}`,
    ),
  ];
}

function slotText(value: Uint8Array | undefined): string {
  return value === undefined ? 'none' : cut(toPrefixedHex(value));
}

/** Truncates a long value. */
export function cut(text: string): string {
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE - 1)}…` : text;
}
