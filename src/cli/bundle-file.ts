import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { defined } from '../base/defined.js';
import { errorMessage } from '../base/errors.js';
import { devIndex } from '../client/address-words.js';
import {
  type BundleItem,
  type Client,
  type ContractArguments,
  formatAddress,
  parseAmount,
  type Signer,
} from '../client/client.js';
import type { JsonValue } from '../idl/json-value.js';
import { ledger } from '../ledger/codecs.js';
import { type CliError, UsageError } from './cli-error.js';
import { devSigner } from './dev-signer.js';
import { toAddress } from './values.js';

/** The form of the file, for help texts. */
export const FILE_HELP = `FILE is a JSON list of transactions, in order. Each has "from": dev:0, dev:1 … or a key file, beside FILE if it is
relative. Without it, --from-dev or --key signs. Each also has one of these:

  "to" and "amount"                       a transfer, as {"from": "dev:0", "to": "0x…", "amount": "1e18"}
  "contract", "method", "args", "value"   a call; args by name or position, value is the balance sent along
  "action"                                any action, as in the interface, such as a deployment

and may have "lane", "gas_limit", "max_fee" and "priority_fee". Addresses may be dev:0, dev:1 …, also in "args". Amounts
are text or numbers.`;

/** What each kind of transaction may have beside the common members. */
const KINDS = { to: ['to', 'amount'], contract: ['contract', 'method', 'args', 'value'], action: ['action'] };
const OF_KINDS = Object.values(KINDS).flat();
const MEMBERS = ['from', 'lane', ...OF_KINDS, 'gas_limit', 'max_fee', 'priority_fee'];

const MAX_LANE = 0xffff_ffffn;

interface FileContext {
  readonly client: Client;
  /** Signs for entries without `from`. @throws UsageError */
  readonly usualSigner: () => Promise<Signer>;
  readonly readKey: (path: string) => Promise<Signer>;
}

/** Reads the transactions of a bundle. @throws UsageError that names the entry and its wrong member */
export async function readBundleFile(path: string, context: FileContext): Promise<readonly BundleItem[]> {
  let entries: JsonValue;
  try {
    entries = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`${path}: ${errorMessage(error)}`, { cause: error });
  }
  if (!Array.isArray(entries) || entries.length === 0) {
    throw new UsageError(`${path}: expected a list of transactions`);
  }
  const items: BundleItem[] = [];
  // One after the other, because a key file may ask for its passphrase.
  for (const [i, entry] of entries.entries()) {
    try {
      items.push(await itemOf(entry, path, context));
    } catch (error) {
      throw new UsageError(`${path}: transaction ${i + 1}: ${errorMessage(error)}`, { cause: error });
    }
  }
  return items;
}

type Entry = { readonly [member: string]: JsonValue };

/** @throws Error with a message for the user */
async function itemOf(value: JsonValue, path: string, context: FileContext): Promise<BundleItem> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong('an object', value);
  const entry = value as Entry;
  const unknown = Object.keys(entry).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) throw new UsageError(`unknown member ${JSON.stringify(unknown)}`);
  const kind = (['to', 'contract', 'action'] as const).filter((name) => entry[name] !== undefined);
  const [only] = kind;
  if (only === undefined || kind.length > 1) {
    throw new UsageError('expected a member to, contract or action');
  }
  const foreign = OF_KINDS.find((name) => entry[name] !== undefined && !KINDS[only].includes(name));
  if (foreign !== undefined) throw new UsageError(`${foreign} cannot be combined with ${only}`);
  const amountOf = (member: string) =>
    entry[member] === undefined ? undefined : amount(entry[member], member);
  const lane = amountOf('lane') ?? 0n;
  if (lane > MAX_LANE) throw new UsageError(`lane: expected at most ${MAX_LANE}, got ${lane}`);
  const common = defined({
    sender: context.client.sender(await signerOf(entry['from'], path, context), { lane: Number(lane) }),
    gasLimit: amountOf('gas_limit'),
    maxFee: amountOf('max_fee'),
    priorityFee: amountOf('priority_fee'),
  });
  if (only === 'to') {
    const to = toAddress(text(entry['to'], 'to'), 'to');
    return { ...common, to, amount: amount(entry['amount'], 'amount') };
  }
  if (only === 'action') return { ...common, action: ledger.Action.fromJson(entry['action'], 'action') };
  return defined({
    ...common,
    contract: toAddress(text(entry['contract'], 'contract'), 'contract'),
    method: text(entry['method'], 'method'),
    args: entry['args'] === undefined ? undefined : args(entry['args']),
    value: amountOf('value'),
  });
}

async function signerOf(from: JsonValue | undefined, path: string, context: FileContext): Promise<Signer> {
  if (from === undefined) return context.usualSigner();
  const name = text(from, 'from');
  const index = devIndex(name);
  return index === undefined ? context.readKey(resolve(dirname(path), name)) : devSigner(index);
}

function args(value: JsonValue): ContractArguments {
  if (typeof value !== 'object' || value === null) throw wrong('an object or a list as args', value);
  return withDevAddresses(value) as ContractArguments;
}

/** Replaces development accounts, such as dev:0, by their addresses. */
function withDevAddresses(value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    const index = devIndex(value);
    return index === undefined ? value : formatAddress(devSigner(index).address);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withDevAddresses);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withDevAddresses(member)]));
}

function amount(value: JsonValue | undefined, member: string): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  try {
    return parseAmount(text(value, member));
  } catch (error) {
    throw new UsageError(`${member}: ${errorMessage(error)}`, { cause: error });
  }
}

function text(value: JsonValue | undefined, member: string): string {
  if (typeof value === 'string') return value;
  throw wrong(`text as ${member}`, value);
}

function wrong(expected: string, value: JsonValue | undefined): CliError {
  const got = value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 80);
  return new UsageError(`expected ${expected}, got ${got}`);
}
