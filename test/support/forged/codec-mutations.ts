/** A random number from 0 up to but not including `limit`. */
type Random = (limit: number) => number;

export function pick<T>(items: readonly T[], random: Random): T {
  return items[random(items.length)] as T;
}

/** Mutates bytes at random: flips, overwrites, cuts, inserts or appends some, or writes a false length. */
export function mutateBytes(bytes: Uint8Array, random: Random): Uint8Array {
  const out = [...bytes];
  for (let n = random(3); n >= 0; n--) {
    const at = random(out.length + 1);
    switch (random(6)) {
      case 0:
        out[at % Math.max(out.length, 1)] = random(256);
        break;
      case 1:
        out[at % Math.max(out.length, 1)] = ((out[at] ?? 0) ^ (1 << random(8))) & 0xff;
        break;
      case 2:
        out.length = at;
        break;
      case 3:
        out.splice(at, 0, random(256));
        break;
      case 4:
        out.push(random(256));
        break;
      default:
        out.splice(
          at,
          4,
          ...pick(
            [
              [255, 255, 255, 255],
              [0, 0, 0, 128],
              [1, 0, 0, 0],
              [255, 255, 0, 0],
            ],
            random,
          ),
        );
    }
  }
  return Uint8Array.from(out);
}

const ODDITIES: readonly unknown[] = [
  null,
  true,
  -1,
  -0,
  0.5,
  256,
  2 ** 32,
  2 ** 53,
  1e300,
  '',
  'x',
  '0x',
  '0x0',
  `0x${'00'.repeat(20)}`,
  '00'.repeat(32),
  '-1',
  '007',
  '9'.repeat(39),
  '9'.repeat(5000),
  '\ud800',
  [],
  [[]],
  {},
  { type: 'none' },
  { type: 1, value: [] },
  JSON.parse('{"__proto__":{"type":"none"}}'),
  { toString: 1 },
  { length: 4 },
];

/** Replaces, removes, renames and adds values somewhere in a JSON value. */
export function mutateJson(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random(4) === 0) return pick(ODDITIES, random);
  if (Array.isArray(value)) {
    const list: unknown[] = [...value];
    if (list.length === 0 || random(3) === 0) list.push(list[0] ?? pick(ODDITIES, random));
    else {
      const at = random(list.length);
      list[at] = mutateJson(list[at], random);
    }
    return list;
  }
  const entries = Object.entries(value);
  const at = random(entries.length + 1);
  const entry = entries[at];
  if (entry === undefined)
    return { ...value, [pick(['extra', 'type', 'value', 'constructor', '0'], random)]: 1 };
  switch (random(4)) {
    case 0:
      entries.splice(at, 1);
      break;
    case 1:
      entries[at] = [`${entry[0]}_`, entry[1]];
      break;
    default:
      entries[at] = [entry[0], mutateJson(entry[1], random)];
  }
  return Object.fromEntries(entries);
}
