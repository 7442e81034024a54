import * as v from 'valibot';
import { errorMessage } from '../../base/errors.js';
import { readCallLine } from '../../load/calls/call-line.js';
import { type Definition, readDefinition } from './definition.js';
import { members, Place } from './place.js';
import { MAX_CALLS } from './range.js';
import { checkJsonValue, PARAMETER_NAME, type TemplatePart, templateParts } from './template.js';
import { readText } from './text-file.js';

const MAX_SEED = 2 ** 32 - 1;

/** A sweep file whose values are checked one by one, but not together. */
export interface SweepFile {
  readonly place: Place;
  readonly method: string;
  readonly params: readonly TemplatePart[];
  /** By name, in the order of the file. */
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly samples: number | undefined;
  readonly seed: number | undefined;
}

function integerTo(least: number, most: number): v.GenericSchema<unknown, number> {
  const expected = `an integer from ${least} to ${most}`;
  return v.pipe(
    v.number(expected),
    v.safeInteger(expected),
    v.minValue(least, expected),
    v.maxValue(most, expected),
  );
}

/** A schema of records would drop members such as `constructor`. */
function objectWith(content: string): v.GenericSchema<unknown, object> {
  return v.custom<object>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    `an object with ${content}`,
  );
}

export const samplesSchema: v.GenericSchema<unknown, number> = integerTo(1, MAX_CALLS);
export const seedSchema: v.GenericSchema<unknown, number> = integerTo(0, MAX_SEED);

const fileSchema = members({
  call: members({
    method: v.string('the name of a method'),
    params: objectWith('the parameters by name'),
  }),
  parameters: objectWith('the parameters of the sweep by name'),
  samples: v.optional(samplesSchema),
  seed: v.optional(seedSchema),
});

/** @throws SweepError */
export async function readSweepFile(path: string): Promise<SweepFile> {
  const place = new Place(path);
  const value = parseJson(await wholeText(path), place);
  checkJsonValue(value, place);
  const { call, parameters, samples, seed } = place.check(fileSchema, value);
  const line = readCallLine(JSON.stringify(call));
  if ('problem' in line) throw place.at('call').wrong(line.problem);

  const definitions = new Map<string, Definition>();
  for (const [name, definition] of Object.entries(parameters)) {
    const own = place.at('parameters', name);
    if (!PARAMETER_NAME.test(name)) {
      throw own.wrong('expected a name of letters, digits and underscores that begins with a letter');
    }
    definitions.set(name, readDefinition(definition, own));
  }
  if (definitions.size === 0) throw place.at('parameters').wrong('expected at least one parameter, got none');
  const params = templateParts(call.params, place.at('call', 'params'));
  return { place, method: call.method, params, definitions, samples, seed };
}

async function wholeText(path: string): Promise<string> {
  let text = '';
  for await (const chunk of readText(path)) text += chunk;
  return text;
}

function parseJson(text: string, place: Place): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Some engines quote lines of the file.
    throw place.wrong(`expected JSON: ${errorMessage(error).replace(/\s+/g, ' ')}`);
  }
}
