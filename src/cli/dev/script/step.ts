import { defined } from '../../../base/defined.js';
import { formatAddress, formatAmount, type ReadClient } from '../../../client/client.js';
import { parseInterface } from '../../../client/contract-interface.js';
import { sha256 } from '../../../crypto/sha256.js';
import type { Action, Call } from '../../../generated/ledger.js';
import type { ContractAbi } from '../../../idl/abi/contract-abi.js';
import { membersText } from '../../../idl/decoded-text.js';
import { toHex } from '../../../idl/hex.js';
import type { JsonValue } from '../../../idl/json-value.js';
import { ledger } from '../../../ledger/codecs.js';
import { tryDecode } from '../../../ledger/contract-decoding.js';
import { abiOf, inputText } from '../../read/action-text.js';

/** A transaction that a script asks for, described for people and for its record. */
export interface Step {
  /** The action on one line, such as `deploy Token(supply: 5)`. */
  readonly what: string;
  readonly type: Action['type'];
  /** `0x` and 40 hex digits, as are `to` and `contract`. */
  readonly sender: string;
  readonly lane: number;
  /** sha256 of the encoded action; 64 hex digits, as are the other hashes. */
  readonly actionHash: string;
  /** The name that a deployment gets. */
  readonly name?: string;
  readonly to?: string;
  readonly contract?: string;
  readonly method?: string;
  readonly args?: JsonValue;
  /** The native balance that a transfer sends, or that goes with a call or a deployment. */
  readonly value: bigint;
  readonly codeHash?: string;
  readonly idlHash?: string;
}

/** Longest description; arguments have any number and length. */
const MAX_WHAT = 300;

/** Describes actions. It reads the interfaces of called contracts, each once. */
export class StepReader {
  readonly #client: ReadClient;
  readonly #abis = new Map<string, Promise<ContractAbi | undefined>>();
  readonly #names = new Map<string, string>();

  constructor(client: ReadClient) {
    this.#client = client;
  }

  /** Tells the name that a contract has in the record, which its calls are described with. */
  named(contract: string, name: string): void {
    this.#names.set(contract, name);
  }

  /** @param name of a deployment, if the script gave one */
  async read(
    action: Action,
    { address, lane }: { readonly address: Uint8Array; readonly lane: number },
    name?: string,
  ): Promise<Step> {
    const described = await this.#describe(action, name);
    return {
      type: action.type,
      sender: formatAddress(address),
      lane,
      actionHash: hashHex(ledger.Action.encode(action)),
      value: 0n,
      ...described,
      what: shortened(described.what),
    };
  }

  async #describe(action: Action, name: string | undefined): Promise<Pick<Step, 'what'> & Partial<Step>> {
    switch (action.type) {
      case 'transfer': {
        const { to, amount } = action.value;
        const recipient = formatAddress(to);
        return { what: `transfer ${formatAmount(amount)} to ${recipient}`, to: recipient, value: amount };
      }
      case 'deploy': {
        const { code, idl, input, value } = action.value;
        const abi = idl === undefined ? undefined : parseInterface(idl);
        const args = argumentsOf(abi, 'init', input);
        const title = name ?? abi?.name ?? 'Contract';
        const more = defined({ args, ...(idl !== undefined && { idlHash: textHash(idl) }) });
        const what = `deploy ${title}${args === undefined ? '' : membersText(args)}${withText(value)}`;
        return { what, name: title, value, codeHash: hashHex(code), ...more };
      }
      case 'call':
        return this.#describeCall(action.value);
      case 'batch': {
        const calls = await Promise.all(action.value.map((call) => this.#describeCall(call)));
        const value = action.value.reduce((sum, call) => sum + call.value, 0n);
        return { what: `batch of ${calls.map(({ what }) => what).join(', ')}`, value };
      }
      case 'upgrade': {
        const { contract, code, idl } = action.value;
        const address = formatAddress(contract);
        const more = idl === undefined ? {} : { idlHash: textHash(idl) };
        const what = `upgrade ${await this.#titleOf(contract)}`;
        return { what, contract: address, codeHash: hashHex(code), ...more };
      }
    }
  }

  async #describeCall({ contract, input, value }: Call): Promise<Pick<Step, 'what'> & Partial<Step>> {
    const abi = await this.#abiOf(contract);
    const title = await this.#titleOf(contract);
    const called = abi?.functionOf(input);
    const args = called === undefined ? undefined : tryDecode(() => called.decodeCall(input));
    return {
      what: `${title}${called === undefined ? ' ' : '.'}${inputText(abi, input)}${withText(value)}`,
      contract: formatAddress(contract),
      value,
      ...(called !== undefined && { method: called.name }),
      ...(args !== undefined && { args }),
    };
  }

  async #titleOf(contract: Uint8Array): Promise<string> {
    const address = formatAddress(contract);
    return this.#names.get(address) ?? (await this.#abiOf(contract))?.name ?? address;
  }

  #abiOf(contract: Uint8Array): Promise<ContractAbi | undefined> {
    const address = formatAddress(contract);
    const abi = this.#abis.get(address) ?? abiOf(this.#client, contract);
    this.#abis.set(address, abi);
    return abi;
  }
}

/**
 * What must not change between the dry run that a person has seen and the broadcast. Arguments may: a script may take them
 * from a clock.
 */
export function intentOf(step: Step): string {
  const { type, sender, lane, name, to, contract, method, value, codeHash } = step;
  return JSON.stringify([type, sender, lane, name, to, contract, method, `${value}`, codeHash]);
}

function argumentsOf(
  abi: ContractAbi | undefined,
  entry: string,
  input: Uint8Array,
): { readonly [name: string]: JsonValue } | undefined {
  const called = abi?.functions.get(entry);
  return called === undefined ? undefined : tryDecode(() => called.decodeCall(input));
}

function withText(value: bigint): string {
  return value === 0n ? '' : ` with ${formatAmount(value)}`;
}

function shortened(text: string): string {
  return text.length > MAX_WHAT ? `${text.slice(0, MAX_WHAT - 1)}…` : text;
}

function hashHex(data: Uint8Array): string {
  return toHex(sha256(data));
}

function textHash(text: string): string {
  return hashHex(new TextEncoder().encode(text));
}
