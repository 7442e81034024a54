import assert from 'node:assert/strict';
import { hex } from '../../outside/bytes.js';
import { Account, type Receipt, TxSubmitResult } from '../../outside/rpc-shapes.js';
import { nodeStatus } from '../../outside/traffic.js';
import { signTransaction, type TransactionFields, type Wallet } from '../../outside/wallet.js';
import type { AttackedNode } from './attacked-node.js';

type Action = TransactionFields['action'];

/** Deploys code that anybody may call. */
export function deployment(code: Uint8Array, idl?: string): Action {
  return {
    type: 'deploy',
    value: {
      vm: { type: 'wasm', value: null },
      code,
      idl,
      abi_version: 1,
      upgrade_policy: { type: 'immutable', value: null },
      input: new Uint8Array(),
      value: 0n,
    },
  };
}

/** Sends transactions one after another from one wallet, waiting until each is in a block. */
export class AttackSender {
  readonly #attacked: AttackedNode;
  readonly #wallet: Wallet;

  constructor(attacked: AttackedNode, wallet: Wallet) {
    this.#attacked = attacked;
    this.#wallet = wallet;
  }

  async send(action: Action, gasLimit: bigint): Promise<Receipt> {
    const { rpc } = this.#attacked;
    const { chain_id: chainId } = await nodeStatus(rpc);
    const address = `0x${hex(this.#wallet.address)}`;
    const { lanes } = Account.fromJson(await rpc.call('account', { address }), 'account');
    const nonce = lanes.find(({ lane }) => lane === 0)?.next_nonce ?? 0n;
    const fields = { chainId, nonce, gasLimit, maxFee: 10n ** 12n, priorityFee: 1_000n, action };
    const { encoded } = signTransaction(this.#wallet, fields);
    const params = { encoded, wait: { type: 'included' }, timeout_ms: 30_000 };
    const { status, receipt } = TxSubmitResult.fromJson(await rpc.call('tx_submit', params), 'tx_submit');
    assert.equal(status.type, 'included');
    assert.ok(receipt !== undefined);
    return receipt;
  }

  /** Deploys code that anybody may call. Returns its address. */
  async deploy(code: Uint8Array, idl?: string): Promise<Uint8Array> {
    const { status, contract } = await this.send(deployment(code, idl), 250_000_000n);
    assert.equal(status.type, 'success');
    assert.ok(contract !== undefined);
    return contract;
  }

  call(contract: Uint8Array, gasLimit: bigint, input: Uint8Array = new Uint8Array()): Promise<Receipt> {
    return this.send({ type: 'call', value: { contract, input, value: 0n } }, gasLimit);
  }
}
