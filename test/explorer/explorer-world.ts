import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, connect, devAccount, formatAddress, formatHash } from '../../src/client/client.js';
import { packageRoot } from '../../src/config/package-info.js';
import { NodeProcess } from '../support/nodes/node-process.js';
import { HOSTILE_IDL, hostileCode } from './hostile-contract.js';

const CONTRACTS = join(packageRoot(), 'contracts');

/** A node with transfers, contracts, calls between contracts, and a hostile contract. Addresses have `0x`. */
export interface ExplorerWorld {
  readonly node: NodeProcess;
  /** Of the explorer, with its base path. */
  readonly url: string;
  readonly client: Client;
  readonly token: string;
  readonly registry: string;
  readonly hostile: string;
  /** Hashes of transactions, 64 hex digits. */
  readonly transfer: string;
  readonly swap: string;
  readonly failed: string;
  readonly shout: string;
}

function example(name: string) {
  return {
    code: readFileSync(join(CONTRACTS, name, `${name}.wasm`)),
    idl: readFileSync(join(CONTRACTS, name, `${name}.idl`), 'utf8'),
  };
}

/** @param flags further flags of the node */
export async function startExplorerWorld(flags: readonly string[] = []): Promise<ExplorerWorld> {
  const node = await NodeProcess.start({ flags: ['--seal', 'instant', ...flags], readyMs: 120_000 });
  const base = flags.includes('--base-url') ? (flags[flags.indexOf('--base-url') + 1] ?? '') : '';
  const url = node.url + base;
  const client = connect(url);
  const alice = client.sender(devAccount(0));
  const owner = devAccount(0).address;
  const tokenInit = {
    name: 'Thread',
    symbol: 'THR',
    decimals: 2,
    supply: 1_000_000_000n,
    owner,
    minter: owner,
  };
  const { contract: token } = await alice.deploy({ ...example('token'), init: tokenInit });
  const { contract: other } = await alice.deploy({
    ...example('token'),
    init: { ...tokenInit, name: 'Weft' },
  });
  const { contract: amm } = await alice.deploy({
    ...example('amm'),
    init: { token_a: token.address, token_b: other.address },
  });
  const { contract: registry } = await alice.deploy({
    ...example('registry'),
    init: { owner, fee_per_year: 1_000n },
    policy: { type: 'admin', value: owner },
  });
  for (const each of [token, other]) {
    await each.call('approve', { spender: amm.address, amount: 1_000_000n }, { sender: alice });
  }
  const deadline = { to: owner, deadline_ms: 9_000_000_000_000 };
  await amm.call(
    'add_liquidity',
    { amount_a: 400_000, amount_b: 400_000, min_a: 0, min_b: 0, ...deadline },
    { sender: alice },
  );
  const swap = await amm.call(
    'swap',
    { token_in: token.address, amount_in: 5_000, min_out: 1, ...deadline },
    { sender: alice },
  );
  const failed = await token.call(
    'transfer',
    { to: owner, amount: 1n },
    { sender: client.sender(devAccount(5)), preflight: false },
  );
  const { contract: hostile } = await alice.deploy({ code: hostileCode(), idl: HOSTILE_IDL });
  const shout = await hostile.call('shout', { times: 1 }, { sender: alice });
  let transfer = '';
  for (let index = 1; index < 4; index++) {
    const sent = await client
      .sender(devAccount(index))
      .transfer({ to: devAccount(index + 1).address, amount: 10n ** 18n, wait: 'included' });
    transfer = sent.hashHex;
  }
  return {
    node,
    url,
    client,
    transfer,
    token: formatAddress(token.address),
    registry: formatAddress(registry.address),
    hostile: formatAddress(hostile.address),
    swap: formatHash(swap.hash),
    failed: formatHash(failed.hash),
    shout: formatHash(shout.hash),
  };
}

/** Fragments of all pages, by name. */
export function pagesOf(world: ExplorerWorld): Readonly<Record<string, string>> {
  return {
    overview: '#/',
    blocks: '#/blocks',
    block: '#/block/8',
    'no-block': '#/block/999999',
    transactions: '#/transactions',
    transfer: `#/tx/${world.transfer}`,
    swap: `#/tx/${world.swap}`,
    failed: `#/tx/${world.failed}`,
    'no-transaction': `#/tx/${'0'.repeat(64)}`,
    pool: '#/pool',
    account: `#/address/${formatAddress(devAccount(0).address)}`,
    received: `#/address/${formatAddress(devAccount(2).address)}/received`,
    'new-account': `#/address/0x${'ab'.repeat(20)}`,
    contract: `#/address/${world.token}`,
    interface: `#/address/${world.token}/interface`,
    events: `#/address/${world.token}/events`,
    source: `#/address/${world.token}/source`,
    hostile: `#/address/${world.hostile}/interface`,
    'hostile-events': `#/address/${world.hostile}/events`,
    validators: '#/validators',
    health: '#/health',
    settings: '#/settings',
    unknown: '#/no/such/page',
  };
}
