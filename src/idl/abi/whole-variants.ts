import { describe, JsonDecodeError } from '../codecs/codec-errors.js';
import type { MapLeaf } from '../map-leaves.js';

/**
 * For {@link mapLeaves}: writes out variants without payload that are given by their names alone: `"yes"` becomes
 * `{"type":"yes"}`.
 * @throws JsonDecodeError for another name, listing the variants
 */
export const wholeVariant: MapLeaf = (type, value, path) => {
  if (type.kind !== 'enum') return value;
  const { name, variants } = type.definition;
  const found = variants.find((variant) => variant.tag === value || variant.name === value);
  if (found !== undefined && found.payload === undefined) return { type: found.tag };
  const forms = variants.map(({ tag, payload }) =>
    payload === undefined ? tag : `{"type":"${tag}","value":…}`,
  );
  throw new JsonDecodeError('wrong_value', path, `${name}: ${forms.join(', ')}`, describe(value));
};
