import { chunks } from '../../async/tick-batch.js';
import { type Client, RpcCallError } from '../../client/client.js';
import { fromHex, toHex } from '../../idl/hex.js';
import { type CompiledInterface, compileInterface } from '../interface/contract-interface.js';
import { type TokenMethods, tokenMethodsOf } from './token-methods.js';

/** What an address is. */
export type KnownAddress =
  | { readonly kind: 'account' }
  /** `compiled` is absent for a contract without a valid interface. */
  | { readonly kind: 'contract'; readonly compiled?: CompiledInterface; readonly token?: TokenMethods };

/** Maximum number of compiled interfaces that are kept; contracts of the same text share one. */
const MAX_INTERFACES = 50;

/** Number of interfaces per request; each is up to 64 KiB. */
const MAX_TEXTS = 16;

/**
 * Tells contracts from accounts, and compiles the contracts' interfaces: one call for all addresses, then batches for the
 * interfaces.
 * @param node a client that sends the calls of a tick as one request
 */
export function contractFinder(
  node: () => Pick<Client, 'accounts' | 'contract_idl'>,
): (addresses: readonly string[]) => Promise<ReadonlyMap<string, KnownAddress>> {
  const compiled = new Map<string, KnownAddress>();
  const contractOf = async (idl: string): Promise<KnownAddress> => {
    const known = compiled.get(idl);
    if (known !== undefined) return known;
    // Strangers write interfaces, and a long one takes a while: the page stays responsive between two of them.
    await new Promise((resolve) => setTimeout(resolve, 0));
    const compilation = compileInterface(idl);
    const contract = compilation.ok ? describe(compilation.compiled) : { kind: 'contract' as const };
    compiled.set(idl, contract);
    const [oldest] = compiled.keys();
    if (compiled.size > MAX_INTERFACES && oldest !== undefined) compiled.delete(oldest);
    return contract;
  };
  return async (addresses) => {
    const asked = addresses.map((hex) => fromHex(hex, 0) ?? new Uint8Array(20));
    const { accounts } = await node().accounts({ addresses: asked });
    const found = new Map<string, KnownAddress>(
      accounts.map(({ address, is_contract }) => [
        toHex(address),
        { kind: is_contract ? 'contract' : 'account' },
      ]),
    );
    const contracts = accounts.filter(({ is_contract }) => is_contract);
    for (const some of chunks(contracts, MAX_TEXTS)) {
      const texts = await Promise.all(some.map(({ address }) => interfaceOf(node(), address)));
      for (const [at, { address }] of some.entries()) {
        const text = texts[at];
        if (text !== undefined) found.set(toHex(address), await contractOf(text));
      }
    }
    return found;
  };
}

function describe(compiled: CompiledInterface): KnownAddress {
  const token = tokenMethodsOf(compiled);
  return { kind: 'contract', compiled, ...(token !== undefined && { token }) };
}

async function interfaceOf(
  node: Pick<Client, 'contract_idl'>,
  address: Uint8Array,
): Promise<string | undefined> {
  try {
    return (await node.contract_idl({ address })).idl;
  } catch (error) {
    // The node may be behind another one that answered before.
    if (error instanceof RpcCallError && error.kind === 'not_found') return undefined;
    throw error;
  }
}
