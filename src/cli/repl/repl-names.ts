import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { defined } from '../../base/defined.js';
import type { Client, Contract, Sender, Signer } from '../../client/client.js';
import * as library from '../../client/client.js';
import { OPTIONS } from '../../config/options.js';
import type { CommandContext } from '../cli-command.js';
import { UsageError } from '../cli-error.js';
import { type ConnectionOptions, readTokenFile, tokenFileOf, urlOrDefault } from '../connection-options.js';
import { openContract, readText } from '../contract/contract-handle.js';
import { devSigner } from '../dev-signer.js';
import { readKey } from '../key-file.js';
import type { PassphraseOptions } from '../passphrase.js';
import { addressOf, toAddress } from '../values.js';

export interface ReplOptions extends PassphraseOptions, ConnectionOptions {
  readonly key?: string;
  readonly contract: readonly string[];
  readonly idl?: string;
  readonly eval?: string;
}

const ACCOUNTS = 10;

/** What a line of the console can use beside JavaScript. */
export interface ReplNames {
  readonly client: Client;
  readonly accounts: readonly Signer[];
  readonly sender: Sender;
  readonly names: Readonly<Record<string, unknown>>;
}

const HELP = `client           the node: await client.status(), await client.account({ address: accounts[1].address })
accounts         accounts that can sign: that of --key, then the development accounts
sender           sends from accounts[0]: await sender.transfer({ to: accounts[1].address, amount: parseAmount('1e18'), wait: 'included' })
contract(A)      a contract by its interface on chain: token = await contract('0x…'); await token.view('balance_of', { owner: accounts[0].address })
                 contract(A, { idl: 'token.idl' }) reads the interface from a file
address(TEXT)    bytes of an address: 0x…, or dev:3
client.dev       development controls, with the admin token: await client.dev.mine({ count: 3 })
_, _error        the last result, the last error with its stack
.exit            ends the console, as Ctrl-D does

All exports of heddle/client are here: connect, toJson, parseAmount, formatAmount, parseAddress, parseHash, mnemonicAccount …`;

/** Connects, and reads keys and interfaces. @throws CliError, ClientError */
export async function replNames(options: ReplOptions, context: CommandContext): Promise<ReplNames> {
  const { workingDirectory, console } = context;
  const client = connectWithToken(options, context);
  const own = options.key === undefined ? [] : [(await readKey(options.key, options, context)).signer];
  const accounts = [...own, ...Array.from({ length: ACCOUNTS }, (_, index) => devSigner(index))];
  const sender = client.sender(accounts[0] ?? devSigner(0));
  const contract = async (
    at: string | Uint8Array,
    given: { readonly idl?: string; readonly sender?: Sender } = {},
  ): Promise<Contract> => {
    const address = typeof at === 'string' ? (addressOf(at) ?? library.parseAddress(at)) : at;
    const opened = await openContract(
      client,
      address,
      defined({ sender: given.sender ?? sender, workingDirectory, idlFile: given.idl }),
    );
    return opened.handle;
  };
  const names: Record<string, unknown> = {
    ...library,
    client,
    accounts,
    sender,
    contract,
    address: (text: string) => toAddress(text, 'address'),
    help: () => {
      console.out(`${HELP}\n`);
    },
  };
  for (const text of options.contract) {
    const [, name, at] = /^([A-Za-z_$][\w$]*)=(.+)$/.exec(text) ?? [];
    if (name === undefined || at === undefined || Object.hasOwn(names, name)) {
      const expected = 'expected NAME=ADDRESS with a name that the console does not have yet';
      throw new UsageError(`--contract: ${expected}, got ${JSON.stringify(text)}`);
    }
    const address = toAddress(at, `--contract ${name}`);
    names[name] =
      options.idl === undefined
        ? await contract(address)
        : client.contract(address, { idl: readText(options.idl, workingDirectory), sender });
  }
  return { client, accounts, sender, names };
}

/** The admin token beside the command is for a node of this machine; another one gets it only if it is named. */
function connectWithToken(options: ReplOptions, context: CommandContext): Client {
  const target = urlOrDefault(options.url, context.environment);
  const usual = resolve(context.workingDirectory, `${OPTIONS.dataDir.default}/admin.token`);
  const isLocal = URL.canParse(target) && /^(localhost|127\.|\[::1\])/.test(new URL(target).hostname);
  const file = tokenFileOf(options, context) ?? (isLocal && existsSync(usual) ? usual : undefined);
  return library.connect(target, {
    timeoutMs: 10_000,
    retry: { retries: 2 },
    ...(file !== undefined && { token: readTokenFile(file) }),
  });
}
