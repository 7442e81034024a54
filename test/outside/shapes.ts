// The forms of a value in Borsh and in the RPC's JSON. JSON is read as strictly as the documents allow the node to
// write it: no unknown member, no missing one, digits in the one published case and prefix.
import { BorshReader, BorshWriter } from './borsh.js';
import { hex, unhex } from './bytes.js';

export interface Shape<T> {
  write(out: BorshWriter, value: T): void;
  read(input: BorshReader): T;
  fromJson(value: unknown, path: string): T;
  toJson(value: T): unknown;
}

export type ValueOf<S> = S extends Shape<infer T> ? T : never;

export function encode<T>(shape: Shape<T>, value: T): Uint8Array {
  const out = new BorshWriter();
  shape.write(out, value);
  return out.finish();
}

export function decode<T>(shape: Shape<T>, bytes: Uint8Array): T {
  const input = new BorshReader(bytes);
  const value = shape.read(input);
  input.end();
  return value;
}

function fail(path: string, expected: string, value: unknown): never {
  throw new Error(`${path}: expected ${expected}, got ${JSON.stringify(value)?.slice(0, 200)}`);
}

function smallUint(width: number): Shape<number> {
  return {
    write: (out, value) => out.uint(BigInt(value), width),
    read: (input) => Number(input.uint(width)),
    fromJson(value, path) {
      if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value >= 2 ** (width * 8)) {
        fail(path, `an integer of ${width} bytes`, value);
      }
      return value;
    },
    toJson: (value) => value,
  };
}

export const u8 = smallUint(1);
export const u32 = smallUint(4);

export const u64: Shape<bigint> = {
  write: (out, value) => out.uint(value, 8),
  read: (input) => input.uint(8),
  fromJson(value, path) {
    if (typeof value === 'string' && /^[1-9][0-9]{15,19}$/.test(value)) {
      const wide = BigInt(value);
      if (wide > BigInt(Number.MAX_SAFE_INTEGER) && wide < 2n ** 64n) return wide;
    }
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
      fail(path, 'a safe integer, or a decimal string beyond', value);
    return BigInt(value);
  },
  toJson: (value) => (value > BigInt(Number.MAX_SAFE_INTEGER) ? value.toString() : Number(value)),
};

export const u128: Shape<bigint> = {
  write: (out, value) => out.uint(value, 16),
  read: (input) => input.uint(16),
  fromJson(value, path) {
    if (typeof value !== 'string' || !/^(0|[1-9][0-9]*)$/.test(value)) fail(path, 'a decimal string', value);
    return BigInt(value);
  },
  toJson: (value) => value.toString(),
};

export const bool: Shape<boolean> = {
  write: (out, value) => out.uint(value ? 1n : 0n, 1),
  read: (input) => input.flag(),
  fromJson(value, path) {
    if (typeof value !== 'boolean') fail(path, 'true or false', value);
    return value;
  },
  toJson: (value) => value,
};

export const string: Shape<string> = {
  write: (out, value) => out.lengthPrefixed(new Uint8Array(Buffer.from(value))),
  read: (input) => new TextDecoder('utf-8', { fatal: true }).decode(input.lengthPrefixed()),
  fromJson(value, path) {
    if (typeof value !== 'string') fail(path, 'a string', value);
    return value;
  },
  toJson: (value) => value,
};

function fixed(length: number, prefix: '' | '0x', pattern: RegExp): Shape<Uint8Array> {
  return {
    write(out, value) {
      if (value.length !== length) throw new Error(`expected ${length} bytes, got ${value.length}`);
      out.raw(value);
    },
    read: (input) => input.raw(length),
    fromJson(value, path) {
      if (typeof value !== 'string' || !pattern.test(value))
        fail(path, `${prefix}${length} bytes in hex`, value);
      return unhex(value);
    },
    toJson: (value) => prefix + hex(value),
  };
}

export const hash = fixed(32, '', /^[0-9a-f]{64}$/);
/** 32 bytes, which JSON writes like a hash: without a prefix. */
export const bytes32 = fixed(32, '', /^[0-9a-f]{64}$/);
export const bytes33 = fixed(33, '0x', /^0x[0-9a-f]{66}$/);
export const bytes48 = fixed(48, '0x', /^0x[0-9a-f]{96}$/);
export const bytes64 = fixed(64, '0x', /^0x[0-9a-f]{128}$/);
export const address = fixed(20, '0x', /^0x[0-9a-f]{40}$/);

export const bytes: Shape<Uint8Array> = {
  write: (out, value) => out.lengthPrefixed(value),
  read: (input) => input.lengthPrefixed(),
  fromJson(value, path) {
    if (typeof value !== 'string' || !/^0x([0-9a-f]{2})*$/.test(value))
      fail(path, '0x and hex digits', value);
    return unhex(value);
  },
  toJson: (value) => `0x${hex(value)}`,
};

/** Any JSON; it has no binary form. */
export const json: Shape<unknown> = {
  write: () => {
    throw new Error('json has no binary form');
  },
  read: () => {
    throw new Error('json has no binary form');
  },
  fromJson: (value) => value,
  toJson: (value) => value,
};

export function list<T>(item: Shape<T>): Shape<T[]> {
  return {
    write(out, values) {
      out.uint(BigInt(values.length), 4);
      for (const value of values) item.write(out, value);
    },
    read: (input) => Array.from({ length: Number(input.uint(4)) }, () => item.read(input)),
    fromJson(value, path) {
      if (!Array.isArray(value)) fail(path, 'an array', value);
      return value.map((entry, index) => item.fromJson(entry, `${path}[${index}]`));
    },
    toJson: (values) => values.map((value) => item.toJson(value)),
  };
}

/** A member that may be absent: undefined here, left out of JSON, a flag byte in Borsh. */
export function optional<T>(inner: Shape<T>): Shape<T | undefined> {
  return {
    write(out, value) {
      out.uint(value === undefined ? 0n : 1n, 1);
      if (value !== undefined) inner.write(out, value);
    },
    read: (input) => (input.flag() ? inner.read(input) : undefined),
    fromJson: (value, path) => (value === undefined ? undefined : inner.fromJson(value, path)),
    toJson: (value) => (value === undefined ? undefined : inner.toJson(value)),
  };
}

type Members<F extends Record<string, Shape<unknown>>> = { readonly [K in keyof F]: ValueOf<F[K]> };

// biome-ignore lint/suspicious/noExplicitAny: a field's type is inferred one by one from the literal it stands in
type Fields = Record<string, Shape<any>>;

export function struct<F extends Fields>(fields: F): Shape<Members<F>> {
  const entries = Object.entries(fields);
  return {
    write(out, value) {
      for (const [name, shape] of entries) shape.write(out, value[name]);
    },
    read: (input) =>
      Object.fromEntries(entries.map(([name, shape]) => [name, shape.read(input)])) as Members<F>,
    fromJson(value, path) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(path, 'an object', value);
      const members = new Map<string, unknown>(Object.entries(value));
      for (const name of members.keys()) {
        if (!Object.hasOwn(fields, name))
          fail(path, `only ${Object.keys(fields).join(', ')}`, { [name]: '…' });
      }
      return Object.fromEntries(
        entries.map(([name, shape]) => [name, shape.fromJson(members.get(name), `${path}.${name}`)]),
      ) as Members<F>;
    },
    toJson: (value) => Object.fromEntries(entries.map(([name, shape]) => [name, shape.toJson(value[name])])),
  };
}

/** The payload of a variant that has none: `null` in JSON, nothing in Borsh. */
export const none: Shape<null> = {
  write: () => undefined,
  read: () => null,
  fromJson(value, path) {
    if (value !== null) fail(path, 'null', value);
    return null;
  },
  toJson: () => null,
};

export type Variant<F extends Fields> = {
  [K in keyof F & string]: { readonly type: K; readonly value: ValueOf<F[K]> };
}[keyof F & string];

/** An enum; members in declaration order, named in snake_case as JSON names them. */
export function variants<F extends Fields>(fields: F): Shape<Variant<F>> {
  const names = Object.keys(fields);
  const shapeOf = (name: string | undefined, path: string): Shape<unknown> => {
    const shape = name === undefined ? undefined : fields[name];
    return shape ?? fail(path, `one of ${names.join(', ')}`, name);
  };
  return {
    write(out, value) {
      out.uint(BigInt(names.indexOf(value.type)), 1);
      shapeOf(value.type, 'enum').write(out, value.value);
    },
    read(input) {
      const index = Number(input.uint(1));
      return {
        type: names[index],
        value: shapeOf(names[index], `variant ${index}`).read(input),
      } as Variant<F>;
    },
    fromJson(value, path) {
      const record = value as { type?: unknown; value?: unknown } | null;
      if (
        typeof record !== 'object' ||
        record === null ||
        Object.keys(record).sort().join() !== 'type,value'
      ) {
        fail(path, '{type, value}', value);
      }
      const type =
        typeof record.type === 'string' && Object.hasOwn(fields, record.type) ? record.type : undefined;
      return { type, value: shapeOf(type, path).fromJson(record.value, `${path}.value`) } as Variant<F>;
    },
    toJson: (value) => ({ type: value.type, value: shapeOf(value.type, 'enum').toJson(value.value) }),
  };
}
