import { RpcCallError } from '../../client/client.js';
import { tokenDecimals, tokenSymbol } from '../../client/token-answers.js';
import { fromHex } from '../../idl/hex.js';
import type { JsonValue } from '../../idl/json-value.js';
import { useKnownAddress } from '../names/known-addresses.js';
import { lookups } from '../node/connection.js';
import { failureOf } from '../node/failure.js';
import { LookupCache } from '../node/lookup-cache.js';
import { useLookup } from '../node/use-lookup.js';
import type { Unit } from './unit.js';
import { inUnits } from './unit-choice.js';

/** Gas of a view; a contract that needs more for its symbol keeps the node busy for nothing. */
const VIEW_GAS = 4_000_000n;
const FRESH_MS = 300_000;
const MAX_BATCH = 50;

/** Units of tokens by the address of their contract, as its views `decimals` and `symbol` say. */
const tokenUnits = new LookupCache<Unit>({ find: findUnits, maxBatch: MAX_BATCH, freshMs: FRESH_MS });

/**
 * The unit of a token. The page asks for it only while it shows amounts in units, because views may cost.
 * @param digits address of a contract, 40 hex digits; undefined for none
 * @returns undefined while it is not known, and for contracts that are no tokens
 */
export function useTokenUnit(digits: string | undefined): Unit | undefined {
  const isShown = inUnits.value;
  const known = useKnownAddress(digits);
  const isToken = known?.kind === 'contract' && known.token !== undefined;
  const unit = useLookup(tokenUnits, isShown && isToken ? digits : undefined);
  return isShown ? unit : undefined;
}

async function findUnits(contracts: readonly string[]): Promise<ReadonlyMap<string, Unit>> {
  const units = await Promise.all(
    contracts.map(async (contract) => {
      const [decimals, symbol] = await Promise.all([
        answerOf(contract, 'decimals').then(tokenDecimals),
        answerOf(contract, 'symbol').then(tokenSymbol),
      ]);
      return decimals === undefined ? [] : [[contract, { decimals, symbol: symbol ?? '' }] as const];
    }),
  );
  return new Map(units.flat());
}

/**
 * The answer of a view; null if the contract has none, so that it does not hide the units of others.
 * @throws RpcCallError if the node would refuse the views of any contract, such as without an access token
 */
async function answerOf(contract: string, method: string): Promise<JsonValue> {
  const address = fromHex(contract, 0) ?? new Uint8Array(20);
  try {
    const { decoded } = await lookups.peek().view_call({ contract: address, method, gas_limit: VIEW_GAS });
    return decoded ?? null;
  } catch (error) {
    const { canRetry, wantsToken } = failureOf(error);
    if (error instanceof RpcCallError && !canRetry && !wantsToken) return null;
    throw error;
  }
}
