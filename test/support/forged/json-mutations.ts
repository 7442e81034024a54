/** A changed copy of a JSON value, and a description of the change. */
export interface Mutation {
  readonly what: string;
  readonly value: unknown;
}

export interface MutationOptions {
  /** Interval between the bits of hex digits that are flipped; default 1, every bit. */
  readonly bitStep?: number;
}

const HEX = /^(0x)?([0-9a-f]{2})*$/;

/**
 * Every copy of a JSON value that differs in one place: a flipped bit of hex digits, a byte added or removed, a
 * number one up or down, a negated boolean, a list item removed, doubled or swapped with the next, or an object
 * member removed.
 */
export function* mutations(value: unknown, options: MutationOptions = {}, path = '$'): Generator<Mutation> {
  if (typeof value === 'string') {
    yield* ofText(value, options.bitStep ?? 1, path);
  } else if (typeof value === 'number') {
    yield { what: `${path} + 1`, value: value + 1 };
    if (value > 0) yield { what: `${path} - 1`, value: value - 1 };
  } else if (typeof value === 'boolean') {
    yield { what: `not ${path}`, value: !value };
  } else if (Array.isArray(value)) {
    yield* ofList(value, options, path);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      yield {
        what: `without ${path}.${name}`,
        value: Object.fromEntries(Object.entries(value).filter(([other]) => other !== name)),
      };
      for (const inner of mutations(member, options, `${path}.${name}`)) {
        yield { what: inner.what, value: { ...value, [name]: inner.value } };
      }
    }
  }
}

function* ofText(text: string, bitStep: number, path: string): Generator<Mutation> {
  if (!HEX.test(text)) {
    yield { what: `${path} with a zero behind`, value: `${text}0` };
    return;
  }
  const start = text.startsWith('0x') ? 2 : 0;
  for (let bit = 0; bit < (text.length - start) * 4; bit += bitStep) {
    const at = start + (bit >> 2);
    const digit = Number.parseInt(text.charAt(at), 16) ^ (1 << (bit & 3));
    yield {
      what: `bit ${bit} of ${path}`,
      value: text.slice(0, at) + digit.toString(16) + text.slice(at + 1),
    };
  }
  yield { what: `${path} longer`, value: `${text}00` };
  if (text.length > start) yield { what: `${path} shorter`, value: text.slice(0, -2) };
}

function* ofList(list: readonly unknown[], options: MutationOptions, path: string): Generator<Mutation> {
  for (const [index, item] of list.entries()) {
    yield { what: `without ${path}[${index}]`, value: list.toSpliced(index, 1) };
    yield { what: `${path}[${index}] twice`, value: list.toSpliced(index, 0, item) };
    const next = list[index + 1];
    if (index + 1 < list.length && JSON.stringify(next) !== JSON.stringify(item)) {
      yield {
        what: `${path}[${index}] and the next swapped`,
        value: list.with(index, next).with(index + 1, item),
      };
    }
    for (const inner of mutations(item, options, `${path}[${index}]`)) {
      yield { what: inner.what, value: list.with(index, inner.value) };
    }
  }
}
