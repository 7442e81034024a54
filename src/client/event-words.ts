import type { ContractAbi } from '../idl/abi/contract-abi.js';
import { describe } from '../idl/codecs/codec-errors.js';
import type { JsonValue } from '../idl/json-value.js';
import type { Manifest } from '../idl/manifest.js';
import { mapLeaves } from '../idl/map-leaves.js';
import { TypeTable } from '../idl/type-table.js';
import { ClientError } from './client-error.js';
import { eventTopics } from './event-filter.js';
import { spellAddresses, valueOfWord } from './value-words.js';

/** A contract's interface, compiled. */
export interface EventInterface {
  readonly manifest: Manifest;
  readonly abi: ContractAbi;
}

/**
 * The topics by position of an event that people filter by words.
 * @param where conditions on indexed fields, each `FIELD=VALUE`; several of one field accept each of their values
 * @throws ClientError `bad_argument` for another form, or naming the event, field or value that does not fit
 */
export function eventTopicsOfWords(
  { manifest, abi }: EventInterface,
  event: string,
  where: readonly string[],
  addressOf: (text: string) => Uint8Array | undefined,
): Uint8Array[][] {
  const types = new TypeTable(manifest);
  const fields = manifest.contracts
    .flatMap(({ events }) => events)
    .find(({ name }) => name === event)?.fields;
  const leaf = spellAddresses(addressOf);
  const accepted = new Map<string, JsonValue[]>();
  for (const word of where) {
    const { field, text } = condition(word);
    const type = fields?.find(({ name }) => name === field)?.type;
    const value =
      type === undefined
        ? text
        : (mapLeaves(types, type, valueOfWord(text, type, manifest), field, leaf) as JsonValue);
    accepted.set(field, [...(accepted.get(field) ?? []), value]);
  }
  return eventTopics(abi, event, Object.fromEntries(accepted));
}

/** The parts of `FIELD=VALUE`. @throws ClientError `bad_argument` */
export function condition(word: string): { readonly field: string; readonly text: string } {
  const [, field, text] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(word) ?? [];
  if (field !== undefined && text !== undefined) return { field, text };
  throw new ClientError('bad_argument', `expected FIELD=VALUE, got ${describe(word)}`);
}
