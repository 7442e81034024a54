import { gasReport, type MethodGas } from '../../../src/contract-sdk/gas-report.js';
import { ContractSandbox, type SandboxContract } from '../../../src/contract-sdk/sandbox.js';
import type { CallRecord } from '../../../src/contract-sdk/test-run.js';
import { addressText, deployExample } from '../worlds/contract-world.js';
import { address } from '../worlds/vm-world.js';

const [ann, bob] = [address(1), address(2)] as const;
const [ANN, BOB, NOBODY] = [addressText(ann), addressText(bob), addressText(address(0))] as const;
const DEADLINE = 1_700_000_060_000;
const HASH = `0x${'11'.repeat(32)}`;

/** Gas of typical calls of the example contracts, for `contracts/.gas-snapshot`. */
export async function exampleGas(): Promise<readonly MethodGas[]> {
  const calls: CallRecord[] = [];
  const world = await ContractSandbox.create({
    builds: [],
    record: (record) => {
      if ('call' in record) calls.push(record.call);
    },
  });
  for (const who of [ann, bob]) world.setBalance(who, 10_000n);
  callPoolAndTokens(world);
  callEscrow(deployExample(world, 'escrow', address(0xe5)));
  callRegistry(deployExample(world, 'registry', address(0x4e)));
  callCompute(deployExample(world, 'compute', address(0xc0)));
  return gasReport(calls);
}

function callPoolAndTokens(world: ContractSandbox): void {
  const [poolAt, atA, atB] = [address(0xa0), address(0x7a), address(0x7b)] as const;
  const [pool, a, b] = [poolAt, atA, atB].map(addressText) as [string, string, string];
  const tokens = [atA, atB].map((at) => {
    const token = deployExample(world, 'token', at);
    const given = { decimals: 18, supply: '1000000', owner: ANN, minter: ANN };
    token.init({ name: 'Example', symbol: 'EXA', ...given });
    token.call('approve', { spender: pool, amount: '500000' }, { from: ann });
    return token;
  });
  const amm = deployExample(world, 'amm', poolAt);
  amm.init({ token_a: a, token_b: b });
  const rest = { to: ANN, deadline_ms: DEADLINE };
  amm.call(
    'add_liquidity',
    { amount_a: '100000', amount_b: '200000', min_a: '0', min_b: '0', ...rest },
    { from: ann },
  );
  amm.call('quote', { token_in: a, amount_in: '1000' });
  amm.call('swap', { token_in: a, amount_in: '1000', min_out: '0', ...rest }, { from: ann });
  amm.call('remove_liquidity', { shares: '1000', min_a: '0', min_b: '0', ...rest }, { from: ann });
  const [token] = tokens;
  token?.call('transfer', { to: BOB, amount: '100' }, { from: ann });
  token?.call('approve', { spender: BOB, amount: '100' }, { from: ann });
  token?.call('transfer_from', { from: ANN, to: BOB, amount: '100' }, { from: bob });
  token?.call('mint', { to: BOB, amount: '1' }, { from: ann });
  token?.call('burn', { amount: '1' }, { from: bob });
  token?.call('balance_of', { owner: BOB });
}

function callEscrow(escrow: SandboxContract): void {
  const deal = { payee: BOB, arbiter: NOBODY, deadline_ms: DEADLINE };
  for (const value of [100n, 50n]) escrow.call('open', deal, { from: ann, value });
  escrow.call('release', { id: 0 }, { from: ann });
  escrow.call('refund', { id: 1 }, { from: bob });
  escrow.call('deal', { id: 1 });
}

function callRegistry(registry: SandboxContract): void {
  registry.init({ owner: ANN, fee_per_year: '10' });
  registry.call('register', { name: 'heddle', years: 1, target: BOB }, { from: ann, value: 10n });
  registry.call('renew', { name: 'heddle', years: 1 }, { from: ann, value: 10n });
  registry.call('set_target', { name: 'heddle', target: ANN }, { from: ann });
  registry.call('resolve', { name: 'heddle' });
  registry.call('release', { name: 'heddle' }, { from: ann });
}

function callCompute(compute: SandboxContract): void {
  compute.call('count', { iterations: 1000 });
  compute.call('sieve', { limit: 1000 });
  compute.call('sha256_chain', { seed: HASH, rounds: 10 });
  compute.call('sha256_chain_in_wasm', { seed: HASH, rounds: 10 });
  compute.call('mix_chain', { seed: 7, rounds: 10 });
  compute.call('matrix_product', { size: 8, seed: 7 });
}
