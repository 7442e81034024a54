import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import fc from 'fast-check';
import { ContractSandbox, type SandboxContract } from '../../src/contract-sdk/sandbox.js';
import { assemble } from '../support/contracts/wasm-assembler.js';
import { addressText, contractAbi, deployExample } from '../support/worlds/contract-world.js';
import { address } from '../support/worlds/vm-world.js';

describe('the pool of the example amm', () => {
  const [AMM, TOKEN_A, TOKEN_B] = [address(0xa0), address(0x7a), address(0x7b)] as const;
  const [ann, bob] = [address(1), address(2)] as const;
  const [POOL, A, B, ANN, BOB] = [AMM, TOKEN_A, TOKEN_B, ann, bob].map(addressText) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const DEADLINE = 1_700_000_060_000;
  const MAX = (2n ** 128n - 1n).toString();
  const PLENTY = 2n ** 120n;

  let world: ContractSandbox;
  let amm: SandboxContract;
  let tokenA: SandboxContract;
  let tokenB: SandboxContract;

  beforeEach(async () => {
    world = await ContractSandbox.create();
    tokenA = newToken(TOKEN_A, 'A');
    tokenB = newToken(TOKEN_B, 'B');
    amm = deployExample(world, 'amm', AMM);
    amm.init({ token_a: A, token_b: B });
  });

  function newToken(at: Uint8Array, symbol: string): SandboxContract {
    const token = deployExample(world, 'token', at);
    const nobody = addressText(address(0));
    token.init({
      name: symbol,
      symbol,
      decimals: 18,
      supply: (2n * PLENTY).toString(),
      owner: ANN,
      minter: nobody,
    });
    token.call('transfer', { to: BOB, amount: PLENTY.toString() }, { from: ann });
    for (const from of [ann, bob]) token.call('approve', { spender: POOL, amount: MAX }, { from });
    return token;
  }

  const balance = (token: SandboxContract, owner: string): bigint =>
    BigInt(String(token.call('balance_of', { owner })));

  function reserves(): { a: bigint; b: bigint } {
    const { a, b } = amm.call('reserves') as { a: string; b: string };
    return { a: BigInt(a), b: BigInt(b) };
  }

  type Deposit = {
    readonly amount_a: string;
    readonly amount_b: string;
    readonly shares: string;
  };

  function add(amountA: bigint, amountB: bigint, from = ann, least = { a: 0n, b: 0n }): Deposit {
    return amm.call('add_liquidity', addArgs(amountA, amountB, from, least), { from }) as Deposit;
  }

  function addArgs(
    amountA: bigint,
    amountB: bigint,
    from: Uint8Array,
    least = { a: 0n, b: 0n },
  ): Record<string, unknown> {
    return {
      amount_a: amountA.toString(),
      amount_b: amountB.toString(),
      min_a: least.a.toString(),
      min_b: least.b.toString(),
      to: addressText(from),
      deadline_ms: DEADLINE,
    };
  }

  function swapArgs(tokenIn: string, amountIn: bigint, minOut = 0n, to = BOB): Record<string, unknown> {
    return {
      token_in: tokenIn,
      amount_in: amountIn.toString(),
      min_out: minOut.toString(),
      to,
      deadline_ms: DEADLINE,
    };
  }

  function swap(tokenIn: string, amountIn: bigint, minOut = 0n): bigint {
    return BigInt(String(amm.call('swap', swapArgs(tokenIn, amountIn, minOut), { from: bob })));
  }

  function errorName(name: string, args: unknown, from = ann): string {
    const failure = amm.failure(name, args, { from });
    return typeof failure === 'string' ? failure : failure.name;
  }

  test('the first deposit sets the ratio and locks a thousand shares forever', () => {
    assert.deepEqual(add(4_000_000n, 1_000_000n), {
      amount_a: '4000000',
      amount_b: '1000000',
      shares: '1999000',
    });
    assert.deepEqual(reserves(), { a: 4_000_000n, b: 1_000_000n });
    assert.equal(amm.call('total_shares'), '2000000');
    assert.equal(amm.call('shares_of', { owner: ANN }), '1999000');
    assert.equal(balance(tokenA, POOL), 4_000_000n);
    assert.deepEqual(amm.events(), [
      {
        name: 'LiquidityAdded',
        args: { provider: ANN, to: ANN, amount_a: '4000000', amount_b: '1000000', shares: '1999000' },
      },
    ]);
  });

  test('later deposits take both tokens in the ratio of the reserves', () => {
    add(4_000_000n, 1_000_000n);
    assert.deepEqual(add(400n, 1_000n, bob), { amount_a: '400', amount_b: '100', shares: '200' });
    assert.deepEqual(add(4_000n, 50n, bob), { amount_a: '200', amount_b: '50', shares: '100' });
    assert.equal(errorName('add_liquidity', addArgs(400n, 1_000n, ann, { a: 0n, b: 101n })), 'Slippage');
    assert.equal(errorName('add_liquidity', addArgs(4_000n, 50n, ann, { a: 201n, b: 0n })), 'Slippage');
  });

  test('a deposit too small for a share is refused', () => {
    assert.equal(errorName('add_liquidity', addArgs(1_000n, 1_000n, ann)), 'InsufficientLiquidity');
    assert.equal(errorName('add_liquidity', addArgs(0n, 10_000n, ann)), 'InsufficientLiquidity');
    add(1_001n, 1_001n);
    swap(A, 100_000n);
    assert.equal(errorName('add_liquidity', addArgs(50n, 50n, ann)), 'NothingToDo');
  });

  test('shares are redeemed for their part of both reserves', () => {
    add(4_000_000n, 1_000_000n);
    const args = { shares: '500000', min_a: '1000000', min_b: '250000', to: BOB, deadline_ms: DEADLINE };
    const before = balance(tokenB, BOB);
    assert.deepEqual(amm.call('remove_liquidity', args, { from: ann }), { a: '1000000', b: '250000' });
    assert.equal(balance(tokenB, BOB) - before, 250_000n);
    assert.deepEqual(reserves(), { a: 3_000_000n, b: 750_000n });
    assert.equal(errorName('remove_liquidity', { ...args, min_b: '250001' }), 'Slippage');
    assert.equal(errorName('remove_liquidity', { ...args, shares: '1499001' }), 'InsufficientShares');
    assert.equal(errorName('remove_liquidity', { ...args, shares: '0' }), 'NothingToDo');
    assert.equal(errorName('remove_liquidity', args, bob), 'InsufficientShares');
    amm.call('remove_liquidity', { ...args, shares: '1499000' }, { from: ann });
    assert.equal(amm.call('total_shares'), '1000');
  });

  test('a swap pays out by the constant product after the fee', () => {
    add(1_000_000n, 2_000_000n);
    const expected = (10_000n * 997n * 2_000_000n) / (1_000_000n * 1000n + 10_000n * 997n);
    assert.equal(amm.call('quote', { token_in: A, amount_in: '10000' }), expected.toString());
    const before = { a: balance(tokenA, BOB), b: balance(tokenB, BOB) };
    assert.equal(swap(A, 10_000n, expected), expected);
    assert.equal(before.a - balance(tokenA, BOB), 10_000n);
    assert.equal(balance(tokenB, BOB) - before.b, expected);
    assert.deepEqual(reserves(), { a: 1_010_000n, b: 2_000_000n - expected });
    assert.deepEqual(amm.events(1), [
      {
        name: 'Swapped',
        args: { trader: BOB, to: BOB, token_in: A, amount_in: '10000', amount_out: expected.toString() },
      },
    ]);
  });

  test('a swap below the minimum, of zero, for zero, or of another token is refused', () => {
    assert.equal(errorName('swap', swapArgs(A, 5n), bob), 'InsufficientLiquidity');
    add(1_000_000n, 1_000_000n);
    assert.equal(errorName('swap', swapArgs(A, 1000n, 997n), bob), 'Slippage');
    assert.equal(errorName('swap', swapArgs(A, 0n), bob), 'NothingToDo');
    assert.equal(errorName('swap', swapArgs(A, 1n), bob), 'NothingToDo');
    assert.equal(errorName('swap', swapArgs(ANN, 5n), bob), 'UnknownToken');
    assert.equal(errorName('swap', swapArgs(A, 5_000n, 0n, POOL), bob), 'InvalidRecipient');
  });

  test('calls after their deadline are refused', () => {
    add(1_000_000n, 1_000_000n);
    world.passTime(60_001n);
    assert.equal(errorName('swap', swapArgs(A, 1000n), bob), 'DeadlinePassed');
    assert.equal(errorName('add_liquidity', addArgs(10n, 10n, ann)), 'DeadlinePassed');
    const args = { shares: '1', min_a: '0', min_b: '0', to: BOB, deadline_ms: DEADLINE };
    assert.equal(errorName('remove_liquidity', args), 'DeadlinePassed');
  });

  test("a trader without allowance or balance gets the token's own error, and nothing moves", () => {
    add(1_000_000n, 1_000_000n);
    tokenA.call('approve', { spender: POOL, amount: '9' }, { from: bob });
    const outcome = amm.outcome('swap', swapArgs(A, 1_000n), { from: bob });
    assert.equal(outcome.status, 'reverted');
    assert.deepEqual(contractAbi('token').decodeError(outcome.output), {
      name: 'InsufficientAllowance',
      args: { available: '9', required: '1000' },
    });
    assert.deepEqual(reserves(), { a: 1_000_000n, b: 1_000_000n });
    swap(B, 1_000n);
  });

  test('tokens sent to the pool change no price', () => {
    add(1_000_000n, 1_000_000n);
    const before = amm.call('quote', { token_in: A, amount_in: '1000' });
    tokenA.call('transfer', { to: POOL, amount: '5000000' }, { from: bob });
    assert.equal(amm.call('quote', { token_in: A, amount_in: '1000' }), before);
  });

  test('reserves stay below 2^112', () => {
    add(2n ** 112n - 1n, 2n ** 20n);
    assert.equal(errorName('swap', swapArgs(A, 1n << 100n), bob), 'ReserveLimit');
  });

  test('a pool needs two distinct tokens', () => {
    const other = deployExample(world, 'amm', address(0xa1));
    const nobody = addressText(address(0));
    for (const [token_a, token_b] of [
      [A, A],
      [nobody, B],
      [A, nobody],
      [addressText(other.at), B],
    ]) {
      const outcome = other.outcome('init', { token_a, token_b }, {}, { purpose: 'deploy' });
      assert.equal(outcome.status, 'reverted');
      assert.equal((other.revertOf(outcome) as { name: string }).name, 'InvalidTokens');
    }
  });

  test('shares can be transferred, and a transfer to oneself has no effect', () => {
    add(1_000_000n, 1_000_000n);
    amm.call('transfer_shares', { to: BOB, amount: '400' }, { from: ann });
    amm.call('transfer_shares', { to: BOB, amount: '400' }, { from: bob });
    assert.equal(amm.call('shares_of', { owner: BOB }), '400');
    assert.equal(errorName('transfer_shares', { to: ANN, amount: '401' }, bob), 'InsufficientShares');
  });

  test('a token that reports success without moving anything is refused', () => {
    add(1_000_000n, 1_000_000n);
    // This token succeeds at everything and returns zero for any balance.
    const liar = assemble({
      imports: ['input_size', 'set_output'],
      memory: [1],
      functions: [
        {
          name: 'invoke',
          type: '>i',
          code: `call input_size; i32.const 24; i32.eq; if; i32.const 0; i32.const 16; call set_output; end; i32.const 0`,
        },
      ],
    });
    world.deployCode(TOKEN_A, liar);
    assert.deepEqual(amm.failure('swap', swapArgs(A, 1_000n), { from: bob }), {
      name: 'TokenMisbehaved',
      args: { token: A, balance: '0', reserve: '1001000' },
    });
  });

  test('a token that reenters the pool is refused', () => {
    add(1_000_000n, 1_000_000n);
    const remove = { shares: '1', min_a: '0', min_b: '0', to: BOB, deadline_ms: DEADLINE };
    for (const [name, args] of [
      ['swap', swapArgs(B, 500n, 0n, ANN)],
      ['add_liquidity', addArgs(10n, 10n, ann)],
      ['remove_liquidity', remove],
    ] as const) {
      const input = amm.abi.function(name).encodeCall(args);
      // This token calls the pool with `input` and reverts with the pool's error.
      const intruder = assemble({
        imports: ['call', 'returned_size', 'returned_read', 'revert'],
        memory: [1],
        data: [
          { at: 0, bytes: AMM },
          { at: 64, bytes: input },
        ],
        functions: [
          {
            name: 'invoke',
            type: '>i',
            code: `i32.const 0; i32.const 32; i64.const -1; i32.const 64; i32.const ${input.length}; call call; drop;
            i32.const 1024; i32.const 0; call returned_size; call returned_read; drop;
            i32.const 1024; call returned_size; call revert; i32.const 0`,
          },
        ],
      });
      world.deployCode(TOKEN_A, intruder);
      assert.equal(
        errorName('swap', swapArgs(A, 1_000n), bob),
        'the contract is in the middle of another call',
      );
    }
  });

  test('no sequence of swaps and deposits reduces the value of a share or the backing of the reserves', () => {
    const amount = fc.oneof(fc.bigInt(1n, 10_000n), fc.bigInt(1n, 10n ** 24n));
    const step = fc.record({ what: fc.constantFrom('swap a', 'swap b', 'add', 'remove'), amount });
    let before = { a: 0n, b: 0n, shares: 1n };
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 10 }), (steps) => {
        for (const { what, amount: n } of [{ what: 'add', amount: 10n ** 12n }, ...steps]) {
          if (what === 'swap a') amm.outcome('swap', swapArgs(A, n), { from: bob });
          if (what === 'swap b') amm.outcome('swap', swapArgs(B, n), { from: bob });
          if (what === 'add') amm.outcome('add_liquidity', addArgs(n, n, bob), { from: bob });
          if (what === 'remove') {
            const args = { shares: n.toString(), min_a: '0', min_b: '0', to: BOB, deadline_ms: DEADLINE };
            amm.outcome('remove_liquidity', args, { from: bob });
          }
          const { a, b } = reserves();
          const shares = BigInt(String(amm.call('total_shares')));
          assert.ok(balance(tokenA, POOL) >= a && balance(tokenB, POOL) >= b);
          // √(a·b) per share never falls; both sides are squared.
          assert.ok(a * b * before.shares ** 2n >= before.a * before.b * shares ** 2n, what);
          before = { a, b, shares };
        }
      }),
      { numRuns: 30 },
    );
  });

  test('a swap costs about the gas of its storage and calls', () => {
    add(10n ** 24n, 10n ** 24n);
    const { gasUsed } = amm.outcome('swap', swapArgs(A, 10n ** 20n), { from: bob });
    assert.ok(gasUsed < 420_000n, `${gasUsed}`);
  });
});
