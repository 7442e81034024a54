import type { LedgerLog } from '../../generated/ledger.js';
import type { Log } from '../../generated/node-rpc-v1.js';
import { decodeEvent } from '../contract-decoding.js';
import type { ContractInterfaces } from '../contract-interfaces.js';
import type { TransactionPosition } from '../keys.js';

/** Position of an event in the chain. */
export interface LogOrigin {
  readonly position: TransactionPosition;
  readonly blockHash: Uint8Array;
  readonly txHash: Uint8Array;
  /** Index among the transaction's events. */
  readonly index: number;
}

/** An event as shown by the API, decoded with its contract's interface at that height. */
export function logView(
  log: LedgerLog,
  { position, blockHash, txHash, index }: LogOrigin,
  interfaces: ContractInterfaces,
): Log {
  const event = decodeEvent(interfaces.at(log.contract, position.height), log);
  return {
    contract: log.contract,
    topics: log.topics,
    data: log.data,
    height: position.height,
    block_hash: blockHash,
    tx_hash: txHash,
    tx_index: position.index,
    log_index: index,
    ...(event === undefined ? {} : { event }),
  };
}
