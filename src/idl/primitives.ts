export interface IntegerType {
  readonly bits: number;
  readonly signed: boolean;
}

const WIDTHS: readonly number[] = [8, 16, 32, 64, 128];

/** Integer primitives by name. */
export const INTEGERS: ReadonlyMap<string, IntegerType> = new Map<string, IntegerType>([
  ...WIDTHS.map((bits) => [`u${bits}`, { bits, signed: false }] as const),
  ...WIDTHS.map((bits) => [`i${bits}`, { bits, signed: true }] as const),
]);

/** Names of the built-in types other than `bytesN`. */
export const PRIMITIVES: ReadonlySet<string> = new Set([
  'bool',
  ...INTEGERS.keys(),
  'string',
  'bytes',
  'address',
  'hash',
  'json',
]);

const BYTES_N = /^bytes([1-9][0-9]*)$/;
/** The largest N of `bytesN`. */
export const MAX_FIXED_BYTES = 65_535;

export function isPrimitive(name: string): boolean {
  return PRIMITIVES.has(name) || fixedBytesLength(name) !== undefined;
}

/** Length in bytes of `address`, `hash` or `bytesN`; undefined for every other name. */
export function fixedBytesLength(name: string): number | undefined {
  if (name === 'address') return 20;
  if (name === 'hash') return 32;
  const digits = BYTES_N.exec(name)?.[1];
  if (digits === undefined) return undefined;
  const length = Number(digits);
  return length <= MAX_FIXED_BYTES ? length : undefined;
}

/** Whether a name can never be declared: a primitive, or anything like `bytesN`, valid or not. */
export function isReservedTypeName(name: string): boolean {
  return isPrimitive(name) || /^bytes[0-9]+$/.test(name);
}

/** `CatchingUp` → `catching_up`, `Secp256k1` → `secp256k1`, `HTTPError` → `http_error`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}
