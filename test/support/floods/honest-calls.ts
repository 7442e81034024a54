import { devWallet, signTransaction, transfer } from '../../outside/wallet.js';
import { text } from '../hex.js';
import type { FloodWorld } from './flood-world.js';

/** Groups of calls; the calls of a group are sent one after another on its connections. */
export const HONEST_GROUPS = ['status', 'reads', 'proofs', 'calls', 'submits'] as const;
export type HonestGroup = (typeof HONEST_GROUPS)[number];

export interface HonestCall {
  readonly method: string;
  readonly params: unknown;
}

/** A modest client: connections per group, and the interval between calls on each in milliseconds. */
export const HONEST_PACE: Readonly<
  Record<HonestGroup, { readonly connections: number; readonly everyMs: number }>
> = {
  status: { connections: 1, everyMs: 20 },
  reads: { connections: 1, everyMs: 25 },
  proofs: { connections: 1, everyMs: 100 },
  calls: { connections: 4, everyMs: 200 },
  // Sequential, because of their nonces.
  submits: { connections: 1, everyMs: 50 },
};

const SENDER = 1;
/** The account of a sender that sends nothing; its transfers are only simulated. */
const UNUSED = 9;

/** Calls of an honest client by group, repeated in this order. Submissions are made one by one. */
export function honestCalls(
  world: FloodWorld,
): Readonly<Record<Exclude<HonestGroup, 'submits'>, HonestCall[]>> {
  const { token, emitter, holder, transaction, newcomers, first, last } = world;
  const range = { from_height: first, to_height: Math.min(first + 3, last) };
  const height = (value: number) => ({ type: 'height', value });
  const view = { contract: token, method: 'balance_of', args: { owner: holder } };
  const action = {
    type: 'call',
    value: { contract: token, method: 'transfer', args: { to: newcomers[0], amount: '1' } },
  };
  const build = { sender: holder, action, gas_limit: 1_000_000 };
  const { encoded: bundled } = signTransaction(devWallet(UNUSED), {
    chainId: BigInt(world.chainId),
    nonce: 0n,
    action: transfer(devWallet(0).address, 1n),
  });
  return {
    status: [{ method: 'status', params: {} }],
    reads: [
      { method: 'account', params: { address: holder } },
      { method: 'list_blocks', params: { limit: 10 } },
      { method: 'get_logs', params: { contract: token, limit: 10 } },
      { method: 'tx_receipt', params: { tx_hash: transaction } },
      { method: 'health', params: {} },
      { method: 'accounts', params: { addresses: newcomers.slice(0, 10) } },
      { method: 'list_txs', params: { limit: 10 } },
      { method: 'list_txs_by_sender', params: { sender: holder, limit: 10 } },
      { method: 'list_txs_by_contract', params: { contract: emitter, limit: 5 } },
      { method: 'tx_by_hash', params: { tx_hash: transaction } },
      { method: 'readiness', params: {} },
      { method: 'txpool_stats', params: {} },
      { method: 'list_pending_txs', params: { limit: 10 } },
      { method: 'get_block_summaries', params: range },
      { method: 'get_blocks', params: { from_height: first, to_height: first } },
      { method: 'get_txs_in_range', params: { from_height: first, to_height: first } },
      { method: 'contract_metadata', params: { address: token } },
      { method: 'contract_idl', params: { address: token } },
      { method: 'predict_address', params: { deployer: holder } },
      { method: 'validator_status', params: {} },
      { method: 'list_checkpoints', params: { limit: 5 } },
      { method: 'get_checkpoint_list', params: {} },
      { method: 'get_epoch_key', params: {} },
      { method: 'light_client_context', params: {} },
      { method: 'finalized_history_root', params: {} },
      { method: 'finality_proof', params: { height: first } },
    ],
    proofs: [
      { method: 'state_proof', params: { contract: holder } },
      { method: 'finalized_history_proof', params: { height: first } },
      { method: 'state_proof', params: { contract: newcomers.at(-1) ?? holder, at: height(last) } },
    ],
    calls: [
      { method: 'view_call', params: view },
      { method: 'tx_simulate', params: { build } },
      { method: 'chain_traceCall', params: view },
      { method: 'view_call', params: view },
      { method: 'tx_simulate_access', params: { build } },
      { method: 'chain_simulateBundle', params: { transactions: [bundled] } },
      { method: 'tx_simulate_trace', params: { build } },
      { method: 'tx_simulate_pipeline', params: { steps: [{ type: 'view', value: view }] } },
      { method: 'chain_traceTransaction', params: { tx_hash: transaction } },
    ],
  };
}

/** Transfers of one honest sender; each uses the nonce after the last accepted one. */
export class HonestSender {
  readonly #chainId: bigint;
  #nonce: bigint;

  static readonly address: string = text(devWallet(SENDER).address);

  constructor({ chainId }: FloodWorld, nonce: bigint) {
    this.#chainId = BigInt(chainId);
    this.#nonce = nonce;
  }

  /** The submission of the next transfer. */
  next(): HonestCall {
    const action = transfer(devWallet(0).address, 1n);
    const { encoded } = signTransaction(devWallet(SENDER), {
      chainId: this.#chainId,
      nonce: this.#nonce,
      priorityFee: 1_000_000n,
      action,
    });
    return { method: 'tx_submit', params: { encoded } };
  }

  /** Records that the last transfer was accepted, even if its answer was lost. */
  taken(): void {
    this.#nonce++;
  }
}
