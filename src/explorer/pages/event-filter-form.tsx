import { useState } from 'preact/hooks';
import { ClientError } from '../../client/client.js';
import { condition } from '../../client/event-words.js';
import { type Notation, notationOf } from '../../client/value-words.js';
import type { TypeReference } from '../../idl/manifest.js';
import { shownType } from '../contract/type-hint.js';
import type { CompiledInterface } from '../interface/contract-interface.js';
import { Button, Form, LineInput, Select } from '../parts/controls.js';
import type { Mistake } from '../parts/mistake.js';
import type { EventWords } from '../routing/event-words.js';
import { shortName } from '../text/untrusted.js';
import { conditionPath, prepareFilter } from './event-filter.js';

/** Nodes filter by the first indexed fields only. */
const MAX_FIELDS = 3;
/** Maximum number of events to choose from. */
const MAX_EVENTS = 256;

interface Condition {
  readonly field: string;
  readonly text: string;
}

interface EventFilterFormProps {
  readonly compiled: CompiledInterface | undefined;
  readonly words: EventWords;
  readonly onApply: (words: EventWords) => void;
}

/** Chooses an event and values of its indexed fields. @param words the filter of the page, which may be wrong */
export function EventFilterForm({ compiled, words, onApply }: EventFilterFormProps) {
  const [event, setEvent] = useState(words.event);
  const [conditions, setConditions] = useState(() => conditionsOf(compiled, words));
  const [to, setTo] = useState(words.to ?? '');
  const [mistake, setMistake] = useState(() => mistakeOf(compiled, words));
  const apply = () => {
    const where = conditions.filter(({ text }) => text !== '').map(wordOf);
    const chosen = {
      ...(event !== undefined && { event }),
      where,
      ...(to.trim() !== '' && { to: to.trim() }),
    };
    const found = mistakeOf(compiled, chosen);
    setMistake(found);
    if (found === undefined) onApply(chosen);
  };
  const isFiltered = words.event !== undefined || words.where.length > 0 || words.to !== undefined;
  const names = [...(compiled?.abi.events.keys() ?? [])].slice(0, MAX_EVENTS);
  const shown = event === undefined || names.includes(event) ? names : [event, ...names];
  return (
    <>
      <Form class="form inline event-filter" onSubmit={apply}>
        {shown.length > 0 && (
          <div class="field">
            <Select
              label="Event"
              value={event ?? ''}
              options={[['', 'All events'], ...shown.map((name) => [name, shortName(name)] as const)]}
              isWrong={mistake?.path === 'event'}
              onChange={(value) => {
                const name = value === '' ? undefined : value;
                setEvent(name);
                const chosen = { ...(name !== undefined && { event: name }), where: [] };
                setConditions(conditionsOf(compiled, chosen));
                setMistake(undefined);
              }}
            />
          </div>
        )}
        {conditions.map(({ field, text }, at) => {
          const type = fieldType(compiled, event, field);
          const isKnown = type !== undefined && compiled !== undefined;
          const notation = isKnown ? notationOf(type, compiled.manifest) : undefined;
          return (
            <LineInput
              // Several conditions may be on one field.
              key={at}
              label={shortName(field)}
              hint={type === undefined ? '' : shownType(type)}
              path={conditionPath(wordOf({ field, text }))}
              value={text}
              placeholder={placeholderOf(notation)}
              mistake={mistake}
              onChange={(changed) => {
                // Spaces belong to the values of some types.
                const entered = notation === 'text' ? changed : changed.trim();
                setConditions(conditions.with(at, { field, text: entered }));
                setMistake(undefined);
              }}
            />
          );
        })}
        <LineInput
          label="Up to block"
          path="to"
          value={to}
          placeholder="latest"
          mistake={mistake}
          onChange={(changed) => {
            setTo(changed);
            setMistake(undefined);
          }}
        />
        <div class="event-filter-actions">
          <button type="submit">Filter</button>
          {isFiltered && <Button onClick={() => onApply({ where: [] })}>Show all</Button>}
        </div>
      </Form>
      {mistake !== undefined && !isAtField(mistake, conditions) && (
        <p class="notice notice-bad" role="alert">
          {mistake.message}
        </p>
      )}
    </>
  );
}

/** The conditions of a filter in the order of the event's indexed fields, with an empty one for each other field. */
function conditionsOf(
  compiled: CompiledInterface | undefined,
  { event, where }: EventWords,
): readonly Condition[] {
  const indexed = compiled?.abi.events.get(event ?? '')?.indexed.slice(0, MAX_FIELDS) ?? [];
  const given = where.flatMap(conditionOf);
  const known = indexed.flatMap((field) => {
    const some = given.filter((each) => each.field === field);
    return some.length === 0 ? [{ field, text: '' }] : some;
  });
  return [...known, ...given.filter(({ field }) => !indexed.includes(field))];
}

function conditionOf(word: string): readonly Condition[] {
  try {
    return [condition(word)];
  } catch (error) {
    if (error instanceof ClientError) return [];
    throw error;
  }
}

function wordOf({ field, text }: Condition): string {
  return `${field}=${text}`;
}

function mistakeOf(compiled: CompiledInterface | undefined, words: EventWords): Mistake | undefined {
  const prepared = prepareFilter(compiled, words);
  return prepared.ok ? undefined : prepared.mistake;
}

/** Whether a field shows the mistake. */
function isAtField({ path }: Mistake, conditions: readonly Condition[]): boolean {
  return path === 'to' || conditions.some((each) => conditionPath(wordOf(each)) === path);
}

function fieldType(
  compiled: CompiledInterface | undefined,
  event: string | undefined,
  field: string,
): TypeReference | undefined {
  const definition = compiled?.definition.events.find(({ name }) => name === event);
  return definition?.fields.find(({ name }) => name === field)?.type;
}

function placeholderOf(notation: Notation | undefined): string {
  if (notation === undefined) return '';
  return notation === 'address' ? '0x… or dev:0' : 'any';
}
