import { AbiError } from '../idl/abi/abi-context.js';
import type { ContractAbi } from '../idl/abi/contract-abi.js';
import type { EventAbi } from '../idl/abi/event-abi.js';
import { JsonDecodeError } from '../idl/codecs/codec-errors.js';
import { nearestName } from '../idl/nearest-name.js';
import { ClientError } from './client-error.js';
import { type ContractArgument, isList, toJsonValue } from './contract-interface.js';

/** Values of an event's indexed fields by name; a list accepts each of its values. */
export type EventFilter = { readonly [field: string]: ContractArgument };

/** Topics that the node compares, topic 0 included. */
const MAX_POSITIONS = 4;

/** Topics by position. @throws ClientError `bad_argument` naming the event, field or value that does not fit */
export function eventTopics(abi: ContractAbi, name: string, filter: EventFilter = {}): Uint8Array[][] {
  const event = abi.events.get(name);
  if (event === undefined) {
    const names = [...abi.events.keys()];
    throw badArgument(`${abi.name} has no event ${JSON.stringify(name)}${hint(name, names)}`);
  }
  const where = `${abi.name}.${name}`;
  const topics: Uint8Array[][] = [[event.topic], ...event.indexed.map(() => [])];
  for (const [field, value] of Object.entries(filter)) {
    if (value === undefined) continue;
    const position = event.indexed.indexOf(field) + 1;
    if (position === 0) throw notIndexed(where, event, field);
    if (position >= MAX_POSITIONS) {
      const names = event.indexed.slice(0, MAX_POSITIONS - 1).join(', ');
      throw badArgument(
        `${where}: nodes filter by the first three indexed fields only: ${names}, not ${field}`,
      );
    }
    const values: readonly ContractArgument[] = isList(value) ? value : [value];
    if (values.length === 0) throw badArgument(`${where}: filter.${field}: an empty list accepts nothing`);
    topics[position] = values.map((one) => topicOf(where, event, field, one));
  }
  while (topics.at(-1)?.length === 0) topics.pop();
  return topics;
}

function topicOf(where: string, event: EventAbi, field: string, value: ContractArgument): Uint8Array {
  try {
    return event.encodeTopic(field, toJsonValue(value));
  } catch (error) {
    if (!(error instanceof JsonDecodeError) && !(error instanceof AbiError)) throw error;
    throw badArgument(`${where}: filter.${field}: ${error.message}`, error);
  }
}

function notIndexed(where: string, event: EventAbi, field: string): ClientError {
  const { indexed, fields } = event;
  const known =
    indexed.length === 0 ? 'it has no indexed fields' : `the indexed ones are ${indexed.join(', ')}`;
  const problem = fields.includes(field)
    ? `${field} is not indexed, so nodes cannot filter by it`
    : `there is no field ${JSON.stringify(field)}${hint(field, fields)}`;
  return badArgument(`${where}: filter: ${problem}; ${known}`);
}

function hint(wrong: string, names: readonly string[]): string {
  const near = nearestName(wrong, names);
  if (near !== undefined) return `; did you mean ${near}?`;
  return names.length === 0 ? '' : `; it has ${names.join(', ')}`;
}

function badArgument(message: string, cause?: unknown): ClientError {
  return new ClientError('bad_argument', message, { cause });
}
