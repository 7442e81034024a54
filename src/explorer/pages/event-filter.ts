import { addressOfText } from '../../client/address-words.js';
import { ClientError } from '../../client/client.js';
import { eventTopicsOfWords } from '../../client/event-words.js';
import { JsonDecodeError } from '../../idl/codecs/codec-errors.js';
import { mistakeAt, type Prepared, prepareHeight } from '../contract/prepare-call.js';
import type { CompiledInterface } from '../interface/contract-interface.js';
import type { EventWords } from '../routing/event-words.js';

/** What to ask a node for. */
export interface EventFilter {
  readonly topics: Uint8Array[][];
  /** The newest block to show; undefined for the latest. */
  readonly to: bigint | undefined;
}

/** Reads a filter by a contract's interface. @param compiled undefined if the contract has none that compiles */
export function prepareFilter(
  compiled: CompiledInterface | undefined,
  { event, where, to = '' }: EventWords,
): Prepared<EventFilter> {
  const height = prepareHeight({ value: to, path: 'to' });
  if (!height.ok) return height;
  if (event === undefined) {
    if (where.length > 0) return mistakeAt('event', 'A condition on a field needs an event.');
    return { ok: true, value: { topics: [], to: height.value } };
  }
  if (compiled === undefined) {
    const message = 'The events of this contract have no names: it has no interface that compiles.';
    return mistakeAt('event', message);
  }
  // One by one first, to tell which of them is wrong.
  for (const words of [[], ...where.map((word) => [word])]) {
    try {
      eventTopicsOfWords(compiled, event, words, addressOfText);
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      const { cause } = error;
      const message =
        cause instanceof JsonDecodeError ? `Expected ${cause.expected}, got ${cause.got}.` : error.message;
      return mistakeAt(words[0] === undefined ? 'event' : conditionPath(words[0]), message);
    }
  }
  const topics = eventTopicsOfWords(compiled, event, where, addressOfText);
  return { ok: true, value: { topics, to: height.value } };
}

/** Where a mistake in a condition is. @param word such as `to=dev:1` */
export function conditionPath(word: string): string {
  return `where.${word}`;
}
