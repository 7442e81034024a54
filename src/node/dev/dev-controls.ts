import type { DevRecord } from '../../chain/dev-record.js';
import type { Crypto } from '../../crypto/crypto.js';
import type {
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
} from '../../generated/dev-v1.js';
import type { DevChange } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import type { AccountCache } from '../../ledger/account-cache.js';
import { MAX_DEV_BALANCE } from '../../ledger/dev-controls.js';
import { addressHex } from '../../ledger/hex-types.js';
import { areNamesComplete } from '../../ledger/state-names.js';
import { invalidParams, limitExceeded, RpcError } from '../../rpc/errors.js';
import type { HandlerContext } from '../../rpc/handlers.js';
import type { DevHandlers } from '../../rpc/methods/dev.js';
import type { StoreReader } from '../../storage/store.js';
import { ControlQueue } from './control-queue.js';
import type { ControlSealer, SealedControl } from './control-sealer.js';
import type { DevClock } from './dev-clock.js';
import { divideChanges } from './divide-changes.js';
import { accountChanges, restoringChanges, storedContract } from './state-changes.js';
import { statePage } from './state-pages.js';

const MAX_BLOCKS = 1_000;
/** Maximum number of snapshots; the history since the first is kept. */
const MAX_SNAPSHOTS = 64;
/** 9999-12-31T23:59:59.999Z: times beyond it do not fit the usual formats. */
const MAX_TIME_MS = 253_402_300_799_999n;
const MAX_SLOT_VALUE_BYTES = 16 * 1024;
/** Maximum number of times that a revert looks for changes of blocks that came in between. */
const MAX_PASSES = 16;
/** Owner of a contract that no account has deployed. */
const NOBODY = new Uint8Array(20);

export interface DevControlsOptions {
  readonly sealer: ControlSealer;
  readonly clock: DevClock;
  readonly record: DevRecord;
  readonly accounts: AccountCache;
  readonly store: StoreReader;
  readonly crypto: Crypto;
}

type Params<M extends keyof DevV1Methods> = DevV1Methods[M]['params'];

/** The controls of a development chain, which run one after another. */
export class DevControls {
  readonly #options: DevControlsOptions;
  readonly #queue = new ControlQueue();

  constructor(options: DevControlsOptions) {
    this.#options = options;
  }

  get handlers(): DevHandlers {
    const queued =
      <P, R>(control: (params: P, call: HandlerContext) => Promise<R>) =>
      (params: P, call: HandlerContext): Promise<R> =>
        this.#queue.run(() => control(params, call), call);
    return {
      dev_mine: queued((args: Params<'dev_mine'>, call) => this.#mine(args, call)),
      dev_setTime: queued(({ timestamp_ms }: Params<'dev_setTime'>) => this.#setTime(timestamp_ms)),
      dev_increaseTime: queued(({ ms }: Params<'dev_increaseTime'>) => this.#increaseTime(ms)),
      dev_setBalance: queued((params: Params<'dev_setBalance'>) => this.#setBalance(params)),
      dev_setStorage: queued((params: Params<'dev_setStorage'>) => this.#setStorage(params)),
      dev_setCode: queued((args: Params<'dev_setCode'>) => this.#setCode(args)),
      dev_impersonate: queued((args: Params<'dev_impersonate'>) => this.#impersonate(args)),
      dev_snapshot: queued(() => this.#snapshot()),
      dev_revert: queued(({ id }: Params<'dev_revert'>) => this.#revert(id)),
      dev_dumpState: queued(async ({ cursor }: Params<'dev_dumpState'>) => this.#dumpState(cursor)),
      dev_loadState: queued((params: Params<'dev_loadState'>) => this.#loadState(params)),
    };
  }

  async #mine({ count = 1, interval_ms }: DevMineArgs, call: HandlerContext): Promise<DevMineResult> {
    if (count < 1) throw invalidParams('params.count', 'at least 1', String(count));
    if (count > MAX_BLOCKS) throw limitExceeded('mined_blocks', MAX_BLOCKS, count, 'the blocks of one call');
    const { sealer, clock } = this.#options;
    const interval = interval_ms ?? 0n;
    const first = later(sealer.tip.timestamp_ms, BigInt(clock.now()));
    expectTime('params.interval_ms', first + interval * BigInt(count));
    let sealed = 0;
    let last = sealer.tip;
    while (sealed < count && !call.isGone) {
      const time = interval_ms === undefined ? clock.now() : Number(first + interval * BigInt(sealed));
      last = await sealer.block(time);
      sealed++;
    }
    if (interval_ms !== undefined) await this.#passOn(last);
    return { count: sealed, last };
  }

  async #setTime(timestampMs: bigint): Promise<DevBlock> {
    const { sealer } = this.#options;
    const { timestamp_ms: tip } = sealer.tip;
    const path = 'params.timestamp_ms';
    if (timestampMs <= tip) throw invalidParams(path, `more than the last block's, ${tip}`, `${timestampMs}`);
    return this.#sealAt(path, timestampMs);
  }

  async #increaseTime(ms: bigint): Promise<DevBlock> {
    const { sealer, clock } = this.#options;
    const now = later(sealer.tip.timestamp_ms, BigInt(clock.now()));
    return this.#sealAt('params.ms', now + ms);
  }

  async #sealAt(path: string, timeMs: bigint): Promise<DevBlock> {
    expectTime(path, timeMs);
    const { sealer, clock } = this.#options;
    // The clock moves before the block is requested, so that blocks of the pool go on from there too. The request does
    // not wait for the store: an idle block in between would have that time.
    const [, block] = await Promise.all([clock.set(Number(timeMs)), sealer.block(Number(timeMs))]);
    return block;
  }

  /** Lets the clock go on from a block that is ahead of it. */
  async #passOn({ timestamp_ms: time }: DevBlock): Promise<void> {
    const { clock } = this.#options;
    if (time > BigInt(clock.now())) await clock.set(Number(time));
  }

  #setBalance({ address, amount }: Params<'dev_setBalance'>): Promise<DevControlResult> {
    expectBalance('params.amount', amount);
    return this.#changed({ type: 'balance', value: { address, amount } });
  }

  async #setStorage({ contract, slot, value }: Params<'dev_setStorage'>): Promise<DevControlResult> {
    expectSlotValue('params.value', value);
    if (this.#account(contract).contract === undefined) {
      const message = `there is no contract at 0x${toHex(contract)}`;
      throw new RpcError('not_found', message, { address: `0x${toHex(contract)}` });
    }
    const slots = [{ slot, ...(value === undefined ? {} : { value }) }];
    return this.#changed({ type: 'slots', value: { contract, slots } });
  }

  async #setCode({ address, code, idl, vm }: DevSetCodeArgs): Promise<DevControlResult> {
    if (code === undefined) return this.#changed({ type: 'no_contract', value: address });
    const { sealer, store } = this.#options;
    const { contract } = this.#account(address);
    const present = contract === undefined ? undefined : storedContract(store, address, contract);
    const before = present ?? {
      address,
      vm: { type: 'wasm' },
      abi_version: 1,
      upgrade_policy: { type: 'immutable' },
      deployer: NOBODY,
      deployed_at: sealer.tip.height + 1n,
    };
    const given = { code, ...(idl === undefined ? {} : { idl }), ...(vm === undefined ? {} : { vm }) };
    return this.#changed({ type: 'contract', value: { ...before, ...given } });
  }

  async #impersonate({ sender, action, gas_limit }: DevImpersonateArgs): Promise<DevImpersonateResult> {
    const { sealer } = this.#options;
    const { maxGas } = sealer;
    if (gas_limit !== undefined && gas_limit > maxGas) {
      throw limitExceeded('gas_limit', maxGas, gas_limit, 'the gas of a control');
    }
    const changes: DevChange[] = [{ type: 'impersonate', value: { sender, action } }];
    const { block, txHash, receipt } = await sealer.control({ changes, gasLimit: gas_limit });
    const { outcome, gas_used, contract, output } = receipt.receipt;
    const { message } = receipt.details;
    return {
      block,
      tx_hash: txHash,
      outcome,
      ...(message === undefined ? {} : { message }),
      gas_used,
      ...(contract === undefined ? {} : { contract }),
      output,
    };
  }

  async #snapshot(): Promise<DevSnapshot> {
    const { sealer, record } = this.#options;
    this.#expectNames();
    const { height, state_root } = sealer.tip;
    const { snapshots, lastSnapshot } = record.facts;
    if (snapshots.length >= MAX_SNAPSHOTS) {
      throw limitExceeded('snapshots', MAX_SNAPSHOTS, snapshots.length + 1, 'the snapshots of a chain');
    }
    const id = lastSnapshot + 1n;
    await record.write({ lastSnapshot: id, snapshots: [...snapshots, { id, height }] });
    return { id, state_root };
  }

  async #revert(id: bigint): Promise<DevChangesResult> {
    const { sealer, record, store, crypto } = this.#options;
    const { snapshots } = record.facts;
    const snapshot = snapshots.find((one) => one.id === id);
    if (snapshot === undefined) {
      const known = snapshots.map((one) => one.id).join(', ') || 'none';
      throw new RpcError('not_found', `there is no snapshot ${id}; those of this chain: ${known}`, { id });
    }
    const sealed: SealedControl[] = [];
    let count = 0;
    for (let passes = 0; ; passes++) {
      if (passes === MAX_PASSES) throw tooManyTransactions(id);
      const from = sealer.tip.height;
      const changes = restoringChanges(store, crypto, { to: snapshot.height, from });
      count += changes.length;
      for (const { value } of changes.filter((change) => change.type === 'balance')) {
        expectBalance(`balance of 0x${toHex(value.address)}`, value.amount);
      }
      const controls = await this.#allChanged(changes);
      sealed.push(...controls);
      // Other blocks may have come between them, with transactions of the pool.
      if ((controls.at(-1)?.block.height ?? from) === from + BigInt(controls.length)) break;
    }
    await record.write({ snapshots: snapshots.filter((other) => other.id < id) });
    return this.#changesResult(count, sealed);
  }

  #dumpState(cursor: string | undefined): DevStatePage {
    const { store, crypto, sealer, clock } = this.#options;
    this.#expectNames();
    const page = statePage(store, crypto, sealer.tip.height, cursor);
    return { ...page, timestamp_ms: later(sealer.tip.timestamp_ms, BigInt(clock.now())) };
  }

  async #loadState({ accounts, timestamp_ms }: Params<'dev_loadState'>): Promise<DevChangesResult> {
    const { store, sealer, clock } = this.#options;
    if (timestamp_ms !== undefined) expectTime('params.timestamp_ms', timestamp_ms);
    const changes: DevChange[] = [];
    for (const [index, { address, balance, deploy_index, contract, slots = [] }] of accounts.entries()) {
      const path = `params.accounts[${index}]`;
      if (balance !== undefined) expectBalance(`${path}.balance`, balance);
      const now = this.#account(address);
      const wanted = {
        balance: balance ?? now.balance,
        deploy_index: deploy_index ?? now.deploy_index,
        ...(now.contract === undefined ? {} : { contract: now.contract }),
      };
      changes.push(...accountChanges(store, address, now, wanted));
      if (contract !== undefined) changes.push({ type: 'contract', value: { address, ...contract } });
      for (const { slot, value } of slots) {
        expectSlotValue(`${path}.slots`, value);
        const one = { slot, ...(value === undefined ? {} : { value }) };
        changes.push({ type: 'slots', value: { contract: address, slots: [one] } });
      }
    }
    // Before the blocks of the changes, whose times then follow it.
    if (timestamp_ms !== undefined && timestamp_ms > sealer.tip.timestamp_ms) {
      await clock.set(Number(timestamp_ms));
    }
    return this.#changesResult(changes.length, await this.#allChanged(changes));
  }

  async #changed(change: DevChange): Promise<DevControlResult> {
    const sealed = await this.#options.sealer.control({ changes: [change] });
    expectSuccess(sealed);
    return { block: sealed.block, tx_hash: sealed.txHash };
  }

  async #allChanged(changes: readonly DevChange[]): Promise<readonly SealedControl[]> {
    const lists = divideChanges(changes);
    const sealed = await this.#options.sealer.controls(lists.map((list) => ({ changes: list })));
    sealed.forEach(expectSuccess);
    return sealed;
  }

  #changesResult(changes: number, sealed: readonly SealedControl[]): DevChangesResult {
    return {
      changes,
      last: sealed.at(-1)?.block ?? this.#options.sealer.tip,
      tx_hashes: sealed.map(({ txHash }) => txHash),
    };
  }

  #account(address: Uint8Array) {
    return this.#options.accounts.account(addressHex(address));
  }

  /** @throws RpcError state_unavailable */
  #expectNames(): void {
    if (areNamesComplete(this.#options.store)) return;
    const message =
      'this node does not know all accounts and slots by name: its chain began with a snapshot, with heddle dev-state, or ' +
      'with an earlier version; begin a new chain in another directory';
    throw new RpcError('state_unavailable', message, {});
  }
}

function tooManyTransactions(id: bigint): RpcError {
  const message = `transactions kept changing the state while snapshot ${id} was restored; try again with less traffic`;
  return new RpcError('not_ready', message, { reasons: [message] });
}

function later(a: bigint, b: bigint): bigint {
  return b > a ? b : a + 1n;
}

function expectTime(path: string, timeMs: bigint): void {
  if (timeMs > MAX_TIME_MS) throw invalidParams(path, `a time of at most ${MAX_TIME_MS} ms`, String(timeMs));
}

function expectBalance(path: string, amount: bigint): void {
  if (amount > MAX_DEV_BALANCE) throw invalidParams(path, `at most ${MAX_DEV_BALANCE}`, String(amount));
}

function expectSlotValue(path: string, value: Uint8Array | undefined): void {
  if (value === undefined || value.length <= MAX_SLOT_VALUE_BYTES) return;
  throw invalidParams(path, `at most ${MAX_SLOT_VALUE_BYTES} bytes`, `${value.length} bytes`);
}

/** @throws RpcError invalid_params if the control failed; its block says so too */
function expectSuccess({ receipt, block }: SealedControl): void {
  const { outcome } = receipt.receipt;
  if (outcome.type === 'success') return;
  const why = receipt.details.message ?? outcome.type;
  const message = `the control failed in block ${block.height}: ${why}`;
  throw new RpcError('invalid_params', message, { path: 'params' });
}
