import type { Definition } from './definition.js';
import type { Place } from './place.js';
import type { SweepFile } from './sweep-file.js';
import type { Reference } from './template.js';

/** A value that calls contain, and its first use in the template. */
export interface Use {
  /** As in the template and the identifiers of calls: `height`, `row.address`. */
  readonly name: string;
  readonly csvColumn: string | undefined;
  readonly place: Place;
}

/**
 * Matches the references of the template with the parameters.
 * @returns the used values of each parameter, at least one
 * @throws SweepError about a reference or a parameter without counterpart, or a value that is no text inside a string
 */
export function findUses({
  params,
  definitions,
  place,
}: SweepFile): ReadonlyMap<string, ReadonlyMap<string, Use>> {
  const uses = new Map([...definitions.keys()].map((name) => [name, new Map<string, Use>()]));
  for (const part of params) {
    if (typeof part === 'string') continue;
    const definition = definitions.get(part.name);
    if (definition === undefined) {
      throw part.place.unexpected(`one of the parameters ${[...definitions.keys()].join(', ')}`, part.name);
    }
    checkUse(part, definition);
    const name = usedName(part);
    const own = uses.get(part.name);
    if (own?.has(name) === false) own.set(name, { name, csvColumn: part.column, place: part.place });
  }
  for (const [name, own] of uses) {
    if (own.size === 0) throw place.at('parameters', name).wrong('expected a use in call.params, got none');
  }
  return uses;
}

export function usedName({ name, column }: Reference): string {
  return column === undefined ? name : `${name}.${column}`;
}

function checkUse(reference: Reference, definition: Definition): void {
  const { place, name, column, isWhole } = reference;
  if (definition.kind === 'csv' && column === undefined) {
    throw place.wrong(`expected a column of the CSV file, such as \${${name}.address}, got \${${name}}`);
  }
  if (definition.kind !== 'csv' && column !== undefined) {
    throw place.wrong(`expected \${${name}}, because ${name} has no columns, got \${${usedName(reference)}}`);
  }
  if (definition.kind === 'points' && !definition.canBeInText && !isWhole) {
    throw place.wrong(
      `expected \${${name}} as a whole string, because it has values that are no text, got a longer one`,
    );
  }
}
