import type { Action } from '../../src/generated/ledger.js';
import type { VerifiedTransaction } from '../../src/ledger/transaction-envelope.js';
import { deployAction } from '../../test/support/contracts/deploy-action.js';
import { assemble, type ModuleSource } from '../../test/support/contracts/wasm-assembler.js';
import type { Scheme } from '../../test/support/crypto/signed-transactions.js';
import { ACCOUNTS, type BlockChainPair, type PriceAccount, type Signing } from './block-chain-pair.js';

/** A kind of block. */
export interface BlockCase {
  readonly shape: string;
  /** Contracts deployed before the measurement. */
  readonly contracts?: readonly ModuleSource[];
  /** Transactions of the blocks before the measured ones. */
  readonly before?: (world: CaseWorld) => readonly (readonly VerifiedTransaction[])[];
  /** {@link ROUNDS} if absent. */
  readonly rounds?: Rounds;
  /** The transactions of a round's block. */
  readonly transactions: (world: CaseWorld) => readonly VerifiedTransaction[];
}

export interface CaseWorld {
  readonly chain: BlockChainPair;
  /** Addresses of the case's contracts, in the same order. */
  readonly contracts: readonly Uint8Array[];
  /** A number unique within the bench. */
  readonly unique: () => number;
}

/** Number of blocks added before and during the measurement. */
export interface Rounds {
  readonly warmUp: number;
  readonly measured: number;
}

export const ROUNDS: Rounds = { warmUp: 1, measured: 3 };
/** For light transactions: V8 is still compiling the follower's code for the first thousands of them. */
const ROUNDS_OF_LIGHT: Rounds = { warmUp: 2, measured: 3 };
/** Transactions per account in a block of light ones, enough to make the block's fixed costs small. */
const TURNS_OF_LIGHT = 4;

const NO_BYTES: Uint8Array = new Uint8Array(0);
const SCHEMES = ['ed25519', 'secp256k1'] as const satisfies readonly Scheme[];

/** Every action, by scheme, in the shapes that take the most time for their gas. */
export function blockCases(): readonly BlockCase[] {
  return [
    ...[...SCHEMES.flatMap(transferCases), ...SCHEMES.flatMap(callCases), ...laneCases()].map((light) => ({
      ...light,
      rounds: ROUNDS_OF_LIGHT,
    })),
    ...deploymentCases(),
    ...stateCases(),
    sealedCase(),
  ];
}

function transfer(to: Uint8Array, amount = 1n): Action {
  return { type: 'transfer', value: { to, amount } };
}

function call(contract: Uint8Array, input = NO_BYTES, value = 0n): Action {
  return { type: 'call', value: { contract, input, value } };
}

/** An unused address or slot. */
function fresh({ unique }: CaseWorld, bytes: number): Uint8Array {
  const made = new Uint8Array(bytes).fill(0xfe);
  new DataView(made.buffer).setUint32(0, unique());
  return made;
}

function each(
  { chain }: CaseWorld,
  scheme: Scheme,
  count: number,
  signing: (account: PriceAccount, place: number) => Signing,
): readonly VerifiedTransaction[] {
  return chain.accounts[scheme]
    .slice(0, count)
    .map((account, place) => chain.sign(account, signing(account, place)));
}

/** A block with a few light transactions of every account. */
function light(
  world: CaseWorld,
  scheme: Scheme,
  signing: (account: PriceAccount, place: number) => Signing,
): readonly VerifiedTransaction[] {
  return Array.from({ length: TURNS_OF_LIGHT }, () => each(world, scheme, ACCOUNTS, signing)).flat();
}

function next(accounts: readonly PriceAccount[], place: number): Uint8Array {
  return accounts[(place + 1) % accounts.length]?.address ?? NO_BYTES;
}

function transferCases(scheme: Scheme): readonly BlockCase[] {
  const shapes: readonly (readonly [shape: string, signing: (world: CaseWorld, place: number) => Signing])[] =
    [
      [
        'from each to another',
        ({ chain }, place) => ({ action: transfer(next(chain.accounts[scheme], place)) }),
      ],
      ['to one account', () => ({ action: transfer(new Uint8Array(20).fill(7)) })],
      ['to new accounts', (world) => ({ action: transfer(fresh(world, 20)) })],
      ['of nothing', (world) => ({ action: transfer(fresh(world, 20), 0n) })],
      ['that fail', (world) => ({ action: transfer(fresh(world, 20), 2n ** 127n) })],
      [
        'that open a lane',
        (world) => ({ lane: world.unique(), action: transfer(new Uint8Array(20).fill(7)) }),
      ],
    ];
  return shapes.map(([shape, signing]) => ({
    shape: `${scheme}: transfers ${shape}`,
    transactions: (world) => light(world, scheme, (_, place) => signing(world, place)),
  }));
}

/** Accounts with the maximum number of lanes: their record is read, written and kept with each transaction. */
function laneCases(): readonly BlockCase[] {
  const MANY = 10;
  const LANES = 200;
  const EACH = 400;
  return [
    {
      shape: `ed25519: transfers among accounts of ${LANES} lanes`,
      before: (world) =>
        [0, 1, 2, 3].map((quarter) =>
          Array.from({ length: LANES / 4 }, (_, lane) =>
            each(world, 'ed25519', MANY, (account) => ({
              lane: 1_000_000 + (quarter * LANES) / 4 + lane,
              action: transfer(account.address, 0n),
            })),
          ).flat(),
        ),
      transactions: (world) =>
        Array.from({ length: EACH }, (_, turn) =>
          each(world, 'ed25519', MANY, (_, place) => ({
            lane: 1_000_000,
            action: transfer(next(world.chain.accounts.ed25519.slice(0, MANY), place + turn)),
          })),
        ).flat(),
    },
  ];
}

function callCases(scheme: Scheme): readonly BlockCase[] {
  const counts = [0, 1, 100] as const;
  return [
    {
      shape: `${scheme}: calls of no contract`,
      transactions: (world) => light(world, scheme, () => ({ action: call(fresh(world, 20)) })),
    },
    {
      shape: `${scheme}: upgrades of no contract`,
      transactions: (world) =>
        light(world, scheme, () => ({
          action: {
            type: 'upgrade',
            value: { contract: fresh(world, 20), code: NO_BYTES, abi_version: 1, input: NO_BYTES },
          },
        })),
    },
    ...counts.map((count) => ({
      shape: `${scheme}: batches of ${count} calls of no contract`,
      transactions: (world: CaseWorld) =>
        each(world, scheme, ACCOUNTS, () => ({
          action: {
            type: 'batch' as const,
            value: Array.from({ length: count }, () => ({
              contract: fresh(world, 20),
              input: NO_BYTES,
              value: 0n,
            })),
          },
        })),
    })),
    ...(
      [
        ['that return at once', 'i32.const 0'],
        ['that fail at once', 'i32.const 1'],
        ['that trap', 'unreachable'],
      ] as const
    ).map(([shape, code]) => ({
      shape: `${scheme}: calls ${shape}`,
      contracts: [{ memory: [0] as const, functions: [{ name: 'invoke', type: '>i', code }] }],
      transactions: (world: CaseWorld) =>
        light(world, scheme, () => ({ action: call(world.contracts[0] ?? NO_BYTES) })),
    })),
    {
      shape: `${scheme}: calls with too little gas to begin`,
      contracts: [{ memory: [0], functions: [{ name: 'invoke', type: '>i', code: 'i32.const 0' }] }],
      transactions: (world) =>
        light(world, scheme, () => ({
          gasLimit: 35_000n,
          action: call(world.contracts[0] ?? NO_BYTES),
        })),
    },
  ];
}

function deploymentCases(): readonly BlockCase[] {
  const minimal = (value: number) =>
    assemble({
      memory: [0],
      functions: [{ name: 'invoke', type: '>i', code: `i32.const ${value}; drop; i32.const 0` }],
    });
  return [
    {
      shape: 'ed25519: deployments of no code',
      transactions: (world) => each(world, 'ed25519', 1_000, () => ({ action: deployAction(NO_BYTES) })),
    },
    {
      shape: 'ed25519: deployments of one small contract',
      transactions: (world) => each(world, 'ed25519', 500, () => ({ action: deployAction(minimal(1)) })),
    },
    {
      shape: 'ed25519: deployments of small contracts, each another',
      transactions: (world) =>
        each(world, 'ed25519', 500, () => ({ action: deployAction(minimal(world.unique())) })),
    },
  ];
}

interface Loop {
  readonly shape: string;
  readonly imports: readonly string[];
  readonly body: string;
  readonly times: number;
  readonly gasLimit: bigint;
  readonly before?: { readonly imports: readonly string[]; readonly body: string; readonly gasLimit: bigint };
}

/** Contracts' effects on state and receipts, whose price must also pay for the tree, the history and the indexes. */
function stateCases(): readonly BlockCase[] {
  const write = (bytes: number) => `i32.const 0; i32.const 99; i32.const ${bytes}; call storage_write`;
  const removal = 'i32.const 0; call storage_remove; drop';
  const written = (bytes: number, gasLimit: bigint) => ({
    imports: ['storage_write'],
    body: write(bytes),
    gasLimit,
  });
  const loops: readonly Loop[] = [
    {
      shape: 'new slots of 0 bytes',
      imports: ['storage_write'],
      body: write(0),
      times: 1_000,
      gasLimit: 30_000_000n,
    },
    {
      shape: 'new slots of 16 KiB',
      imports: ['storage_write'],
      body: write(16_384),
      times: 40,
      gasLimit: 30_000_000n,
    },
    {
      shape: 'slots of 1 byte removed',
      imports: ['storage_remove'],
      body: removal,
      times: 1_000,
      gasLimit: 30_000_000n,
      before: written(1, 40_000_000n),
    },
    {
      shape: 'slots of 16 KiB removed',
      imports: ['storage_remove'],
      body: removal,
      times: 40,
      gasLimit: 30_000_000n,
      before: written(16_384, 30_000_000n),
    },
    {
      shape: 'slots of 16 KiB looked for',
      imports: ['storage_exists'],
      body: 'i32.const 0; call storage_exists; drop',
      times: 40,
      gasLimit: 30_000_000n,
      before: written(16_384, 30_000_000n),
    },
    {
      shape: 'slots of 16 KiB replaced by 0 bytes',
      imports: ['storage_write'],
      body: write(0),
      times: 40,
      gasLimit: 30_000_000n,
      before: written(16_384, 30_000_000n),
    },
    {
      shape: 'events of 4 topics',
      imports: ['emit'],
      body: 'i32.const 0; i32.const 4; i32.const 0; i32.const 0; call emit',
      times: 1_000,
      gasLimit: 30_000_000n,
    },
    {
      shape: 'events of nothing',
      imports: ['emit'],
      body: 'i32.const 0; i32.const 0; i32.const 0; i32.const 0; call emit',
      times: 1_000,
      gasLimit: 30_000_000n,
    },
    {
      shape: 'amounts sent to new accounts',
      imports: ['transfer'],
      body: 'i32.const 0; i32.const 200; call transfer; drop',
      times: 1_000,
      gasLimit: 60_000_000n,
    },
    {
      shape: 'outputs of 60,000 bytes',
      imports: ['set_output'],
      body: 'i32.const 0; i32.const 60000; call set_output',
      times: 1,
      gasLimit: 5_000_000n,
    },
  ];
  return loops.map(({ shape, imports, body, times, gasLimit, before }) => ({
    shape: `state: ${shape}`,
    // The input's first byte selects `body` or `before.body`; the other twelve are part of slots or addresses.
    contracts: [
      {
        imports: [...new Set(['input_read', ...imports, ...(before?.imports ?? [])])],
        memory: [1] as const,
        data: [{ at: 200, bytes: Uint8Array.of(1) }],
        functions: [
          {
            name: 'invoke',
            type: '>i',
            locals: 'i',
            code: `i32.const 4; i32.const 1; i32.const 12; call input_read; drop
              i32.const 40; i32.const 0; i32.const 1; call input_read; drop
              loop
                i32.const 0; local.get 0; i32.store
                i32.const 40; i32.load8_u
                if; ${body}; else; ${before?.body ?? ''}; end
                local.get 0; i32.const 1; i32.add; local.tee 0; i32.const ${times}; i32.lt_u; br_if 0
              end; i32.const 0`,
          },
        ],
      },
    ],
    ...slotRounds(before?.gasLimit, gasLimit),
  }));
}

/** Rounds that each work on separate slots, written by a block before each if needed. */
function slotRounds(
  beforeGas: bigint | undefined,
  gasLimit: bigint,
): Pick<BlockCase, 'before' | 'transactions'> {
  const prepared: number[] = [];
  const inputOf = (first: number, unique: number) => {
    const input = new Uint8Array(13);
    input[0] = first;
    new DataView(input.buffer).setUint32(1, unique);
    return input;
  };
  const calls = (world: CaseWorld, gas: bigint, inputs: readonly Uint8Array[]) =>
    inputs.map((input, place) => {
      const account = world.chain.accounts.ed25519[place];
      if (account === undefined) throw new Error('too few accounts');
      const contract = world.contracts[0] ?? NO_BYTES;
      return world.chain.sign(account, {
        gasLimit: gas,
        action: call(contract, input, place === 0 ? 10n ** 9n : 0n),
      });
    });
  const PER_BLOCK = 20;
  return {
    before: (world) =>
      beforeGas === undefined
        ? []
        : Array.from({ length: ROUNDS.warmUp + ROUNDS.measured }, () => {
            const uniques = Array.from({ length: PER_BLOCK }, () => world.unique());
            prepared.push(...uniques);
            return calls(
              world,
              beforeGas,
              uniques.map((unique) => inputOf(0, unique)),
            );
          }),
    transactions: (world) => {
      const uniques =
        beforeGas === undefined
          ? Array.from({ length: PER_BLOCK }, () => world.unique())
          : prepared.splice(0, PER_BLOCK);
      return calls(
        world,
        gasLimit,
        uniques.map((unique) => inputOf(1, unique)),
      );
    },
  };
}

function sealedCase(): BlockCase {
  let count = 0;
  return {
    shape: 'ed25519: envelopes',
    transactions: ({ chain }) =>
      chain.accounts.ed25519.slice(0, 200).map((account) => {
        // The bench never reaches these heights, so no envelope opens.
        const opensAt = 900n - BigInt(Math.floor(count++ / 16));
        return chain.envelope(account, opensAt, 100);
      }),
  };
}
