import type { Config } from '../config/config.js';
import { descriptorLimit, maxConnectionsFor } from '../config/descriptor-limit.js';
import { type Limits, publishedLimits } from '../config/limits.js';
import { MAX_ENTERED_CODES, MAX_ENTERED_MACHINE_CODE } from '../execution/entered-code.js';
import { MAX_IDL_BYTES, MAX_TRANSACTION_BYTES } from '../ledger/constants.js';
import { MAX_OUTCOME_BYTES } from '../ledger/outcome-bytes.js';
import { gappedPlaces } from '../mempool/lanes/gapped-book.js';
import { UNIT_BYTES, UNIT_GAS } from '../rpc/calls/charges.js';
import { CROWDED_MESSAGE_BYTES } from '../rpc/web-socket/web-sockets.js';
import { HOST_LIMITS, LIMITS } from '../vm/wasm/engine-limits.js';

/** `--max-connections`, lowered to what the process has descriptors for. */
export function possibleConnections({ maxConnections }: Config): number {
  return Math.min(maxConnections, maxConnectionsFor(descriptorLimit()));
}

/** The limits that the manifest lists: the configured ones, and those of the chain's rules. */
export function manifestLimits(limits: Limits): Readonly<Record<string, number>> {
  const { maxBodyBytes, poolSize } = limits;
  return {
    ...publishedLimits(limits),
    unit_gas: UNIT_GAS,
    unit_bytes: UNIT_BYTES,
    message_bytes: maxBodyBytes,
    crowded_message_bytes: Math.min(maxBodyBytes, CROWDED_MESSAGE_BYTES),
    transaction_bytes: MAX_TRANSACTION_BYTES,
    gapped_transactions: gappedPlaces(poolSize),
    code_bytes: LIMITS.codeBytes,
    idl_bytes: MAX_IDL_BYTES,
    machine_code_bytes: LIMITS.machineCode,
    entered_codes: MAX_ENTERED_CODES,
    entered_machine_code_bytes: MAX_ENTERED_MACHINE_CODE,
    stack_bytes: LIMITS.stackBytes,
    outcome_bytes: MAX_OUTCOME_BYTES,
    slot_value_bytes: HOST_LIMITS.storageValueBytes,
    call_depth: LIMITS.depth,
  };
}
