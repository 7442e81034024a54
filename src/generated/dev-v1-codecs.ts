// Generated from idl/ledger.idl and idl/dev_v1.idl by `heddle idl generate`. Do not edit.
import {
  type BoundCodecs as $BoundCodecs,
  type JsonReader as $JsonReader,
  type JsonWriter as $JsonWriter,
  type Writable as $Writable,
  bindCodecs as $bindCodecs,
} from '../idl/codecs/codec.js';
import {
  type CallFunctions as $CallFunctions,
  type MethodCodec as $MethodCodec,
  bindMethods as $bindMethods,
} from '../idl/codecs/method-codecs.js';
import type {
  DevAccount,
  DevAccountContract,
  DevBlock,
  DevChangesResult,
  DevControlResult,
  DevImpersonateArgs,
  DevImpersonateResult,
  DevMineArgs,
  DevMineResult,
  DevSetCodeArgs,
  DevSnapshot,
  DevStatePage,
  DevV1Methods,
  DevV1Types,
} from './dev-v1.js';
import type { DevSlot } from './ledger.js';
import {
  readJsonAction,
  readJsonDevSlot,
  readJsonOutcome,
  readJsonUpgradePolicy,
  readJsonVmType,
  writeJsonAction,
  writeJsonDevSlot,
  writeJsonOutcome,
  writeJsonUpgradePolicy,
  writeJsonVmType,
} from './ledger-codecs.js';

export function readJsonDevMineArgs(r: $JsonReader, v: unknown, path: string): DevMineArgs {
  r.object(v, 'DevMineArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'count': case 'interval_ms': break;
        default: r.unknownMember(k, ['count', 'interval_ms'], path);
      }
    }
  }
  const y0 = v['count'];
  const x0 = y0 === undefined || y0 === null ? undefined : r.u32(y0, path, '.count', -1);
  const y1 = v['interval_ms'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.u64(y1, path, '.interval_ms', -1);
  const result: $Writable<DevMineArgs> = {};
  if (x0 !== undefined) result.count = x0;
  if (x1 !== undefined) result.interval_ms = x1;
  return result;
}

export function readJsonDevMineResult(r: $JsonReader, v: unknown, path: string): DevMineResult {
  r.object(v, 'DevMineResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'count': case 'last': break;
        default: r.unknownMember(k, ['count', 'last'], path);
      }
    }
  }
  const x0 = r.u32(v['count'], path, '.count', -1);
  const x1 = readJsonDevBlock(r, v['last'], path + '.last');
  return { count: x0, last: x1 };
}

function readJsonParamsOf_dev_setTime(r: $JsonReader, v: unknown, path: string): DevV1Methods['dev_setTime']['params'] {
  r.object(v, 'parameters of dev_setTime', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'timestamp_ms': break;
        default: r.unknownMember(k, ['timestamp_ms'], path);
      }
    }
  }
  const x0 = r.u64(v['timestamp_ms'], path, '.timestamp_ms', -1);
  return { timestamp_ms: x0 };
}

export function readJsonDevBlock(r: $JsonReader, v: unknown, path: string): DevBlock {
  r.object(v, 'DevBlock', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'height': case 'hash': case 'state_root': case 'timestamp_ms': break;
        default: r.unknownMember(k, ['height', 'hash', 'state_root', 'timestamp_ms'], path);
      }
    }
  }
  const x0 = r.u64(v['height'], path, '.height', -1);
  const x1 = r.digest(v['hash'], 'hash', path, '.hash', -1);
  const x2 = r.digest(v['state_root'], 'hash', path, '.state_root', -1);
  const x3 = r.u64(v['timestamp_ms'], path, '.timestamp_ms', -1);
  return { height: x0, hash: x1, state_root: x2, timestamp_ms: x3 };
}

function readJsonParamsOf_dev_increaseTime(r: $JsonReader, v: unknown, path: string): DevV1Methods['dev_increaseTime']['params'] {
  r.object(v, 'parameters of dev_increaseTime', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'ms': break;
        default: r.unknownMember(k, ['ms'], path);
      }
    }
  }
  const x0 = r.u64(v['ms'], path, '.ms', -1);
  return { ms: x0 };
}

function readJsonParamsOf_dev_setBalance(r: $JsonReader, v: unknown, path: string): DevV1Methods['dev_setBalance']['params'] {
  r.object(v, 'parameters of dev_setBalance', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'address': case 'amount': break;
        default: r.unknownMember(k, ['address', 'amount'], path);
      }
    }
  }
  const x0 = r.address(v['address'], path, '.address', -1);
  const x1 = r.u128(v['amount'], path, '.amount', -1);
  return { address: x0, amount: x1 };
}

export function readJsonDevControlResult(r: $JsonReader, v: unknown, path: string): DevControlResult {
  r.object(v, 'DevControlResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'block': case 'tx_hash': break;
        default: r.unknownMember(k, ['block', 'tx_hash'], path);
      }
    }
  }
  const x0 = readJsonDevBlock(r, v['block'], path + '.block');
  const x1 = r.digest(v['tx_hash'], 'hash', path, '.tx_hash', -1);
  return { block: x0, tx_hash: x1 };
}

function readJsonParamsOf_dev_setStorage(r: $JsonReader, v: unknown, path: string): DevV1Methods['dev_setStorage']['params'] {
  r.object(v, 'parameters of dev_setStorage', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'contract': case 'slot': case 'value': break;
        default: r.unknownMember(k, ['contract', 'slot', 'value'], path);
      }
    }
  }
  const x0 = r.address(v['contract'], path, '.contract', -1);
  const x1 = r.digest(v['slot'], 'bytes32', path, '.slot', -1);
  const y2 = v['value'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.bytes(y2, 4294967295, path, '.value', -1);
  const result: $Writable<DevV1Methods['dev_setStorage']['params']> = { contract: x0, slot: x1 };
  if (x2 !== undefined) result.value = x2;
  return result;
}

export function readJsonDevSetCodeArgs(r: $JsonReader, v: unknown, path: string): DevSetCodeArgs {
  r.object(v, 'DevSetCodeArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'address': case 'code': case 'idl': case 'vm': break;
        default: r.unknownMember(k, ['address', 'code', 'idl', 'vm'], path);
      }
    }
  }
  const x0 = r.address(v['address'], path, '.address', -1);
  const y1 = v['code'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.bytes(y1, 4294967295, path, '.code', -1);
  const y2 = v['idl'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.string(y2, 4294967295, path, '.idl', -1);
  const y3 = v['vm'];
  const x3 = y3 === undefined || y3 === null ? undefined : readJsonVmType(r, y3, path + '.vm');
  const result: $Writable<DevSetCodeArgs> = { address: x0 };
  if (x1 !== undefined) result.code = x1;
  if (x2 !== undefined) result.idl = x2;
  if (x3 !== undefined) result.vm = x3;
  return result;
}

export function readJsonDevImpersonateArgs(r: $JsonReader, v: unknown, path: string): DevImpersonateArgs {
  r.object(v, 'DevImpersonateArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'sender': case 'action': case 'gas_limit': break;
        default: r.unknownMember(k, ['sender', 'action', 'gas_limit'], path);
      }
    }
  }
  const x0 = r.address(v['sender'], path, '.sender', -1);
  const x1 = readJsonAction(r, v['action'], path + '.action');
  const y2 = v['gas_limit'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.u64(y2, path, '.gas_limit', -1);
  const result: $Writable<DevImpersonateArgs> = { sender: x0, action: x1 };
  if (x2 !== undefined) result.gas_limit = x2;
  return result;
}

export function readJsonDevImpersonateResult(r: $JsonReader, v: unknown, path: string): DevImpersonateResult {
  r.object(v, 'DevImpersonateResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'block': case 'tx_hash': case 'outcome': case 'message': case 'gas_used': case 'contract': case 'output': break;
        default: r.unknownMember(k, ['block', 'tx_hash', 'outcome', 'message', 'gas_used', 'contract', 'output'], path);
      }
    }
  }
  const x0 = readJsonDevBlock(r, v['block'], path + '.block');
  const x1 = r.digest(v['tx_hash'], 'hash', path, '.tx_hash', -1);
  const x2 = readJsonOutcome(r, v['outcome'], path + '.outcome');
  const y3 = v['message'];
  const x3 = y3 === undefined || y3 === null ? undefined : r.string(y3, 4294967295, path, '.message', -1);
  const x4 = r.u64(v['gas_used'], path, '.gas_used', -1);
  const y5 = v['contract'];
  const x5 = y5 === undefined || y5 === null ? undefined : r.address(y5, path, '.contract', -1);
  const x6 = r.bytes(v['output'], 4294967295, path, '.output', -1);
  const result: $Writable<DevImpersonateResult> = { block: x0, tx_hash: x1, outcome: x2, gas_used: x4, output: x6 };
  if (x3 !== undefined) result.message = x3;
  if (x5 !== undefined) result.contract = x5;
  return result;
}

function readJsonParamsOf_dev_snapshot(r: $JsonReader, v: unknown, path: string): DevV1Methods['dev_snapshot']['params'] {
  r.object(v, 'parameters of dev_snapshot', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        default: r.unknownMember(k, [], path);
      }
    }
  }
  return {};
}

export function readJsonDevSnapshot(r: $JsonReader, v: unknown, path: string): DevSnapshot {
  r.object(v, 'DevSnapshot', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'id': case 'state_root': break;
        default: r.unknownMember(k, ['id', 'state_root'], path);
      }
    }
  }
  const x0 = r.u64(v['id'], path, '.id', -1);
  const x1 = r.digest(v['state_root'], 'hash', path, '.state_root', -1);
  return { id: x0, state_root: x1 };
}

function readJsonParamsOf_dev_revert(r: $JsonReader, v: unknown, path: string): DevV1Methods['dev_revert']['params'] {
  r.object(v, 'parameters of dev_revert', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'id': break;
        default: r.unknownMember(k, ['id'], path);
      }
    }
  }
  const x0 = r.u64(v['id'], path, '.id', -1);
  return { id: x0 };
}

export function readJsonDevChangesResult(r: $JsonReader, v: unknown, path: string): DevChangesResult {
  r.object(v, 'DevChangesResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'changes': case 'last': case 'tx_hashes': break;
        default: r.unknownMember(k, ['changes', 'last', 'tx_hashes'], path);
      }
    }
  }
  const x0 = r.u32(v['changes'], path, '.changes', -1);
  const x1 = readJsonDevBlock(r, v['last'], path + '.last');
  const x2 = readJsonHashList(r, v['tx_hashes'], path + '.tx_hashes');
  return { changes: x0, last: x1, tx_hashes: x2 };
}

function readJsonParamsOf_dev_dumpState(r: $JsonReader, v: unknown, path: string): DevV1Methods['dev_dumpState']['params'] {
  r.object(v, 'parameters of dev_dumpState', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'cursor': break;
        default: r.unknownMember(k, ['cursor'], path);
      }
    }
  }
  const y0 = v['cursor'];
  const x0 = y0 === undefined || y0 === null ? undefined : r.string(y0, 4294967295, path, '.cursor', -1);
  const result: $Writable<DevV1Methods['dev_dumpState']['params']> = {};
  if (x0 !== undefined) result.cursor = x0;
  return result;
}

export function readJsonDevStatePage(r: $JsonReader, v: unknown, path: string): DevStatePage {
  r.object(v, 'DevStatePage', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'height': case 'accounts': case 'next_cursor': case 'timestamp_ms': break;
        default: r.unknownMember(k, ['height', 'accounts', 'next_cursor', 'timestamp_ms'], path);
      }
    }
  }
  const x0 = r.u64(v['height'], path, '.height', -1);
  const x1 = readJsonDevAccountList(r, v['accounts'], path + '.accounts');
  const y2 = v['next_cursor'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.string(y2, 4294967295, path, '.next_cursor', -1);
  const y3 = v['timestamp_ms'];
  const x3 = y3 === undefined || y3 === null ? undefined : r.u64(y3, path, '.timestamp_ms', -1);
  const result: $Writable<DevStatePage> = { height: x0, accounts: x1 };
  if (x2 !== undefined) result.next_cursor = x2;
  if (x3 !== undefined) result.timestamp_ms = x3;
  return result;
}

function readJsonParamsOf_dev_loadState(r: $JsonReader, v: unknown, path: string): DevV1Methods['dev_loadState']['params'] {
  r.object(v, 'parameters of dev_loadState', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'accounts': case 'timestamp_ms': break;
        default: r.unknownMember(k, ['accounts', 'timestamp_ms'], path);
      }
    }
  }
  const x0 = readJsonDevAccountList(r, v['accounts'], path + '.accounts');
  const y1 = v['timestamp_ms'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.u64(y1, path, '.timestamp_ms', -1);
  const result: $Writable<DevV1Methods['dev_loadState']['params']> = { accounts: x0 };
  if (x1 !== undefined) result.timestamp_ms = x1;
  return result;
}

function readJsonHashList(r: $JsonReader, v: unknown, path: string): readonly Uint8Array[] {
  r.list(v, 4294967295, path);
  const items: (Uint8Array)[] = [];
  for (let i = 0; i < v.length; i++) items.push(r.digest(v[i], 'hash', path, '', i));
  return items;
}

function readJsonDevAccountList(r: $JsonReader, v: unknown, path: string): readonly DevAccount[] {
  r.list(v, 4294967295, path);
  const items: (DevAccount)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonDevAccount(r, v[i], path + '[' + i + ']'));
  return items;
}

export function readJsonDevAccount(r: $JsonReader, v: unknown, path: string): DevAccount {
  r.object(v, 'DevAccount', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'address': case 'balance': case 'deploy_index': case 'contract': case 'slots': break;
        default: r.unknownMember(k, ['address', 'balance', 'deploy_index', 'contract', 'slots'], path);
      }
    }
  }
  const x0 = r.address(v['address'], path, '.address', -1);
  const y1 = v['balance'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.u128(y1, path, '.balance', -1);
  const y2 = v['deploy_index'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.u64(y2, path, '.deploy_index', -1);
  const y3 = v['contract'];
  const x3 = y3 === undefined || y3 === null ? undefined : readJsonDevAccountContract(r, y3, path + '.contract');
  const y4 = v['slots'];
  const x4 = y4 === undefined || y4 === null ? undefined : readJsonDevSlotList(r, y4, path + '.slots');
  const result: $Writable<DevAccount> = { address: x0 };
  if (x1 !== undefined) result.balance = x1;
  if (x2 !== undefined) result.deploy_index = x2;
  if (x3 !== undefined) result.contract = x3;
  if (x4 !== undefined) result.slots = x4;
  return result;
}

export function readJsonDevAccountContract(r: $JsonReader, v: unknown, path: string): DevAccountContract {
  r.object(v, 'DevAccountContract', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'vm': case 'code': case 'idl': case 'abi_version': case 'upgrade_policy': case 'deployer': case 'deployed_at': break;
        default: r.unknownMember(k, ['vm', 'code', 'idl', 'abi_version', 'upgrade_policy', 'deployer', 'deployed_at'], path);
      }
    }
  }
  const x0 = readJsonVmType(r, v['vm'], path + '.vm');
  const x1 = r.bytes(v['code'], 4294967295, path, '.code', -1);
  const y2 = v['idl'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.string(y2, 4294967295, path, '.idl', -1);
  const x3 = r.u32(v['abi_version'], path, '.abi_version', -1);
  const x4 = readJsonUpgradePolicy(r, v['upgrade_policy'], path + '.upgrade_policy');
  const x5 = r.address(v['deployer'], path, '.deployer', -1);
  const x6 = r.u64(v['deployed_at'], path, '.deployed_at', -1);
  const result: $Writable<DevAccountContract> = { vm: x0, code: x1, abi_version: x3, upgrade_policy: x4, deployer: x5, deployed_at: x6 };
  if (x2 !== undefined) result.idl = x2;
  return result;
}

function readJsonDevSlotList(r: $JsonReader, v: unknown, path: string): readonly DevSlot[] {
  r.list(v, 4294967295, path);
  const items: (DevSlot)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonDevSlot(r, v[i], path + '[' + i + ']'));
  return items;
}

export function writeJsonDevMineArgs(w: $JsonWriter, v: DevMineArgs, path: string): string {
  w.object(v, 'DevMineArgs', path);
  let s = '{';
  const x0 = v.count;
  if (x0 !== undefined && x0 !== null) s += '"count":' + w.u32(x0, path, '.count', -1);
  const x1 = v.interval_ms;
  if (x1 !== undefined && x1 !== null) s += (s === '{' ? '' : ',') + '"interval_ms":' + w.u64(x1, path, '.interval_ms', -1);
  return s + '}';
}

export function writeJsonDevMineResult(w: $JsonWriter, v: DevMineResult, path: string): string {
  w.object(v, 'DevMineResult', path);
  return '{"count":' + w.u32(v.count, path, '.count', -1) + ',"last":' + writeJsonDevBlock(w, v.last, path + '.last') + '}';
}

function writeJsonParamsOf_dev_setTime(w: $JsonWriter, v: DevV1Methods['dev_setTime']['params'], path: string): string {
  w.object(v, 'parameters of dev_setTime', path);
  return '{"timestamp_ms":' + w.u64(v.timestamp_ms, path, '.timestamp_ms', -1) + '}';
}

export function writeJsonDevBlock(w: $JsonWriter, v: DevBlock, path: string): string {
  w.object(v, 'DevBlock', path);
  return '{"height":' + w.u64(v.height, path, '.height', -1) + ',"hash":' + w.digest(v.hash, path, '.hash', -1) + ',"state_root":' + w.digest(v.state_root, path, '.state_root', -1) + ',"timestamp_ms":' + w.u64(v.timestamp_ms, path, '.timestamp_ms', -1) + '}';
}

function writeJsonParamsOf_dev_increaseTime(w: $JsonWriter, v: DevV1Methods['dev_increaseTime']['params'], path: string): string {
  w.object(v, 'parameters of dev_increaseTime', path);
  return '{"ms":' + w.u64(v.ms, path, '.ms', -1) + '}';
}

function writeJsonParamsOf_dev_setBalance(w: $JsonWriter, v: DevV1Methods['dev_setBalance']['params'], path: string): string {
  w.object(v, 'parameters of dev_setBalance', path);
  return '{"address":' + w.fixed(v.address, 20, path, '.address', -1) + ',"amount":' + w.u128(v.amount, path, '.amount', -1) + '}';
}

export function writeJsonDevControlResult(w: $JsonWriter, v: DevControlResult, path: string): string {
  w.object(v, 'DevControlResult', path);
  return '{"block":' + writeJsonDevBlock(w, v.block, path + '.block') + ',"tx_hash":' + w.digest(v.tx_hash, path, '.tx_hash', -1) + '}';
}

function writeJsonParamsOf_dev_setStorage(w: $JsonWriter, v: DevV1Methods['dev_setStorage']['params'], path: string): string {
  w.object(v, 'parameters of dev_setStorage', path);
  let s = '{"contract":' + w.fixed(v.contract, 20, path, '.contract', -1) + ',"slot":' + w.digest(v.slot, path, '.slot', -1);
  const x2 = v.value;
  if (x2 !== undefined && x2 !== null) s += ',"value":' + w.bytes(x2, 4294967295, path, '.value', -1);
  return s + '}';
}

export function writeJsonDevSetCodeArgs(w: $JsonWriter, v: DevSetCodeArgs, path: string): string {
  w.object(v, 'DevSetCodeArgs', path);
  let s = '{"address":' + w.fixed(v.address, 20, path, '.address', -1);
  const x1 = v.code;
  if (x1 !== undefined && x1 !== null) s += ',"code":' + w.bytes(x1, 4294967295, path, '.code', -1);
  const x2 = v.idl;
  if (x2 !== undefined && x2 !== null) s += ',"idl":' + w.string(x2, 4294967295, path, '.idl', -1);
  const x3 = v.vm;
  if (x3 !== undefined && x3 !== null) s += ',"vm":' + writeJsonVmType(w, x3, path + '.vm');
  return s + '}';
}

export function writeJsonDevImpersonateArgs(w: $JsonWriter, v: DevImpersonateArgs, path: string): string {
  w.object(v, 'DevImpersonateArgs', path);
  let s = '{"sender":' + w.fixed(v.sender, 20, path, '.sender', -1) + ',"action":' + writeJsonAction(w, v.action, path + '.action');
  const x2 = v.gas_limit;
  if (x2 !== undefined && x2 !== null) s += ',"gas_limit":' + w.u64(x2, path, '.gas_limit', -1);
  return s + '}';
}

export function writeJsonDevImpersonateResult(w: $JsonWriter, v: DevImpersonateResult, path: string): string {
  w.object(v, 'DevImpersonateResult', path);
  let s = '{"block":' + writeJsonDevBlock(w, v.block, path + '.block') + ',"tx_hash":' + w.digest(v.tx_hash, path, '.tx_hash', -1) + ',"outcome":' + writeJsonOutcome(w, v.outcome, path + '.outcome');
  const x3 = v.message;
  if (x3 !== undefined && x3 !== null) s += ',"message":' + w.string(x3, 4294967295, path, '.message', -1);
  s += ',"gas_used":' + w.u64(v.gas_used, path, '.gas_used', -1);
  const x5 = v.contract;
  if (x5 !== undefined && x5 !== null) s += ',"contract":' + w.fixed(x5, 20, path, '.contract', -1);
  return s + ',"output":' + w.bytes(v.output, 4294967295, path, '.output', -1) + '}';
}

function writeJsonParamsOf_dev_snapshot(w: $JsonWriter, v: DevV1Methods['dev_snapshot']['params'], path: string): string {
  w.object(v, 'parameters of dev_snapshot', path);
  return '{' + '}';
}

export function writeJsonDevSnapshot(w: $JsonWriter, v: DevSnapshot, path: string): string {
  w.object(v, 'DevSnapshot', path);
  return '{"id":' + w.u64(v.id, path, '.id', -1) + ',"state_root":' + w.digest(v.state_root, path, '.state_root', -1) + '}';
}

function writeJsonParamsOf_dev_revert(w: $JsonWriter, v: DevV1Methods['dev_revert']['params'], path: string): string {
  w.object(v, 'parameters of dev_revert', path);
  return '{"id":' + w.u64(v.id, path, '.id', -1) + '}';
}

export function writeJsonDevChangesResult(w: $JsonWriter, v: DevChangesResult, path: string): string {
  w.object(v, 'DevChangesResult', path);
  return '{"changes":' + w.u32(v.changes, path, '.changes', -1) + ',"last":' + writeJsonDevBlock(w, v.last, path + '.last') + ',"tx_hashes":' + writeJsonHashList(w, v.tx_hashes, path + '.tx_hashes') + '}';
}

function writeJsonParamsOf_dev_dumpState(w: $JsonWriter, v: DevV1Methods['dev_dumpState']['params'], path: string): string {
  w.object(v, 'parameters of dev_dumpState', path);
  let s = '{';
  const x0 = v.cursor;
  if (x0 !== undefined && x0 !== null) s += '"cursor":' + w.string(x0, 4294967295, path, '.cursor', -1);
  return s + '}';
}

export function writeJsonDevStatePage(w: $JsonWriter, v: DevStatePage, path: string): string {
  w.object(v, 'DevStatePage', path);
  let s = '{"height":' + w.u64(v.height, path, '.height', -1) + ',"accounts":' + writeJsonDevAccountList(w, v.accounts, path + '.accounts');
  const x2 = v.next_cursor;
  if (x2 !== undefined && x2 !== null) s += ',"next_cursor":' + w.string(x2, 4294967295, path, '.next_cursor', -1);
  const x3 = v.timestamp_ms;
  if (x3 !== undefined && x3 !== null) s += ',"timestamp_ms":' + w.u64(x3, path, '.timestamp_ms', -1);
  return s + '}';
}

function writeJsonParamsOf_dev_loadState(w: $JsonWriter, v: DevV1Methods['dev_loadState']['params'], path: string): string {
  w.object(v, 'parameters of dev_loadState', path);
  let s = '{"accounts":' + writeJsonDevAccountList(w, v.accounts, path + '.accounts');
  const x1 = v.timestamp_ms;
  if (x1 !== undefined && x1 !== null) s += ',"timestamp_ms":' + w.u64(x1, path, '.timestamp_ms', -1);
  return s + '}';
}

function writeJsonHashList(w: $JsonWriter, v: readonly Uint8Array[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += w.digest(v[i] as Uint8Array, path, '', i);
  }
  return s + ']';
}

function writeJsonDevAccountList(w: $JsonWriter, v: readonly DevAccount[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonDevAccount(w, v[i] as DevAccount, path + '[' + i + ']');
  }
  return s + ']';
}

export function writeJsonDevAccount(w: $JsonWriter, v: DevAccount, path: string): string {
  w.object(v, 'DevAccount', path);
  let s = '{"address":' + w.fixed(v.address, 20, path, '.address', -1);
  const x1 = v.balance;
  if (x1 !== undefined && x1 !== null) s += ',"balance":' + w.u128(x1, path, '.balance', -1);
  const x2 = v.deploy_index;
  if (x2 !== undefined && x2 !== null) s += ',"deploy_index":' + w.u64(x2, path, '.deploy_index', -1);
  const x3 = v.contract;
  if (x3 !== undefined && x3 !== null) s += ',"contract":' + writeJsonDevAccountContract(w, x3, path + '.contract');
  const x4 = v.slots;
  if (x4 !== undefined && x4 !== null) s += ',"slots":' + writeJsonDevSlotList(w, x4, path + '.slots');
  return s + '}';
}

export function writeJsonDevAccountContract(w: $JsonWriter, v: DevAccountContract, path: string): string {
  w.object(v, 'DevAccountContract', path);
  let s = '{"vm":' + writeJsonVmType(w, v.vm, path + '.vm') + ',"code":' + w.bytes(v.code, 4294967295, path, '.code', -1);
  const x2 = v.idl;
  if (x2 !== undefined && x2 !== null) s += ',"idl":' + w.string(x2, 4294967295, path, '.idl', -1);
  return s + ',"abi_version":' + w.u32(v.abi_version, path, '.abi_version', -1) + ',"upgrade_policy":' + writeJsonUpgradePolicy(w, v.upgrade_policy, path + '.upgrade_policy') + ',"deployer":' + w.fixed(v.deployer, 20, path, '.deployer', -1) + ',"deployed_at":' + w.u64(v.deployed_at, path, '.deployed_at', -1) + '}';
}

function writeJsonDevSlotList(w: $JsonWriter, v: readonly DevSlot[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonDevSlot(w, v[i] as DevSlot, path + '[' + i + ']');
  }
  return s + ']';
}

/** Functions of structs and enums, by name; the input of `bindCodecs`. */
export const devV1Functions = {
  DevSlot: { writeJson: writeJsonDevSlot, readJson: readJsonDevSlot },
  DevMineArgs: { writeJson: writeJsonDevMineArgs, readJson: readJsonDevMineArgs },
  DevMineResult: { writeJson: writeJsonDevMineResult, readJson: readJsonDevMineResult },
  DevBlock: { writeJson: writeJsonDevBlock, readJson: readJsonDevBlock },
  DevControlResult: { writeJson: writeJsonDevControlResult, readJson: readJsonDevControlResult },
  DevSetCodeArgs: { writeJson: writeJsonDevSetCodeArgs, readJson: readJsonDevSetCodeArgs },
  DevImpersonateArgs: { writeJson: writeJsonDevImpersonateArgs, readJson: readJsonDevImpersonateArgs },
  DevImpersonateResult: { writeJson: writeJsonDevImpersonateResult, readJson: readJsonDevImpersonateResult },
  DevSnapshot: { writeJson: writeJsonDevSnapshot, readJson: readJsonDevSnapshot },
  DevChangesResult: { writeJson: writeJsonDevChangesResult, readJson: readJsonDevChangesResult },
  DevStatePage: { writeJson: writeJsonDevStatePage, readJson: readJsonDevStatePage },
  DevAccount: { writeJson: writeJsonDevAccount, readJson: readJsonDevAccount },
  DevAccountContract: { writeJson: writeJsonDevAccountContract, readJson: readJsonDevAccountContract },
  Action: { writeJson: writeJsonAction, readJson: readJsonAction },
  VmType: { writeJson: writeJsonVmType, readJson: readJsonVmType },
  UpgradePolicy: { writeJson: writeJsonUpgradePolicy, readJson: readJsonUpgradePolicy },
  Outcome: { writeJson: writeJsonOutcome, readJson: readJsonOutcome },
};

/** JSON and Borsh codecs by type name. */
export const devV1Codecs: $BoundCodecs<DevV1Types, typeof devV1Functions> = /* @__PURE__ */ $bindCodecs<DevV1Types, typeof devV1Functions>(devV1Functions);

/** The client functions of every method of DevV1, by plain name. */
export const devV1Calls: {
  readonly [M in keyof DevV1Methods]: $CallFunctions<DevV1Methods[M]['params'], DevV1Methods[M]['result']>;
} = {
  dev_mine: { isRepeatable: true, writeParams: writeJsonDevMineArgs, readResult: readJsonDevMineResult },
  dev_setTime: { isRepeatable: true, writeParams: writeJsonParamsOf_dev_setTime, readResult: readJsonDevBlock },
  dev_increaseTime: { isRepeatable: true, writeParams: writeJsonParamsOf_dev_increaseTime, readResult: readJsonDevBlock },
  dev_setBalance: { isRepeatable: true, writeParams: writeJsonParamsOf_dev_setBalance, readResult: readJsonDevControlResult },
  dev_setStorage: { isRepeatable: true, writeParams: writeJsonParamsOf_dev_setStorage, readResult: readJsonDevControlResult },
  dev_setCode: { isRepeatable: true, writeParams: writeJsonDevSetCodeArgs, readResult: readJsonDevControlResult },
  dev_impersonate: { isRepeatable: true, writeParams: writeJsonDevImpersonateArgs, readResult: readJsonDevImpersonateResult },
  dev_snapshot: { isRepeatable: true, writeParams: writeJsonParamsOf_dev_snapshot, readResult: readJsonDevSnapshot },
  dev_revert: { isRepeatable: true, writeParams: writeJsonParamsOf_dev_revert, readResult: readJsonDevChangesResult },
  dev_dumpState: { isRepeatable: true, writeParams: writeJsonParamsOf_dev_dumpState, readResult: readJsonDevStatePage },
  dev_loadState: { isRepeatable: true, writeParams: writeJsonParamsOf_dev_loadState, readResult: readJsonDevChangesResult },
};

/** Codecs of every method of DevV1, by plain name. */
export const devV1MethodCodecs: ReadonlyMap<string, $MethodCodec> = /* @__PURE__ */ $bindMethods('DevV1', [
  { name: 'dev_mine', tier: 'admin', cost: 10, members: ['count', 'interval_ms'], wrapper: 'args', readParams: readJsonDevMineArgs, writeResult: writeJsonDevMineResult, isRepeatable: true, writeParams: writeJsonDevMineArgs, readResult: readJsonDevMineResult },
  { name: 'dev_setTime', tier: 'admin', cost: 10, members: ['timestamp_ms'], readParams: readJsonParamsOf_dev_setTime, writeResult: writeJsonDevBlock, isRepeatable: true, writeParams: writeJsonParamsOf_dev_setTime, readResult: readJsonDevBlock },
  { name: 'dev_increaseTime', tier: 'admin', cost: 10, members: ['ms'], readParams: readJsonParamsOf_dev_increaseTime, writeResult: writeJsonDevBlock, isRepeatable: true, writeParams: writeJsonParamsOf_dev_increaseTime, readResult: readJsonDevBlock },
  { name: 'dev_setBalance', tier: 'admin', cost: 10, members: ['address', 'amount'], readParams: readJsonParamsOf_dev_setBalance, writeResult: writeJsonDevControlResult, isRepeatable: true, writeParams: writeJsonParamsOf_dev_setBalance, readResult: readJsonDevControlResult },
  { name: 'dev_setStorage', tier: 'admin', cost: 10, members: ['contract', 'slot', 'value'], readParams: readJsonParamsOf_dev_setStorage, writeResult: writeJsonDevControlResult, isRepeatable: true, writeParams: writeJsonParamsOf_dev_setStorage, readResult: readJsonDevControlResult },
  { name: 'dev_setCode', tier: 'admin', cost: 10, members: ['address', 'code', 'idl', 'vm'], wrapper: 'args', readParams: readJsonDevSetCodeArgs, writeResult: writeJsonDevControlResult, isRepeatable: true, writeParams: writeJsonDevSetCodeArgs, readResult: readJsonDevControlResult },
  { name: 'dev_impersonate', tier: 'admin', cost: 10, members: ['sender', 'action', 'gas_limit'], wrapper: 'args', readParams: readJsonDevImpersonateArgs, writeResult: writeJsonDevImpersonateResult, isRepeatable: true, writeParams: writeJsonDevImpersonateArgs, readResult: readJsonDevImpersonateResult },
  { name: 'dev_snapshot', tier: 'admin', cost: 10, members: [], readParams: readJsonParamsOf_dev_snapshot, writeResult: writeJsonDevSnapshot, isRepeatable: true, writeParams: writeJsonParamsOf_dev_snapshot, readResult: readJsonDevSnapshot },
  { name: 'dev_revert', tier: 'admin', cost: 50, members: ['id'], readParams: readJsonParamsOf_dev_revert, writeResult: writeJsonDevChangesResult, isRepeatable: true, writeParams: writeJsonParamsOf_dev_revert, readResult: readJsonDevChangesResult },
  { name: 'dev_dumpState', tier: 'admin', cost: 50, members: ['cursor'], readParams: readJsonParamsOf_dev_dumpState, writeResult: writeJsonDevStatePage, isRepeatable: true, writeParams: writeJsonParamsOf_dev_dumpState, readResult: readJsonDevStatePage },
  { name: 'dev_loadState', tier: 'admin', cost: 50, members: ['accounts', 'timestamp_ms'], readParams: readJsonParamsOf_dev_loadState, writeResult: writeJsonDevChangesResult, isRepeatable: true, writeParams: writeJsonParamsOf_dev_loadState, readResult: readJsonDevChangesResult },
]);
