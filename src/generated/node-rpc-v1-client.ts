// Generated from idl/node_rpc_v1.idl by `heddle idl generate`. Do not edit.
import type { NodeRpcV1Methods } from './node-rpc-v1.js';

/** Carries one call to the node and brings back its result, or rejects. */
export type NodeRpcV1Call = <M extends keyof NodeRpcV1Methods>(
  method: M,
  params: NodeRpcV1Methods[M]['params'],
) => Promise<NodeRpcV1Methods[M]['result']>;

/** The node answers every method by its qualified name (NodeRpcV1.status) or by its plain one (status). */
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
   * Liveness: the process answers and its event loop keeps up.
   * Tier public, 1 compute unit.
   */
  health(): Promise<NodeRpcV1Methods['health']['result']> {
    return this.#call('health', {});
  }

  /**
   * Readiness: whether the node is fit to take traffic, and why not.
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
   * Balance and nonce lanes of an address, as of the last committed block.
   * Tier public, 2 compute units.
   */
  account(params: NodeRpcV1Methods['account']['params']): Promise<NodeRpcV1Methods['account']['result']> {
    return this.#call('account', params);
  }

  /**
   * Many accounts at one height, in the order asked for, one answer for each address.
   * Tier public, 5 compute units.
   */
  accounts(params: NodeRpcV1Methods['accounts']['params']): Promise<NodeRpcV1Methods['accounts']['result']> {
    return this.#call('accounts', params);
  }

  /**
   * The address that a deployer's next deployment makes, or the one `offset` deployments later.
   * Tier public, 2 compute units.
   */
  predict_address(params: NodeRpcV1Methods['predict_address']['params']): Promise<NodeRpcV1Methods['predict_address']['result']> {
    return this.#call('predict_address', params);
  }

  /**
   * Engine, code hash, ABI version and upgrade policy of a contract.
   * Tier public, 2 compute units.
   */
  contract_metadata(params: NodeRpcV1Methods['contract_metadata']['params']): Promise<NodeRpcV1Methods['contract_metadata']['result']> {
    return this.#call('contract_metadata', params);
  }

  /**
   * The interface definition that a contract was deployed with; `idl` is left out where there was none.
   * Tier public, 2 compute units.
   */
  contract_idl(params: NodeRpcV1Methods['contract_idl']['params']): Promise<NodeRpcV1Methods['contract_idl']['result']> {
    return this.#call('contract_idl', params);
  }

  /**
   * Runs a contract's code against the state of any kept height, or between two transactions of a block, and reports what
   * it answers. Whatever it writes is discarded. A contract that reverts, traps or runs out of gas is a result.
   * Tier paid, 10 compute units.
   */
  view_call(params: NodeRpcV1Methods['view_call']['params']): Promise<NodeRpcV1Methods['view_call']['result']> {
    return this.#call('view_call', params);
  }

  /**
   * Fills in an unsigned transaction from the chain: nonce, gas limit, fees.
   * Tier admin, 10 compute units.
   */
  tx_build(params: NodeRpcV1Methods['tx_build']['params']): Promise<NodeRpcV1Methods['tx_build']['result']> {
    return this.#call('tx_build', params);
  }

  /**
   * Builds a transaction as `tx_build` does, and simulates it on the last committed block as `tx_simulate` does.
   * Tier admin, 10 compute units.
   */
  tx_build_simulate(params: NodeRpcV1Methods['tx_build_simulate']['params']): Promise<NodeRpcV1Methods['tx_build_simulate']['result']> {
    return this.#call('tx_build_simulate', params);
  }

  /**
   * Takes a signed transaction into the pool and, if asked, waits until it is in a block.
   * Tier public, 10 compute units.
   */
  tx_submit(params: NodeRpcV1Methods['tx_submit']['params'] = {}): Promise<NodeRpcV1Methods['tx_submit']['result']> {
    return this.#call('tx_submit', params);
  }

  /**
   * Where a transaction is: pending, included, rejected or not found.
   * Tier public, 2 compute units.
   */
  tx_by_hash(params: NodeRpcV1Methods['tx_by_hash']['params']): Promise<NodeRpcV1Methods['tx_by_hash']['result']> {
    return this.#call('tx_by_hash', params);
  }

  /**
   * The receipt of an included transaction; `receipt` is left out while there is none.
   * Tier public, 2 compute units.
   */
  tx_receipt(params: NodeRpcV1Methods['tx_receipt']['params']): Promise<NodeRpcV1Methods['tx_receipt']['result']> {
    return this.#call('tx_receipt', params);
  }

  /**
   * Runs a transaction on the state of any kept height, or between two transactions of a block, and reports what it comes to
   * and how much gas it needs. Nothing of it is kept. A signed transaction is checked as for a block: where its nonce, fees,
   * balance or valid_until keep it out, it ends `invalid` with the reason. An unsigned one asks what would be: its nonce is
   * taken for its lane's next, and where its sender cannot pay gas_limit times the price, or max_fee is 0, it runs without
   * fees; `fee` then says what they would be.
   * Tier paid, 20 compute units.
   */
  tx_simulate(params: NodeRpcV1Methods['tx_simulate']['params'] = {}): Promise<NodeRpcV1Methods['tx_simulate']['result']> {
    return this.#call('tx_simulate', params);
  }

  /**
   * Simulates a transaction, and lists the accounts and slots that it reads and writes.
   * Tier paid, 20 compute units.
   */
  tx_simulate_access(params: NodeRpcV1Methods['tx_simulate_access']['params'] = {}): Promise<NodeRpcV1Methods['tx_simulate_access']['result']> {
    return this.#call('tx_simulate_access', params);
  }

  /**
   * Runs transactions and view calls one after another, each on what the transactions before it wrote.
   * Tier paid, 50 compute units.
   */
  tx_simulate_pipeline(params: NodeRpcV1Methods['tx_simulate_pipeline']['params']): Promise<NodeRpcV1Methods['tx_simulate_pipeline']['result']> {
    return this.#call('tx_simulate_pipeline', params);
  }

  /**
   * Blocks, newest first. On a node that started from a snapshot, this and the listings of transactions end with
   * `state_unavailable` and the oldest height there is, where the first block of the chain would be.
   * Tier public, 5 compute units.
   */
  list_blocks(params: NodeRpcV1Methods['list_blocks']['params'] = {}): Promise<NodeRpcV1Methods['list_blocks']['result']> {
    return this.#call('list_blocks', params);
  }

  /**
   * Included transactions, newest first.
   * Tier public, 5 compute units.
   */
  list_txs(params: NodeRpcV1Methods['list_txs']['params'] = {}): Promise<NodeRpcV1Methods['list_txs']['result']> {
    return this.#call('list_txs', params);
  }

  /**
   * Included transactions of one sender, newest first.
   * Tier public, 5 compute units.
   */
  list_txs_by_sender(params: NodeRpcV1Methods['list_txs_by_sender']['params']): Promise<NodeRpcV1Methods['list_txs_by_sender']['result']> {
    return this.#call('list_txs_by_sender', params);
  }

  /**
   * Included transactions that involve a contract: called at any depth, deployed or upgraded. Newest first.
   * Tier public, 5 compute units.
   */
  list_txs_by_contract(params: NodeRpcV1Methods['list_txs_by_contract']['params']): Promise<NodeRpcV1Methods['list_txs_by_contract']['result']> {
    return this.#call('list_txs_by_contract', params);
  }

  /**
   * Events by contract, by topics, and by height, in the order of execution. A page looks at a bounded part of the chain: it
   * may hold fewer events than asked for, or none, and still bring a `next_cursor`. A range that reaches below the first
   * block of a node that started from a snapshot is `state_unavailable`; without `from_height` it begins with block 0.
   * Tier public, 20 compute units.
   */
  get_logs(params: NodeRpcV1Methods['get_logs']['params'] = {}): Promise<NodeRpcV1Methods['get_logs']['result']> {
    return this.#call('get_logs', params);
  }

  /**
   * Transactions that wait in the pool, newest first.
   * Tier public, 5 compute units.
   */
  list_pending_txs(params: NodeRpcV1Methods['list_pending_txs']['params'] = {}): Promise<NodeRpcV1Methods['list_pending_txs']['result']> {
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
   * Whole blocks by height, ascending: everything that their headers commit to.
   * Tier public, 20 compute units.
   */
  get_blocks(params: NodeRpcV1Methods['get_blocks']['params']): Promise<NodeRpcV1Methods['get_blocks']['result']> {
    return this.#call('get_blocks', params);
  }

  /**
   * The summaries of blocks by height, ascending.
   * Tier public, 5 compute units.
   */
  get_block_summaries(params: NodeRpcV1Methods['get_block_summaries']['params']): Promise<NodeRpcV1Methods['get_block_summaries']['result']> {
    return this.#call('get_block_summaries', params);
  }

  /**
   * Every transaction of a range of blocks, in the order of execution.
   * Tier public, 20 compute units.
   */
  get_txs_in_range(params: NodeRpcV1Methods['get_txs_in_range']['params']): Promise<NodeRpcV1Methods['get_txs_in_range']['result']> {
    return this.#call('get_txs_in_range', params);
  }

  /**
   * Proves that a block is final: its own certificate, or that of a later block which made it final, with the headers between.
   * Tier public, 2 compute units.
   */
  finality_proof(params: NodeRpcV1Methods['finality_proof']['params']): Promise<NodeRpcV1Methods['finality_proof']['result']> {
    return this.#call('finality_proof', params);
  }

  /**
   * All that a light client needs to check other answers by, itself proved under the group key alone.
   * Tier public, 1 compute unit.
   */
  light_client_context(params: NodeRpcV1Methods['light_client_context']['params'] = {}): Promise<NodeRpcV1Methods['light_client_context']['result']> {
    return this.#call('light_client_context', params);
  }

  /**
   * Proves what an account, and a slot if asked, hold under the state root of a block, or that they are not there.
   * Tier public, 5 compute units.
   */
  state_proof(params: NodeRpcV1Methods['state_proof']['params']): Promise<NodeRpcV1Methods['state_proof']['result']> {
    return this.#call('state_proof', params);
  }

  /**
   * The history that a final block's header commits to: root and peaks over the blocks before it.
   * Tier public, 1 compute unit.
   */
  finalized_history_root(params: NodeRpcV1Methods['finalized_history_root']['params'] = {}): Promise<NodeRpcV1Methods['finalized_history_root']['result']> {
    return this.#call('finalized_history_root', params);
  }

  /**
   * Proves that a block is in the history that a later final block's header commits to.
   * Tier public, 5 compute units.
   */
  finalized_history_proof(params: NodeRpcV1Methods['finalized_history_proof']['params']): Promise<NodeRpcV1Methods['finalized_history_proof']['result']> {
    return this.#call('finalized_history_proof', params);
  }

  /**
   * The checkpoints that a new node can start from, newest first.
   * Tier public, 1 compute unit.
   */
  get_checkpoint_list(): Promise<NodeRpcV1Methods['get_checkpoint_list']['result']> {
    return this.#call('get_checkpoint_list', {});
  }

  /**
   * What a new node needs to trust a checkpoint before it fetches its chunks: header, certificate, history, validator set.
   * Tier public, 5 compute units.
   */
  get_light_snapshot(params: NodeRpcV1Methods['get_light_snapshot']['params'] = {}): Promise<NodeRpcV1Methods['get_light_snapshot']['result']> {
    return this.#call('get_light_snapshot', params);
  }

  /**
   * The checkpoint of a height.
   * Tier public, 2 compute units.
   */
  get_checkpoint(params: NodeRpcV1Methods['get_checkpoint']['params']): Promise<NodeRpcV1Methods['get_checkpoint']['result']> {
    return this.#call('get_checkpoint', params);
  }

  /**
   * Checkpoints with the archives made of them, newest first.
   * Tier public, 5 compute units.
   */
  list_checkpoints(params: NodeRpcV1Methods['list_checkpoints']['params'] = {}): Promise<NodeRpcV1Methods['list_checkpoints']['result']> {
    return this.#call('list_checkpoints', params);
  }

  /**
   * A chunk of a checkpoint's state, proved under its state root.
   * Tier public, 20 compute units.
   */
  get_snapshot_chunk(params: NodeRpcV1Methods['get_snapshot_chunk']['params']): Promise<NodeRpcV1Methods['get_snapshot_chunk']['result']> {
    return this.#call('get_snapshot_chunk', params);
  }

  /**
   * Takes a chunk into a node that was started empty to await a snapshot; one that does not prove is refused whole.
   * Tier admin, 10 compute units.
   */
  import_snapshot_chunk(params: NodeRpcV1Methods['import_snapshot_chunk']['params']): Promise<NodeRpcV1Methods['import_snapshot_chunk']['result']> {
    return this.#call('import_snapshot_chunk', params);
  }

  /**
   * The key that transactions are sealed under, the heights of an epoch, and the next height that one can still seal to.
   * Tier public, 1 compute unit.
   */
  get_epoch_key(params: NodeRpcV1Methods['get_epoch_key']['params'] = {}): Promise<NodeRpcV1Methods['get_epoch_key']['result']> {
    return this.#call('get_epoch_key', params);
  }

  /**
   * Takes a signed envelope into the pool: a transaction whose action nobody can read before its place is fixed. It is included
   * below its height `opens_at`, opened by the first block above that height which brings the key, and executed there before
   * anything else. `tx_by_hash`, `tx_receipt` and the listings know it by its envelope's hash. Refused as a transaction is:
   * `expired` where it opens too soon, `too_large` where it opens too late or its payload is too long; `not_ready` where the
   * node's validator has no key to open it with.
   * Tier public, 10 compute units.
   */
  tx_submit_sealed(params: NodeRpcV1Methods['tx_submit_sealed']['params']): Promise<NodeRpcV1Methods['tx_submit_sealed']['result']> {
    return this.#call('tx_submit_sealed', params);
  }

  /**
   * Takes signed transactions into the pool that are included whole, in order and one right after the other, or not at
   * all: if one could not be included or does not succeed, none takes effect, and the bundle leaves the pool where one
   * failed. It waits for nonces that are still to come; it leaves once a nonce of it is used otherwise.
   * Tier public, 10 compute units.
   */
  tx_submit_bundle(params: NodeRpcV1Methods['tx_submit_bundle']['params']): Promise<NodeRpcV1Methods['tx_submit_bundle']['result']> {
    return this.#call('tx_submit_bundle', params);
  }

  /**
   * Runs transactions one after another in one block, as a bundle that includes them would, and says which depends on which.
   * What holds for signed and unsigned transactions in `tx_simulate` holds for each of them.
   * Tier paid, 50 compute units.
   */
  chain_simulateBundle(params: NodeRpcV1Methods['chain_simulateBundle']['params']): Promise<NodeRpcV1Methods['chain_simulateBundle']['result']> {
    return this.#call('chain_simulateBundle', params);
  }

  /**
   * Executes an included transaction again where it stands in its block, and reports what it did. The execution is checked
   * against the receipt.
   * Tier paid, 50 compute units.
   */
  chain_traceTransaction(params: NodeRpcV1Methods['chain_traceTransaction']['params']): Promise<NodeRpcV1Methods['chain_traceTransaction']['result']> {
    return this.#call('chain_traceTransaction', params);
  }

  /**
   * Runs a call as view_call does, and reports what it did.
   * Tier paid, 50 compute units.
   */
  chain_traceCall(params: NodeRpcV1Methods['chain_traceCall']['params']): Promise<NodeRpcV1Methods['chain_traceCall']['result']> {
    return this.#call('chain_traceCall', params);
  }

  /**
   * Simulates a transaction as tx_simulate does, and reports what it did.
   * Tier paid, 50 compute units.
   */
  tx_simulate_trace(params: NodeRpcV1Methods['tx_simulate_trace']['params'] = {}): Promise<NodeRpcV1Methods['tx_simulate_trace']['result']> {
    return this.#call('tx_simulate_trace', params);
  }
}
