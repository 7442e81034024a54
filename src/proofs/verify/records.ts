import type {
  AccountRecord,
  ContractRecord,
  LedgerLog,
  LedgerReceipt,
  Outcome,
  PendingUpgrade,
  UpgradePolicy,
  VmType,
} from '../../generated/ledger.js';
import { BorshReader } from '../../idl/codecs/borsh-reader.js';

const VM_TYPES: readonly VmType[] = [{ type: 'wasm' }, { type: 'evm' }];
const OUTCOMES: readonly Outcome[] = [
  { type: 'success' },
  { type: 'reverted' },
  { type: 'out_of_gas' },
  { type: 'trapped' },
  { type: 'invalid' },
];
const POLICIES = ['immutable', 'admin', 'timelock'];
const ANY = Number.MAX_SAFE_INTEGER;

/** @throws BorshError */
export function decodeAccountRecord(bytes: Uint8Array): AccountRecord {
  const r = new BorshReader();
  const at = 'AccountRecord';
  r.begin(bytes);
  const balance = r.u128(at, '.balance', -1);
  const lanes = list(r, 12, `${at}.lanes`, (path) => ({
    lane: r.u32(path, '.lane', -1),
    next_nonce: r.u64(path, '.next_nonce', -1),
  }));
  const deploy_index = r.u64(at, '.deploy_index', -1);
  const contract = r.flag(at, '.contract', -1) ? { contract: contractRecord(r) } : {};
  r.finish(at);
  return { balance, lanes, deploy_index, ...contract };
}

/** @throws BorshError */
export function decodeReceipt(bytes: Uint8Array): LedgerReceipt {
  const r = new BorshReader();
  const at = 'LedgerReceipt';
  r.begin(bytes);
  const receipt: LedgerReceipt = {
    tx_hash: r.fixed(32, at, '.tx_hash', -1),
    outcome: variant(r, OUTCOMES, `${at}.outcome`),
    gas_used: r.u64(at, '.gas_used', -1),
    fee: r.u128(at, '.fee', -1),
    ...(r.flag(at, '.contract', -1) ? { contract: r.fixed(20, at, '.contract', -1) } : {}),
    output: r.bytes(ANY, at, '.output', -1),
    logs: list(r, 28, `${at}.logs`, (path) => log(r, path)),
  };
  r.finish(at);
  return receipt;
}

function log(r: BorshReader, path: string): LedgerLog {
  return {
    contract: r.fixed(20, path, '.contract', -1),
    topics: list(r, 32, `${path}.topics`, (topic) => r.fixed(32, topic, '', -1)),
    data: r.bytes(ANY, path, '.data', -1),
  };
}

function contractRecord(r: BorshReader): ContractRecord {
  const at = 'ContractRecord';
  return {
    vm: variant(r, VM_TYPES, `${at}.vm`),
    code_hash: r.fixed(32, at, '.code_hash', -1),
    code_size: r.u32(at, '.code_size', -1),
    ...(r.flag(at, '.idl_hash', -1) ? { idl_hash: r.fixed(32, at, '.idl_hash', -1) } : {}),
    abi_version: r.u32(at, '.abi_version', -1),
    upgrade_policy: upgradePolicy(r, `${at}.upgrade_policy`),
    deployer: r.fixed(20, at, '.deployer', -1),
    deployed_at: r.u64(at, '.deployed_at', -1),
    ...(r.flag(at, '.pending_upgrade', -1) ? { pending_upgrade: pendingUpgrade(r) } : {}),
  };
}

function upgradePolicy(r: BorshReader, path: string): UpgradePolicy {
  const index = r.variant(path);
  if (index === 0) return { type: 'immutable' };
  if (index === 1) return { type: 'admin', value: r.fixed(20, path, '.value', -1) };
  if (index === 2) {
    const value = { admin: r.fixed(20, path, '.admin', -1), delay: r.u64(path, '.delay', -1) };
    return { type: 'timelock', value };
  }
  return r.unknownVariant(index, POLICIES, path);
}

function pendingUpgrade(r: BorshReader): PendingUpgrade {
  const at = 'PendingUpgrade';
  return {
    code_hash: r.fixed(32, at, '.code_hash', -1),
    ...(r.flag(at, '.idl_hash', -1) ? { idl_hash: r.fixed(32, at, '.idl_hash', -1) } : {}),
    abi_version: r.u32(at, '.abi_version', -1),
    ready_at: r.u64(at, '.ready_at', -1),
  };
}

function variant<T extends { readonly type: string }>(
  r: BorshReader,
  variants: readonly T[],
  path: string,
): T {
  const index = r.variant(path);
  const names = variants.map(({ type }) => type);
  return variants[index] ?? r.unknownVariant(index, names, path);
}

/** @param least bytes that an item takes at least */
function list<T>(r: BorshReader, least: number, path: string, item: (path: string) => T): T[] {
  const count = r.count(least, ANY, path);
  const items: T[] = [];
  for (let index = 0; index < count; index++) items.push(item(`${path}[${index}]`));
  return items;
}
