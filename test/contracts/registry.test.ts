import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { ContractSandbox, type SandboxContract } from '../../src/contract-sdk/sandbox.js';
import { hex } from '../support/hex.js';
import { addressText, deployExample, sha256 } from '../support/worlds/contract-world.js';
import { address } from '../support/worlds/vm-world.js';

describe('the example registry', () => {
  const REGISTRY = address(0x4e);
  const [keeper, ann, bob] = [address(1), address(2), address(3)] as const;
  const [KEEPER, ANN, BOB] = [keeper, ann, bob].map(addressText) as [string, string, string];
  const TARGET = addressText(address(0x99));
  const NOW = 1_700_000_000_000;
  const DAY = 86_400_000;
  const YEAR = 365 * DAY;
  const FEE = 10n;

  let world: ContractSandbox;
  let registry: SandboxContract;

  beforeEach(async () => {
    world = await ContractSandbox.create();
    registry = deployExample(world, 'registry', REGISTRY);
    registry.init({ owner: KEEPER, fee_per_year: FEE.toString() });
    for (const who of [ann, bob, keeper]) world.setBalance(who, 10_000n);
  });

  function register(name: string, years = 1, value = FEE * BigInt(years), from = ann): unknown {
    return registry.call('register', { name, years, target: TARGET }, { from, value });
  }

  function nameOfFailure(method: string, args: unknown, from = ann, value = 0n): string {
    const failure = registry.failure(method, args, { from, value });
    return typeof failure === 'string' ? failure : failure.name;
  }

  const resolve = (name: string): unknown => registry.call('resolve', { name });

  test('a registered name resolves to its target until it expires', () => {
    assert.equal(register('heddle', 2), NOW + 2 * YEAR);
    assert.equal(resolve('heddle'), TARGET);
    assert.deepEqual(registry.call('record', { name: 'heddle' }), {
      owner: ANN,
      target: TARGET,
      expires_ms: NOW + 2 * YEAR,
    });
    world.passTime(BigInt(2 * YEAR));
    assert.equal(resolve('heddle'), TARGET);
    world.passTime(1n);
    assert.equal(resolve('heddle'), null);
  });

  test('a registration emits an event that can be found by the hash of the name', () => {
    register('heddle');
    const encoding = Buffer.concat([Buffer.of(6, 0, 0, 0), Buffer.from('heddle')]);
    const topic = hex(encoding).padStart(64, '0');
    assert.deepEqual(registry.events(2), [
      { name: 'Registered', args: { name: { topic }, owner: ANN, target: TARGET, expires_ms: NOW + YEAR } },
    ]);
    const long = 'a'.repeat(32);
    register(long);
    const digest = hex(sha256(Buffer.concat([Buffer.of(32, 0, 0, 0), Buffer.from(long)])));
    assert.deepEqual(registry.events(3)[0]?.args['name'], { topic: digest });
  });

  test('names that could be confused with others are refused', () => {
    for (const name of ['ab', 'Heddle', 'héddle', '-abc', 'abc-', 'a b c', 'a.b.c', 'аbc']) {
      assert.equal(
        nameOfFailure('register', { name, years: 1, target: TARGET }, ann, FEE),
        'InvalidName',
        name,
      );
      assert.equal(registry.call('is_available', { name }), false);
    }
    for (const name of ['abc', 'a-b', '0-0', 'a--b', 'z'.repeat(32)]) register(name);
  });

  test('a name stays taken until its grace period ends', () => {
    register('heddle');
    const take = { name: 'heddle', years: 1, target: TARGET };
    assert.equal(nameOfFailure('register', take, bob, FEE), 'NameTaken');
    world.passTime(BigInt(YEAR + 30 * DAY));
    assert.equal(nameOfFailure('register', take, bob, FEE), 'NameTaken');
    assert.equal(registry.call('is_available', { name: 'heddle' }), false);
    world.passTime(1n);
    assert.equal(registry.call('is_available', { name: 'heddle' }), true);
    register('heddle', 1, FEE, bob);
    assert.deepEqual((registry.call('record', { name: 'heddle' }) as { owner: string }).owner, BOB);
  });

  test('the fee is charged per year, and any excess is refunded', () => {
    assert.equal(
      nameOfFailure('register', { name: 'heddle', years: 3, target: TARGET }, ann, 29n),
      'FeeNotPaid',
    );
    register('heddle', 3, 100n);
    assert.equal(world.balance(ann), 9_970n);
    assert.equal(world.balance(REGISTRY), 30n);
  });

  test('a registration of zero years, or of more than a hundred years from now, is refused', () => {
    for (const years of [0, 101]) {
      assert.equal(
        nameOfFailure('register', { name: 'heddle', years, target: TARGET }, ann, 5_000n),
        'InvalidYears',
      );
    }
    register('heddle', 100);
    assert.equal(nameOfFailure('renew', { name: 'heddle', years: 1 }, ann, FEE), 'InvalidYears');
  });

  test('anyone can renew an active name, but only its owner during the grace period', () => {
    register('heddle');
    assert.equal(
      registry.call('renew', { name: 'heddle', years: 1 }, { from: bob, value: 15n }),
      NOW + 2 * YEAR,
    );
    assert.equal(world.balance(bob), 9_990n);
    world.passTime(BigInt(2 * YEAR + DAY));
    assert.equal(nameOfFailure('renew', { name: 'heddle', years: 1 }, bob, FEE), 'NotOwner');
    assert.equal(
      registry.call('renew', { name: 'heddle', years: 1 }, { from: ann, value: FEE }),
      NOW + 3 * YEAR,
    );
    assert.equal(resolve('heddle'), TARGET);
    world.passTime(BigInt(2 * YEAR));
    assert.equal(nameOfFailure('renew', { name: 'heddle', years: 1 }, ann, FEE), 'NotRegistered');
  });

  test('only its owner can change, transfer or release a name, and only while it is active', () => {
    register('heddle');
    for (const [method, args] of [
      ['set_target', { name: 'heddle', target: BOB }],
      ['transfer', { name: 'heddle', to: BOB }],
      ['release', { name: 'heddle' }],
    ] as const) {
      assert.equal(nameOfFailure(method, args, bob), 'NotOwner');
      assert.equal(nameOfFailure(method, { ...args, name: 'nobodys' }, ann), 'NotRegistered');
    }
    registry.call('set_target', { name: 'heddle', target: BOB }, { from: ann });
    assert.equal(resolve('heddle'), BOB);
    registry.call('transfer', { name: 'heddle', to: BOB }, { from: ann });
    assert.equal(nameOfFailure('set_target', { name: 'heddle', target: ANN }, ann), 'NotOwner');
    registry.call('release', { name: 'heddle' }, { from: bob });
    assert.equal(registry.call('record', { name: 'heddle' }), null);
    register('heddle');
    world.passTime(BigInt(YEAR + 1));
    assert.equal(nameOfFailure('transfer', { name: 'heddle', to: BOB }, ann), 'NotRegistered');
  });

  test('a name cannot be transferred to the zero address', () => {
    register('heddle');
    assert.equal(
      nameOfFailure('transfer', { name: 'heddle', to: addressText(address(0)) }),
      'InvalidAddress',
    );
    assert.equal(nameOfFailure('transfer', { name: 'heddle', to: addressText(REGISTRY) }), 'InvalidAddress');
  });

  test('the keeper sets the fee, withdraws payments and transfers the registry', () => {
    register('heddle', 5);
    for (const [method, args] of [
      ['set_fee', { fee_per_year: '1' }],
      ['withdraw', { to: ANN, amount: '1' }],
      ['set_owner', { owner: ANN }],
    ] as const) {
      assert.equal(nameOfFailure(method, args, ann), 'NotOwner');
    }
    registry.call('set_fee', { fee_per_year: '25' }, { from: keeper });
    assert.equal(registry.call('fee', { years: 4 }), '100');
    assert.equal(
      nameOfFailure('withdraw', { to: BOB, amount: '51' }, keeper),
      'the contract has not enough balance',
    );
    registry.call('withdraw', { to: BOB, amount: '50' }, { from: keeper });
    assert.equal(world.balance(bob), 10_050n);
    registry.call('set_owner', { owner: ANN }, { from: keeper });
    assert.equal(registry.call('owner'), ANN);
    assert.equal(nameOfFailure('set_fee', { fee_per_year: '1' }, keeper), 'NotOwner');
  });
});
