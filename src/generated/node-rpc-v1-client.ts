// Generated from idl/node_rpc_v1.idl by `heddle idl generate`. Do not edit.
import type { TextOrBytes as $TextOrBytes } from '../idl/codecs/text-json-writer.js';
import type { NodeRpcV1Methods } from './node-rpc-v1.js';

/** Sends one call to the node and returns its result; rejects on failure. */
export type NodeRpcV1Call = <M extends keyof NodeRpcV1Methods>(
  method: M,
  params: $TextOrBytes<NodeRpcV1Methods[M]['params']>,
) => Promise<NodeRpcV1Methods[M]['result']>;

/**
 * The node accepts methods by qualified name (NodeRpcV1.status) and by plain name (status). The cost of a method is the
 * base price of a call: its gas costs one unit more for each `unit_gas` of the manifest's limits, and its parameters and
 * result for each `unit_bytes`.
 */
export class NodeRpcV1Client {
  readonly #call: NodeRpcV1Call;

  constructor(call: NodeRpcV1Call) {
    this.#call = call;
  }

  /**
   * Chain tip, finalized height, epoch, validator set, pool size.
   * Tier public, 1 compute unit.
   */
  status(): Promise<NodeRpcV1Methods['status']['result']> {
    return this.#call('status', {});
  }

  /**
   * Liveness: whether the process answers and its event loop keeps up.
   * Tier public, 1 compute unit.
   */
  health(): Promise<NodeRpcV1Methods['health']['result']> {
    return this.#call('health', {});
  }

  /**
   * Readiness: whether the node can take traffic, and if not, why.
   * Tier public, 1 compute unit.
   */
  readiness(): Promise<NodeRpcV1Methods['readiness']['result']> {
    return this.#call('readiness', {});
  }

  /**
   * The node's part in consensus: role, key generation, peers, metrics.
   * Tier public, 1 compute unit.
   */
  validator_status(): Promise<NodeRpcV1Methods['validator_status']['result']> {
    return this.#call('validator_status', {});
  }

  /**
   * Balance and nonce lanes of an address after the last committed block.
   * Tier public, 2 compute units.
   */
  account(params: $TextOrBytes<NodeRpcV1Methods['account']['params']>): Promise<NodeRpcV1Methods['account']['result']> {
    return this.#call('account', params);
  }

  /**
   * Many accounts at one height, one entry per address in the order of the request.
   * Tier public, 5 compute units.
   */
  accounts(params: $TextOrBytes<NodeRpcV1Methods['accounts']['params']>): Promise<NodeRpcV1Methods['accounts']['result']> {
    return this.#call('accounts', params);
  }

  /**
   * The address of a deployer's next deployment, or of the one `offset` deployments later.
   * Tier public, 2 compute units.
   */
  predict_address(params: $TextOrBytes<NodeRpcV1Methods['predict_address']['params']>): Promise<NodeRpcV1Methods['predict_address']['result']> {
    return this.#call('predict_address', params);
  }

  /**
   * Engine, code hash, ABI version and upgrade policy of a contract.
   * Tier public, 2 compute units.
   */
  contract_metadata(params: $TextOrBytes<NodeRpcV1Methods['contract_metadata']['params']>): Promise<NodeRpcV1Methods['contract_metadata']['result']> {
    return this.#call('contract_metadata', params);
  }

  /**
   * The interface definition that a contract was deployed with; `idl` is absent if there is none.
   * Tier public, 2 compute units.
   */
  contract_idl(params: $TextOrBytes<NodeRpcV1Methods['contract_idl']['params']>): Promise<NodeRpcV1Methods['contract_idl']['result']> {
    return this.#call('contract_idl', params);
  }

  /**
   * Runs contract code on the state of any retained height, or between two transactions of a block, and returns the
   * result. Writes are discarded. Reverting, trapping or running out of gas is a result, not an error.
   * Tier paid, 10 compute units.
   */
  view_call(params: $TextOrBytes<NodeRpcV1Methods['view_call']['params']>): Promise<NodeRpcV1Methods['view_call']['result']> {
    return this.#call('view_call', params);
  }

  /**
   * Fills in an unsigned transaction from the chain: nonce, gas limit, fees.
   * Tier admin, 10 compute units.
   */
  tx_build(params: $TextOrBytes<NodeRpcV1Methods['tx_build']['params']>): Promise<NodeRpcV1Methods['tx_build']['result']> {
    return this.#call('tx_build', params);
  }

  /**
   * Builds a transaction like `tx_build` and simulates it on the last committed block like `tx_simulate`.
   * Tier admin, 10 compute units.
   */
  tx_build_simulate(params: $TextOrBytes<NodeRpcV1Methods['tx_build_simulate']['params']>): Promise<NodeRpcV1Methods['tx_build_simulate']['result']> {
    return this.#call('tx_build_simulate', params);
  }

  /**
   * Submits a signed transaction to the pool and optionally waits until it is in a block.
   * Tier public, 10 compute units.
   */
  tx_submit(params: $TextOrBytes<NodeRpcV1Methods['tx_submit']['params']> = {}): Promise<NodeRpcV1Methods['tx_submit']['result']> {
    return this.#call('tx_submit', params);
  }

  /**
   * The state of a transaction: pending, included, rejected or not found.
   * Tier public, 2 compute units.
   */
  tx_by_hash(params: $TextOrBytes<NodeRpcV1Methods['tx_by_hash']['params']>): Promise<NodeRpcV1Methods['tx_by_hash']['result']> {
    return this.#call('tx_by_hash', params);
  }

  /**
   * The receipt of an included transaction; `receipt` is absent until there is one.
   * Tier public, 2 compute units.
   */
  tx_receipt(params: $TextOrBytes<NodeRpcV1Methods['tx_receipt']['params']>): Promise<NodeRpcV1Methods['tx_receipt']['result']> {
    return this.#call('tx_receipt', params);
  }

  /**
   * Runs a transaction on the state of any retained height, or between two transactions of a block, and returns its
   * outcome and the gas it needs. Writes are discarded. A signed transaction is checked as for a block: if its
   * nonce, fees, balance or valid_until exclude it, the outcome is `invalid` with the reason. An unsigned one is
   * hypothetical: its nonce is taken to be the lane's next, and if its sender cannot pay gas_limit times the price,
   * or max_fee is 0, it runs without fees; `fee` is then the fee that it would pay.
   * Tier paid, 20 compute units.
   */
  tx_simulate(params: $TextOrBytes<NodeRpcV1Methods['tx_simulate']['params']> = {}): Promise<NodeRpcV1Methods['tx_simulate']['result']> {
    return this.#call('tx_simulate', params);
  }

  /**
   * Simulates a transaction and lists the accounts and slots it reads and writes.
   * Tier paid, 20 compute units.
   */
  tx_simulate_access(params: $TextOrBytes<NodeRpcV1Methods['tx_simulate_access']['params']> = {}): Promise<NodeRpcV1Methods['tx_simulate_access']['result']> {
    return this.#call('tx_simulate_access', params);
  }

  /**
   * Runs transactions and view calls in sequence, each on top of the writes of the transactions before it.
   * Tier paid, 50 compute units.
   */
  tx_simulate_pipeline(params: $TextOrBytes<NodeRpcV1Methods['tx_simulate_pipeline']['params']>): Promise<NodeRpcV1Methods['tx_simulate_pipeline']['result']> {
    return this.#call('tx_simulate_pipeline', params);
  }

  /**
   * Blocks, newest first. On a node that started from a snapshot, this method and the transaction listings end with
   * `state_unavailable` and the oldest available height.
   * Tier public, 5 compute units.
   */
  list_blocks(params: $TextOrBytes<NodeRpcV1Methods['list_blocks']['params']> = {}): Promise<NodeRpcV1Methods['list_blocks']['result']> {
    return this.#call('list_blocks', params);
  }

  /**
   * Included transactions, newest first.
   * Tier public, 5 compute units.
   */
  list_txs(params: $TextOrBytes<NodeRpcV1Methods['list_txs']['params']> = {}): Promise<NodeRpcV1Methods['list_txs']['result']> {
    return this.#call('list_txs', params);
  }

  /**
   * Included transactions of one sender, newest first.
   * Tier public, 5 compute units.
   */
  list_txs_by_sender(params: $TextOrBytes<NodeRpcV1Methods['list_txs_by_sender']['params']>): Promise<NodeRpcV1Methods['list_txs_by_sender']['result']> {
    return this.#call('list_txs_by_sender', params);
  }

  /**
   * Included transactions that call a contract at any depth, deploy it or upgrade it; newest first.
   * Tier public, 5 compute units.
   */
  list_txs_by_contract(params: $TextOrBytes<NodeRpcV1Methods['list_txs_by_contract']['params']>): Promise<NodeRpcV1Methods['list_txs_by_contract']['result']> {
    return this.#call('list_txs_by_contract', params);
  }

  /**
   * Included transactions that paid native balance to an address, newest first: by a transfer, as the value of a call or
   * deployment, or by a contract. Failed transactions paid nothing. Fees, and payments of an address to itself, are left
   * out.
   * Tier public, 5 compute units.
   */
  list_txs_by_recipient(params: $TextOrBytes<NodeRpcV1Methods['list_txs_by_recipient']['params']>): Promise<NodeRpcV1Methods['list_txs_by_recipient']['result']> {
    return this.#call('list_txs_by_recipient', params);
  }

  /**
   * Tokens that an address has sent or received, ascending by contract: the contracts that emitted the event `Transfer`
   * of their interface from or to it. The contract may have any name; its present interface on chain declares `Transfer`
   * as `contracts/token/token.idl` does: an indexed address, an indexed address and a u128. Any contract can emit this
   * event for any address: the balance is the result of a `view_call` of `balance_of`. A page examines a bounded number of
   * contracts: it may hold fewer tokens than requested, or none, and still have a `next_cursor`.
   * Tier public, 5 compute units.
   */
  list_tokens_by_holder(params: $TextOrBytes<NodeRpcV1Methods['list_tokens_by_holder']['params']>): Promise<NodeRpcV1Methods['list_tokens_by_holder']['result']> {
    return this.#call('list_tokens_by_holder', params);
  }

  /**
   * Contracts by the name in their interface, ascending by name, then by the height of their deployment. Any number of
   * contracts can have the same name, and none is vouched for. A node that started from a snapshot knows the names of
   * contracts that later blocks deployed or upgraded. A page may hold fewer contracts than requested, or none, and still
   * have a `next_cursor`.
   * Tier public, 5 compute units.
   */
  list_contracts(params: $TextOrBytes<NodeRpcV1Methods['list_contracts']['params']> = {}): Promise<NodeRpcV1Methods['list_contracts']['result']> {
    return this.#call('list_contracts', params);
  }

  /**
   * Events by contract, topics and height, in order of execution. A page covers a bounded part of the chain: it may
   * hold fewer events than requested, or none, and still have a `next_cursor`. On a node that started from a
   * snapshot, a range that begins below its first block fails with `state_unavailable`; without `from_height` the
   * range begins with block 0. A range or page that begins above the tip fails with a `not_found` that is `retryable`.
   * Tier public, 20 compute units.
   */
  get_logs(params: $TextOrBytes<NodeRpcV1Methods['get_logs']['params']> = {}): Promise<NodeRpcV1Methods['get_logs']['result']> {
    return this.#call('get_logs', params);
  }

  /**
   * Pending transactions of the pool, newest first.
   * Tier public, 5 compute units.
   */
  list_pending_txs(params: $TextOrBytes<NodeRpcV1Methods['list_pending_txs']['params']> = {}): Promise<NodeRpcV1Methods['list_pending_txs']['result']> {
    return this.#call('list_pending_txs', params);
  }

  /**
   * Size and limits of the pool.
   * Tier public, 1 compute unit.
   */
  txpool_stats(): Promise<NodeRpcV1Methods['txpool_stats']['result']> {
    return this.#call('txpool_stats', {});
  }

  /**
   * Whole blocks by height, ascending, with everything that their headers commit to.
   * Tier public, 20 compute units.
   */
  get_blocks(params: $TextOrBytes<NodeRpcV1Methods['get_blocks']['params']>): Promise<NodeRpcV1Methods['get_blocks']['result']> {
    return this.#call('get_blocks', params);
  }

  /**
   * Summaries of blocks by height, ascending.
   * Tier public, 5 compute units.
   */
  get_block_summaries(params: $TextOrBytes<NodeRpcV1Methods['get_block_summaries']['params']>): Promise<NodeRpcV1Methods['get_block_summaries']['result']> {
    return this.#call('get_block_summaries', params);
  }

  /**
   * All transactions of a range of blocks, in order of execution.
   * Tier public, 20 compute units.
   */
  get_txs_in_range(params: $TextOrBytes<NodeRpcV1Methods['get_txs_in_range']['params']>): Promise<NodeRpcV1Methods['get_txs_in_range']['result']> {
    return this.#call('get_txs_in_range', params);
  }

  /**
   * Proves that a block is final: its own certificate, or that of a later block with the headers in between.
   * Tier public, 2 compute units.
   */
  finality_proof(params: $TextOrBytes<NodeRpcV1Methods['finality_proof']['params']>): Promise<NodeRpcV1Methods['finality_proof']['result']> {
    return this.#call('finality_proof', params);
  }

  /**
   * The data a light client needs to check other answers, proved under the group key alone.
   * Tier public, 1 compute unit.
   */
  light_client_context(params: $TextOrBytes<NodeRpcV1Methods['light_client_context']['params']> = {}): Promise<NodeRpcV1Methods['light_client_context']['result']> {
    return this.#call('light_client_context', params);
  }

  /**
   * Proves the value or absence of an account, and optionally of a slot, under the state root of a block.
   * Tier public, 5 compute units.
   */
  state_proof(params: $TextOrBytes<NodeRpcV1Methods['state_proof']['params']>): Promise<NodeRpcV1Methods['state_proof']['result']> {
    return this.#call('state_proof', params);
  }

  /**
   * The history root and peaks over the blocks before a final block, as committed to by its header.
   * Tier public, 1 compute unit.
   */
  finalized_history_root(params: $TextOrBytes<NodeRpcV1Methods['finalized_history_root']['params']> = {}): Promise<NodeRpcV1Methods['finalized_history_root']['result']> {
    return this.#call('finalized_history_root', params);
  }

  /**
   * Proves that a block is in the history of a later final block.
   * Tier public, 5 compute units.
   */
  finalized_history_proof(params: $TextOrBytes<NodeRpcV1Methods['finalized_history_proof']['params']>): Promise<NodeRpcV1Methods['finalized_history_proof']['result']> {
    return this.#call('finalized_history_proof', params);
  }

  /**
   * Checkpoints that a new node can start from, newest first.
   * Tier public, 1 compute unit.
   */
  get_checkpoint_list(): Promise<NodeRpcV1Methods['get_checkpoint_list']['result']> {
    return this.#call('get_checkpoint_list', {});
  }

  /**
   * The data to verify a checkpoint before fetching its chunks: header, certificate, history, validator set.
   * Tier public, 5 compute units.
   */
  get_light_snapshot(params: $TextOrBytes<NodeRpcV1Methods['get_light_snapshot']['params']> = {}): Promise<NodeRpcV1Methods['get_light_snapshot']['result']> {
    return this.#call('get_light_snapshot', params);
  }

  /**
   * The checkpoint of a height.
   * Tier public, 2 compute units.
   */
  get_checkpoint(params: $TextOrBytes<NodeRpcV1Methods['get_checkpoint']['params']>): Promise<NodeRpcV1Methods['get_checkpoint']['result']> {
    return this.#call('get_checkpoint', params);
  }

  /**
   * Checkpoints with their archives, newest first.
   * Tier public, 5 compute units.
   */
  list_checkpoints(params: $TextOrBytes<NodeRpcV1Methods['list_checkpoints']['params']> = {}): Promise<NodeRpcV1Methods['list_checkpoints']['result']> {
    return this.#call('list_checkpoints', params);
  }

  /**
   * A chunk of a checkpoint's state, proved under its state root.
   * Tier public, 20 compute units.
   */
  get_snapshot_chunk(params: $TextOrBytes<NodeRpcV1Methods['get_snapshot_chunk']['params']>): Promise<NodeRpcV1Methods['get_snapshot_chunk']['result']> {
    return this.#call('get_snapshot_chunk', params);
  }

  /**
   * Imports a chunk into an empty node that awaits a snapshot; an unproved chunk is refused as a whole.
   * Tier admin, 10 compute units.
   */
  import_snapshot_chunk(params: $TextOrBytes<NodeRpcV1Methods['import_snapshot_chunk']['params']>): Promise<NodeRpcV1Methods['import_snapshot_chunk']['result']> {
    return this.#call('import_snapshot_chunk', params);
  }

  /**
   * The key for sealing transactions, the heights of an epoch, and the next height to seal to.
   * Tier public, 1 compute unit.
   */
  get_epoch_key(params: $TextOrBytes<NodeRpcV1Methods['get_epoch_key']['params']> = {}): Promise<NodeRpcV1Methods['get_epoch_key']['result']> {
    return this.#call('get_epoch_key', params);
  }

  /**
   * Submits a signed envelope to the pool: a transaction whose action is unreadable until its position is fixed. The
   * envelope is included below its height `opens_at`. The first block above that height with the key opens it and
   * executes it before other transactions. `tx_by_hash`, `tx_receipt` and the listings identify it by its envelope's
   * hash. Refused like a transaction: `expired` if it opens too soon, `too_large` if it opens too late or its
   * payload is too long; `not_ready` if the node's validator has no key to open it with.
   * Tier public, 10 compute units.
   */
  tx_submit_sealed(params: $TextOrBytes<NodeRpcV1Methods['tx_submit_sealed']['params']>): Promise<NodeRpcV1Methods['tx_submit_sealed']['result']> {
    return this.#call('tx_submit_sealed', params);
  }

  /**
   * Submits signed transactions that are included as a whole, in order and consecutively, or not at all: if one
   * fails, none takes effect and the bundle leaves the pool. The bundle waits for missing nonces, and leaves the
   * pool when another transaction uses one of its nonces.
   * Tier public, 10 compute units.
   */
  tx_submit_bundle(params: $TextOrBytes<NodeRpcV1Methods['tx_submit_bundle']['params']>): Promise<NodeRpcV1Methods['tx_submit_bundle']['result']> {
    return this.#call('tx_submit_bundle', params);
  }

  /**
   * Runs transactions in sequence in one block, like a bundle that includes them, and reports their dependencies. The rules of
   * `tx_simulate` for signed and unsigned transactions apply to each.
   * Tier paid, 50 compute units.
   */
  chain_simulateBundle(params: $TextOrBytes<NodeRpcV1Methods['chain_simulateBundle']['params']>): Promise<NodeRpcV1Methods['chain_simulateBundle']['result']> {
    return this.#call('chain_simulateBundle', params);
  }

  /**
   * Executes an included transaction again at its position in the block, reports its execution, and checks it against the
   * receipt.
   * Tier paid, 50 compute units.
   */
  chain_traceTransaction(params: $TextOrBytes<NodeRpcV1Methods['chain_traceTransaction']['params']>): Promise<NodeRpcV1Methods['chain_traceTransaction']['result']> {
    return this.#call('chain_traceTransaction', params);
  }

  /**
   * Runs a call like `view_call` and reports its execution.
   * Tier paid, 50 compute units.
   */
  chain_traceCall(params: $TextOrBytes<NodeRpcV1Methods['chain_traceCall']['params']>): Promise<NodeRpcV1Methods['chain_traceCall']['result']> {
    return this.#call('chain_traceCall', params);
  }

  /**
   * Simulates a transaction like `tx_simulate` and reports its execution.
   * Tier paid, 50 compute units.
   */
  tx_simulate_trace(params: $TextOrBytes<NodeRpcV1Methods['tx_simulate_trace']['params']> = {}): Promise<NodeRpcV1Methods['tx_simulate_trace']['result']> {
    return this.#call('tx_simulate_trace', params);
  }

  /**
   * The calls and compute units of a token by day and method, ascending by day. Days are in UTC and kept for 400 days;
   * the last few seconds may be missing. Without `token`, the usage of the caller's own token; a caller without one gets
   * `unauthorized`.
   * Tier public, 5 compute units.
   */
  token_usage(params: $TextOrBytes<NodeRpcV1Methods['token_usage']['params']> = {}): Promise<NodeRpcV1Methods['token_usage']['result']> {
    return this.#call('token_usage', params);
  }
}
