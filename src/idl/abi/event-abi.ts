import type { Codec } from '../codecs/codec.js';
import { describe } from '../codecs/codec-errors.js';
import { toHex } from '../hex.js';
import type { JsonValue } from '../json-value.js';
import type { EventDefinition, FieldDefinition } from '../manifest.js';
import { mapFields, wholeVariant } from '../map-leaves.js';
import type { TypeTable } from '../type-table.js';
import { type AbiContext, AbiError, utf8 } from './abi-context.js';
import { membersText, type TextOf, typeText } from './fixed-text.js';

const TOPIC_LENGTH = 32;

/** An event as encoded in a log. */
export interface EncodedEvent {
  /** Each 32 bytes. */
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
}

/** Converts one event's fields to topics and data, and back. The codecs are built on first use. */
export class EventAbi {
  /** The event's name. */
  readonly name: string;
  /** `Contract.Name(type,type)`. */
  readonly signature: string;
  /** Topic 0, 32 bytes. */
  readonly topic: Uint8Array;
  readonly #context: AbiContext;
  readonly #definition: EventDefinition;
  #parts: EventParts | undefined;
  #nameText: string | undefined;

  constructor(context: AbiContext, definition: EventDefinition) {
    this.name = definition.name;
    this.signature = context.signature(definition.name, definition.fields);
    this.topic = context.sha256(utf8(this.signature));
    this.#context = context;
    this.#definition = definition;
  }

  /** The name as JSON. */
  get nameText(): string {
    this.#nameText ??= JSON.stringify(this.name);
    return this.#nameText;
  }

  /** Names of all fields, in order. */
  get fields(): readonly string[] {
    return this.#definition.fields.map((field) => field.name);
  }

  /** Names of the indexed fields, in the order of their topics. */
  get indexed(): readonly string[] {
    return this.#definition.fields.filter((field) => field.indexed).map((field) => field.name);
  }

  #codecs(): EventParts {
    this.#parts ??= eventParts(this.#context, this.#definition);
    return this.#parts;
  }

  /**
   * Encodes the fields as a log.
   * @param args JSON values by field name
   * @throws JsonDecodeError
   */
  encode(args: unknown): EncodedEvent {
    const { all, data, indexed } = this.#codecs();
    const values = all.fromJson(args) as Record<string, unknown>;
    return {
      topics: [this.topic, ...indexed.map(({ codec }) => this.#topicOf(codec.encodeTransient(values)))],
      data: data.encode(values),
    };
  }

  /**
   * Encodes one indexed field's value as a topic, for filters.
   * @throws AbiError `wrong_topics` if no indexed field has that name
   * @throws JsonDecodeError
   */
  encodeTopic(field: string, value: unknown): Uint8Array {
    const found = this.#codecs().indexed.find(({ name }) => name === field);
    if (found === undefined) {
      throw new AbiError('wrong_topics', `${this.signature} has no indexed field ${describe(field)}`);
    }
    const { types } = this.#context;
    const whole = mapFields(types, this.#definition.fields, { [field]: value }, this.name, wholeVariant);
    const record = found.codec.fromJson(whole);
    return this.#topicOf(found.codec.encodeTransient(record));
  }

  /**
   * The fields by name. An indexed field whose encoding varies in size or exceeds 32 bytes cannot be recovered from
   * its topic: its value is `{"topic": "64 hex digits"}`.
   * @throws AbiError `wrong_topics`
   * @throws BorshError
   */
  decode(topics: readonly Uint8Array[], data: Uint8Array): { readonly [field: string]: JsonValue } {
    return JSON.parse(this.decodeToText(topics, data));
  }

  /**
   * Like {@link decode}, as JSON text. Hot: guarded by `bench/macro/contract-calls.bench.ts`.
   * @throws AbiError `wrong_topics`
   * @throws BorshError
   */
  decodeToText(topics: readonly Uint8Array[], data: Uint8Array): string {
    const { indexed, dataMembers } = this.#codecs();
    this.#checkTopics(topics, indexed.length);
    let members = '';
    for (let i = 0; i < indexed.length; i++) {
      const field = indexed[i] as IndexedField;
      members = joinMembers(members, topicMember(field, topics[i + 1] as Uint8Array, this.name));
    }
    return `{${joinMembers(members, dataMembers(data, 0))}}`;
  }

  /**
   * Like {@link decode}, with fields as codec values; an unrecoverable value is `{topic: Uint8Array}`.
   * @throws AbiError `wrong_topics`
   * @throws BorshError
   */
  decodeValues(topics: readonly Uint8Array[], data: Uint8Array): unknown {
    const codecs = this.#codecs();
    this.#checkTopics(topics, codecs.indexed.length);
    const fields: Record<string, unknown> = {};
    for (const [i, { name, whole }] of codecs.indexed.entries()) {
      const topic = topics[i + 1] as Uint8Array;
      fields[name] =
        whole === undefined
          ? { topic }
          : whole.codec.decode(topic.subarray(paddingOf(name, whole, topic, this.name)));
    }
    return Object.assign(fields, codecs.data.decode(data));
  }

  /** Requires topic 0 plus one topic for each indexed field, 32 bytes each. */
  #checkTopics(topics: readonly Uint8Array[], indexed: number): void {
    const expected = indexed + 1;
    if (topics.length !== expected) {
      const reason = `expected ${expected} topics for ${this.signature}, got ${topics.length}`;
      throw new AbiError('wrong_topics', reason);
    }
    for (let i = 0; i < indexed; i++) {
      if (topics[i + 1]?.length !== TOPIC_LENGTH) {
        const name = this.indexed[i];
        throw new AbiError('wrong_topics', `expected a topic of 32 bytes for ${this.name}.${name}`);
      }
    }
  }

  #topicOf(encoding: Uint8Array): Uint8Array {
    if (encoding.length > TOPIC_LENGTH) return this.#context.sha256(encoding);
    const topic = new Uint8Array(TOPIC_LENGTH);
    topic.set(encoding, TOPIC_LENGTH - encoding.length);
    return topic;
  }
}

/**
 * Encoded size of an indexed field in its topic. Undefined if the size varies or exceeds a topic, so that the value
 * cannot be recovered.
 */
export function topicSize({ optional, type }: FieldDefinition, types: TypeTable): number | undefined {
  const size = optional ? undefined : types.exactSize(type);
  return size !== undefined && size <= TOPIC_LENGTH ? size : undefined;
}

interface EventParts {
  readonly all: Codec<unknown>;
  /** The fields that are not indexed. */
  readonly data: Codec<unknown>;
  /** Formats the data without braces. */
  readonly dataMembers: TextOf;
  readonly indexed: readonly IndexedField[];
}

function eventParts(context: AbiContext, { name, fields }: EventDefinition): EventParts {
  const plain = fields.filter((field) => !field.indexed);
  const data = context.recordCodec(`event ${name} data`, name, plain);
  return {
    all: context.recordCodec(`event ${name}`, name, fields),
    data,
    dataMembers: membersText(plain, context.types, data),
    indexed: fields
      .filter((field) => field.indexed)
      .map((field) => {
        const size = topicSize(field, context.types);
        const whole = context.typeCodec(`${name}.${field.name}`, field.type);
        return {
          name: field.name,
          member: `${JSON.stringify(field.name)}:`,
          codec: context.recordCodec(`event ${name} topic ${field.name}`, name, [field]),
          ...(size !== undefined && {
            whole: { size, codec: whole, text: typeText(field.type, context.types, whole) },
          }),
        };
      }),
  };
}

interface IndexedField {
  readonly name: string;
  /** The field's JSON key and colon. */
  readonly member: string;
  /** Codec of a struct that holds only this field: its encoding is the field's. */
  readonly codec: Codec<unknown>;
  /** Set if every value has the same encoded size and fits in a topic. */
  readonly whole?: WholeValue;
}

interface WholeValue {
  readonly size: number;
  readonly codec: Codec<unknown>;
  readonly text: TextOf;
}

function topicMember({ name, member, whole }: IndexedField, topic: Uint8Array, path: string): string {
  if (whole === undefined) return `${member}{"topic":"${toHex(topic)}"}`;
  return `${member}${whole.text(topic, paddingOf(name, whole, topic, path))}`;
}

/** Returns the length of a topic's zero padding. */
function paddingOf(name: string, { size }: WholeValue, topic: Uint8Array, path: string): number {
  const padding = TOPIC_LENGTH - size;
  for (let at = 0; at < padding; at++) {
    if (topic[at] !== 0) {
      const reason = `expected ${padding} zero bytes before the value of ${path}.${name}`;
      throw new AbiError('wrong_topics', reason);
    }
  }
  return padding;
}

function joinMembers(some: string, more: string): string {
  return some === '' || more === '' ? some + more : `${some},${more}`;
}
