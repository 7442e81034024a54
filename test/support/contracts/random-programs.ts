// Random contracts that call each other, write, send, fail, and may read what depends on the gas limit.
import fc from 'fast-check';
import type { StateSource } from '../../../src/execution/state-source.js';
import { Overlay } from '../../../src/execution/views/overlay.js';
import { WorldState } from '../../../src/execution/world-state.js';
import { EMPTY_ACCOUNT } from '../../../src/ledger/accounts.js';
import { type BlockWorld, hexOf, numbered } from '../worlds/block-world.js';
import { assemble } from './wasm-assembler.js';
import { writeContract } from './write-contract.js';

/** Number of contracts; the next number is an account without code. */
export const CONTRACTS = 3;
export const SENDER = numbered(1);
/** Address of a numbered contract. */
export const placeOf = (number: number): Uint8Array => new Uint8Array(20).fill(0xc0 + number);
export const NOBODY = new Uint8Array(20).fill(0x77);

/** A part of a contract: its code, and whether its effect may depend on the gas limit beyond its own cost. */
export interface Step {
  readonly code: string;
  readonly isBound?: true;
}

/*
 * Memory layout: a slot at 0, a value at 64, a topic at 128, the output at 256, an amount at 512. The addresses of
 * the contracts, the sender and an unused account start at 320, each at a multiple of 32.
 */
export const addressAt = (index: number): number => 320 + 32 * index;
export const SENDER_AT = addressAt(CONTRACTS);
export const NOBODY_AT = addressAt(CONTRACTS + 1);

const blindStep: fc.Arbitrary<Step> = fc
  .oneof(
    fc
      .nat(3)
      .map(
        (slot) =>
          `i32.const 0; i32.const ${slot}; i32.store; i32.const 0; i32.const 64; i32.const ${1 + 9 * slot}; call storage_write`,
      ),
    fc
      .nat(3)
      .map(
        (slot) =>
          `i32.const 0; i32.const ${slot}; i32.store; i32.const 0; i32.const 64; i32.const 32; call storage_read; i32.const 256; i32.add; i32.load8_u; i32.const 257; i32.add; drop`,
      ),
    fc
      .nat(3)
      .map((slot) => `i32.const 0; i32.const ${slot}; i32.store; i32.const 0; call storage_remove; drop`),
    fc
      .nat(2)
      .map(
        (topics) => `i32.const 128; i32.const ${topics}; i32.const 64; i32.const ${7 * topics}; call emit`,
      ),
    fc.nat(60).map((length) => `i32.const 256; i32.const ${length}; call set_output`),
    fc.nat(4).map((pages) => `i32.const ${pages}; memory.grow; drop`),
    fc
      .nat(300)
      .map(
        (rounds) =>
          `i32.const ${rounds + 1}; local.set 0; loop; local.get 0; i32.const 1; i32.sub; local.tee 0; br_if 0; end`,
      ),
    fc.nat(900).map((levels) => `i32.const ${levels}; call deep`),
    fc.constant('i32.const 64; i32.const 40; i32.const 256; call sha256'),
    fc.constant('i32.const 256; call value'),
  )
  .map((code) => ({ code }));

const endStep: fc.Arbitrary<Step> = fc.constantFrom(
  { code: 'i32.const 64; i32.const 12; call revert' },
  { code: 'unreachable' },
  { code: 'i32.const -4; i32.load; drop' },
  { code: 'loop; br 0; end' },
);

/** Returns the gas left. */
export const REPORT = 'i32.const 256; call gas_left; i64.store; i32.const 256; i32.const 8; call set_output';

export const sends = (amount: number): Step => ({
  code: `i32.const 512; i64.const ${amount}; i64.store; i32.const ${NOBODY_AT}; i32.const 512; call transfer; i32.const 64; i32.add; i32.const 256; i32.store`,
});

const boundStep: fc.Arbitrary<Step> = fc.oneof(
  fc.constant<Step>({ code: 'i32.const 256; call gas_left; i64.store', isBound: true }),
  fc.constant<Step>({ code: REPORT, isBound: true }),
  fc.constant<Step>({
    code: 'call gas_left; i64.const 150000; i64.lt_u; if; i32.const 64; i32.const 3; call revert; end',
    isBound: true,
  }),
  fc
    .constantFrom(SENDER_AT, NOBODY_AT, addressAt(0))
    .map((at): Step => ({ code: `i32.const ${at}; i32.const 256; call balance`, isBound: true })),
  fc.record({ to: fc.nat(CONTRACTS), gas: fc.constantFrom('-1', '0', '30000'), value: fc.nat(2) }).map(
    ({ to, gas, value }): Step => ({
      code: `i32.const 512; i64.const ${value}; i64.store; i32.const ${addressAt(to)}; i32.const 512; i64.const ${gas}; i32.const 64; i32.const 4; call call; drop`,
      isBound: true,
    }),
  ),
);

export const program = fc
  .tuple(
    fc.array(
      fc.oneof(
        { weight: 12, arbitrary: blindStep },
        { weight: 2, arbitrary: fc.constantFrom(0, 1, 1_000_000).map(sends) },
        { weight: 2, arbitrary: boundStep },
      ),
      { maxLength: 7 },
    ),
    fc.option(endStep, { freq: 4 }),
  )
  .map(([steps, end]) => (end === null ? steps : [...steps, end]));

const IMPORTS = [
  ...['storage_write', 'storage_read', 'storage_remove', 'emit', 'set_output', 'sha256', 'value', 'revert'],
  ...['transfer', 'balance', 'call', 'gas_left'],
];

function contractOf(steps: readonly Step[]): Uint8Array {
  const code = steps.map((step) => step.code).join('\n');
  const address = (index: number, bytes: Uint8Array) => ({ at: addressAt(index), bytes });
  return assemble({
    // An import counts as a call even if never called, because the witness is based on imports.
    imports: IMPORTS.filter((name) => code.includes(`call ${name}`)),
    memory: [1, 4],
    data: [
      ...Array.from({ length: CONTRACTS }, (_, index) => address(index, placeOf(index))),
      address(CONTRACTS, SENDER),
      address(CONTRACTS + 1, NOBODY),
    ],
    functions: [
      { name: 'invoke', type: '>i', locals: 'i', code: `${code}\ni32.const 0` },
      {
        name: 'deep',
        type: 'i>',
        code: 'local.get 0; if; local.get 0; i32.const 1; i32.sub; call deep; end',
        isExported: false,
      },
    ],
  });
}

/** A state with the contracts, whose programs are numbered, and the sender's balance. */
export function stateWith(
  world: BlockWorld,
  programs: readonly (readonly Step[])[],
  balance: bigint,
): StateSource {
  const state = new WorldState(world.state);
  for (const [index, steps] of programs.entries()) {
    writeContract(state, placeOf(index), contractOf(steps), world.crypto);
  }
  state.writeAccount(hexOf(SENDER), { ...EMPTY_ACCOUNT, balance });
  const overlay = new Overlay(world.state);
  overlay.absorb(state);
  return overlay;
}
