import {
  type Client,
  ClientError,
  formatAddress,
  formatAmount,
  type ReadClient,
  RpcCallError,
} from '../../client/client.js';
import { parseInterface } from '../../client/contract-interface.js';
import type { Action, Call } from '../../generated/ledger.js';
import type { ContractAbi } from '../../idl/abi/contract-abi.js';
import { cut, membersText } from '../../idl/decoded-text.js';
import { toPrefixedHex } from '../../idl/hex.js';
import { tryDecode } from '../../ledger/contract-decoding.js';
import type { Lines } from '../sending-options.js';

/**
 * Describes an action. Calls are decoded by the present interfaces of their contracts; those that do not match one are
 * shown as bytes.
 */
export async function actionLines(client: Client, action: Action): Promise<Lines> {
  const kind = ['action', action.type] as const;
  switch (action.type) {
    case 'transfer': {
      const { to, amount } = action.value;
      return [kind, ['to', formatAddress(to)], ['amount', formatAmount(amount)]];
    }
    case 'call':
      return [kind, ...(await callLines(client, action.value))];
    case 'batch': {
      const abis = await abisOf(client, action.value);
      const calls = action.value.map((call, i) => {
        const value = call.value === 0n ? '' : ` with ${formatAmount(call.value)}`;
        const text = `${formatAddress(call.contract)} ${inputText(abis[i], call.input)}${value}`;
        return [`call ${i}`, text] as const;
      });
      return [kind, ...calls];
    }
    case 'deploy': {
      const { code, idl, value } = action.value;
      return [kind, ...codeLines(code, idl), ...valueLines(value)];
    }
    case 'upgrade': {
      const { contract, code, idl } = action.value;
      return [kind, ['contract', formatAddress(contract)], ...codeLines(code, idl)];
    }
  }
}

async function callLines(client: Client, { contract, input, value }: Call): Promise<Lines> {
  const abi = await abiOf(client, contract);
  const name = abi === undefined ? '' : ` (${abi.name})`;
  return [
    ['contract', `${formatAddress(contract)}${name}`],
    ['call', inputText(abi, input)],
    ...valueLines(value),
  ];
}

/** A call on one line, by the interface of its contract. */
export function inputText(abi: ContractAbi | undefined, input: Uint8Array): string {
  const called = abi?.functionOf(input);
  const args = called === undefined ? undefined : tryDecode(() => called.decodeCall(input));
  if (called === undefined || args === undefined) return `input ${cut(toPrefixedHex(input))}`;
  return `${called.name}${membersText(args)}`;
}

function codeLines(code: Uint8Array, idl: string | undefined): Lines {
  return [
    ['code', `${formatAmount(BigInt(code.length))} bytes`],
    ['interface', idl === undefined ? 'none' : `${formatAmount(BigInt(idl.length))} characters`],
  ];
}

function valueLines(value: bigint): Lines {
  return value === 0n ? [] : [['value', formatAmount(value)]];
}

/** The interfaces of the called contracts, each read once. */
async function abisOf(client: Client, calls: readonly Call[]): Promise<readonly (ContractAbi | undefined)[]> {
  const known = new Map<string, Promise<ContractAbi | undefined>>();
  const asked = calls.map(({ contract }) => {
    const name = formatAddress(contract);
    const abi = known.get(name) ?? abiOf(client, contract);
    known.set(name, abi);
    return abi;
  });
  return Promise.all(asked);
}

/** The interface of a contract; undefined if it has none that is valid. */
export async function abiOf(client: ReadClient, contract: Uint8Array): Promise<ContractAbi | undefined> {
  try {
    const { idl } = await client.contract_idl({ address: contract });
    return idl === undefined ? undefined : parseInterface(idl);
  } catch (error) {
    if (error instanceof RpcCallError && error.kind === 'not_found') return undefined;
    if (error instanceof ClientError && error.code === 'bad_interface') return undefined;
    throw error;
  }
}
