/* Outcomes of transactions and calls as text for a terminal. */
import { shownLine } from '../base/shown-text.js';
import { formatAddress, formatAmount, formatHash } from '../client/client.js';
import type { ExecStatus, Log, StateDiff } from '../generated/node-rpc-v1.js';
import { cut, decodedText, isDecoded } from '../idl/decoded-text.js';
import { toPrefixedHex } from '../idl/hex.js';

/** The latest time of a Date. */
const MAX_TIME_MS = 8_640_000_000_000_000n;

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
      if (isDecoded(error)) return `reverted: ${decodedText(error)}`;
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

export function eventText({ contract, event, topics, data }: Log): string {
  const emitter = formatAddress(contract);
  if (event !== undefined) return shownLine(`${decodedText(event)} of ${emitter}`);
  return `of ${emitter}: ${topics.map((topic) => formatHash(topic)).join(' ')} ${cut(toPrefixedHex(data))}`;
}

/** Formats a time in milliseconds since 1970, in UTC. */
export function timeText(ms: bigint): string {
  return ms <= MAX_TIME_MS ? new Date(Number(ms)).toISOString() : `${ms} ms`;
}

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
