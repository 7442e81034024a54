import type { NativeMode } from '../../src/config/native-mode.js';
import type { Crypto } from '../../src/crypto/crypto.js';
import { loadBls } from '../../src/crypto/load-bls.js';
import { type Endless, endless, type PriceCase, repeat } from './price-case.js';

/** Index of the first account without a contract; the store has `entries` accounts with a balance from here on. */
export const FIRST_ACCOUNT = 1_000_000;
/** Number of the first slot with a large value, and the number of such slots: more than fit into the block cache. */
export const FIRST_LARGE_SLOT = 2_000_000_000;
export const LARGE_SLOTS = 2_000;

const KIB = 1024;
export const LARGE_SLOT_BYTES: number = 16 * KIB;
/** Stores the next slot or address at 0; visits all of `count` in a cache-hostile order. */
const stir = (count: number, first = 0): string =>
  `i32.const 0; local.get 0; i32.const 1664525; i32.mul; i32.const 1013904223; i32.add; local.tee 0; i32.const ${count}; i32.rem_u; i32.const ${first}; i32.add; i32.store;`;

interface Options extends Omit<Endless, 'imports'>, Pick<PriceCase, 'view'> {
  readonly shape?: string;
  readonly isView?: boolean;
}

/** Every host function with its most expensive use. */
export async function hostCases(crypto: Crypto, native: NativeMode, entries: number): Promise<PriceCase[]> {
  const cases: PriceCase[] = [];
  const add = (
    name: string,
    body: string,
    { shape = 'over and over', isView, view, ...rest }: Options = {},
  ): void => {
    const memory = [16] as const;
    const contract = endless(body, { memory, ...rest, imports: [name] });
    cases.push({
      price: name,
      shape,
      contracts: [contract],
      ...(isView === undefined ? {} : { frame: { isView } }),
      ...(view === undefined ? {} : { view }),
    });
  };
  for (const name of [
    'input_size',
    'returned_size',
    'block_height',
    'block_timestamp_ms',
    'chain_id',
    'gas_left',
  ]) {
    add(
      name,
      repeat(16, () => `call ${name}; drop`),
    );
  }
  for (const name of ['caller', 'origin', 'self', 'value'])
    add(
      name,
      repeat(16, () => `i32.const 64; call ${name}`),
    );
  for (const bytes of [0, 1_000, 16 * KIB]) {
    const shape = `${bytes} bytes`;
    add(
      'input_read',
      repeat(16, () => `i32.const 1; i32.const 0; i32.const ${bytes}; call input_read; drop`),
      { shape },
    );
    add(
      'set_output',
      repeat(16, () => `i32.const 1; i32.const ${bytes}; call set_output`),
      { shape },
    );
    add(
      'log',
      repeat(16, () => `i32.const 1; i32.const ${bytes}; call log`),
      { shape },
    );
    add(
      'returned_read',
      repeat(16, () => `i32.const 1; i32.const 0; i32.const ${bytes}; call returned_read; drop`),
      { shape },
    );
    for (const topics of [0, 4]) {
      add('emit', `i32.const 1; i32.const ${topics}; i32.const 1; i32.const ${bytes}; call emit`, {
        shape: `${topics} topics, ${bytes} bytes`,
      });
    }
    add(
      'storage_write',
      `${stir(1 << 30)} i32.const 0; i32.const 99; i32.const ${bytes}; call storage_write`,
      { shape: `${bytes} bytes, slots that are new` },
    );
    add('storage_write', `i32.const 0; i32.const 99; i32.const ${bytes}; call storage_write`, {
      shape: `${bytes} bytes, one slot`,
    });
  }
  add('storage_read', `${stir(entries)} i32.const 0; i32.const 64; i32.const 32; call storage_read; drop`, {
    shape: `${entries} slots in turn`,
  });
  add('storage_read', `${stir(1 << 30)} i32.const 0; i32.const 64; i32.const 32; call storage_read; drop`, {
    shape: 'slots that are not there',
  });
  for (const view of ['latest', 'earlier'] as const) {
    add('storage_read', `${stir(1 << 30)} i32.const 0; i32.const 64; i32.const 32; call storage_read; drop`, {
      shape: `slots that are not there, in a view of the ${view} height after pruning`,
      view,
    });
  }
  add('storage_exists', `${stir(entries)} i32.const 0; call storage_exists; drop`, {
    shape: `${entries} slots in turn`,
  });
  for (const [name, body] of [
    ['storage_read', `i32.const 0; i32.const 64; i32.const ${LARGE_SLOT_BYTES}; call storage_read; drop`],
    ['storage_exists', 'i32.const 0; call storage_exists; drop'],
  ] as const) {
    add(name, `${stir(LARGE_SLOTS, FIRST_LARGE_SLOT)} ${body}`, {
      shape: `${LARGE_SLOTS} slots of ${LARGE_SLOT_BYTES} bytes in turn`,
    });
  }
  add('storage_remove', `${stir(entries)} i32.const 0; call storage_remove; drop`, {
    shape: `${entries} slots in turn`,
  });
  add('balance', `${stir(entries, FIRST_ACCOUNT)} i32.const 0; i32.const 64; call balance`, {
    shape: `${entries} accounts in turn`,
  });
  add('balance', `${stir(1 << 30, FIRST_ACCOUNT)} i32.const 0; i32.const 64; call balance`, {
    shape: 'accounts that are not there',
  });
  add('transfer', `${stir(entries, FIRST_ACCOUNT)} i32.const 0; i32.const 32; call transfer; drop`, {
    shape: `to ${entries} accounts in turn`,
    data: [{ at: 32, bytes: Uint8Array.of(1) }],
  });
  add(
    'call',
    `${stir(entries, FIRST_ACCOUNT)} i32.const 0; i32.const 32; i64.const 0; i32.const 0; i32.const 0; call call; drop`,
    { shape: `of ${entries} accounts that are no contracts` },
  );
  add('call', 'i32.const 0; i32.const 32; i64.const -1; i32.const 0; i32.const 524288; call call; drop', {
    shape: 'of no contract, with 512 KiB',
  });
  add(
    'view',
    `${stir(1 << 30, FIRST_ACCOUNT)} i32.const 0; i64.const 0; i32.const 0; i32.const 0; call view; drop`,
    { shape: 'of accounts that are not there' },
  );
  for (const name of ['sha256', 'blake3', 'keccak256']) {
    for (const bytes of [0, 32, 135, 1_000, 16 * KIB, 1024 * KIB - 64]) {
      add(name, `i32.const 0; i32.const ${bytes}; i32.const 0; call ${name}`, { shape: `${bytes} bytes` });
    }
  }
  cases.push(...(await signatureCases(crypto, native)));
  const revert = {
    imports: ['revert'],
    memory: [1] as const,
    functions: [
      { name: 'invoke', type: '>i', code: 'i32.const 0; i32.const 60000; call revert; i32.const 0' },
    ],
  };
  const caller = endless('i32.const 0; i64.const -1; i32.const 0; i32.const 0; call view; drop', {
    imports: ['view'],
    memory: [1],
    setup: 'i32.const 0; i32.const 1; i32.store;',
  });
  cases.push({ price: 'revert', shape: 'in a nested call, 60,000 bytes', contracts: [caller, revert] });
  return cases;
}

async function signatureCases(crypto: Crypto, native: NativeMode): Promise<PriceCase[]> {
  const bls = await loadBls(native);
  const key = new Uint8Array(32).fill(5);
  const cases: PriceCase[] = [];
  const at = (...parts: readonly Uint8Array[]) => [
    { at: 16 * KIB * 8, bytes: Uint8Array.from(parts.flatMap((part) => [...part])) },
  ];
  const base = 16 * KIB * 8;
  for (const bytes of [0, 100, 64 * KIB]) {
    const shape = `${bytes} bytes, a good signature`;
    const message = new Uint8Array(bytes);
    const ed25519 = at(crypto.ed25519.sign(message, key), crypto.ed25519.publicKey(key));
    cases.push({
      price: 'ed25519_verify',
      shape,
      contracts: [
        endless(
          `i32.const 0; i32.const ${bytes}; i32.const ${base}; i32.const ${base + 64}; call ed25519_verify; drop`,
          { imports: ['ed25519_verify'], memory: [4], data: ed25519 },
        ),
      ],
    });
    const signed = at(bls.sign(message, key), bls.publicKey(key));
    cases.push({
      price: 'bls_verify',
      shape,
      contracts: [
        endless(
          `i32.const 0; i32.const ${bytes}; i32.const ${base}; i32.const ${base + 96}; call bls_verify; drop`,
          { imports: ['bls_verify'], memory: [4], data: signed },
        ),
      ],
    });
  }
  const hash = new Uint8Array(32).fill(9);
  for (const id of [0, 1, 2, 3]) {
    cases.push({
      price: 'secp256k1_recover',
      shape: `recovery id ${id}`,
      contracts: [
        endless(
          `i32.const ${base}; i32.const ${base + 32}; i32.const ${id}; i32.const 0; call secp256k1_recover; drop`,
          { imports: ['secp256k1_recover'], memory: [4], data: at(hash, crypto.secp256k1.sign(hash, key)) },
        ),
      ],
    });
  }
  return cases;
}
