import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defined } from '../../base/defined.js';
import { errorMessage, hasCode } from '../../base/errors.js';
import { sameBytes } from '../../base/same-bytes.js';
import { type Client, type Contract, formatAddress, type Sender } from '../../client/client.js';
import { compileIdl } from '../../idl/compiler/compile.js';
import type { ContractDefinition, ContractFunctionDefinition, Manifest } from '../../idl/manifest.js';
import { CliError, UsageError } from '../cli-error.js';

/** A contract's interface: its source text and the compiled declarations. */
export interface ContractInterface {
  readonly text: string;
  readonly manifest: Manifest;
  readonly contract: ContractDefinition;
}

export interface OpenContract extends ContractInterface {
  readonly handle: Contract;
}

/** Parses an interface. @param where the text's origin, for messages @throws CliError, IdlError */
export function readInterface(text: string, where: string): ContractInterface {
  const { manifest } = compileIdl([{ name: where, text }]);
  const [contract, second] = manifest.contracts;
  if (contract === undefined || second !== undefined) {
    throw new CliError(`${where}: expected exactly one contract, got ${manifest.contracts.length}`);
  }
  return { text, manifest, contract };
}

/** Opens the contract at an address, with the interface from a file or else from the chain. */
export async function openContract(
  client: Client,
  address: Uint8Array,
  options: { readonly idlFile?: string; readonly sender?: Sender; readonly workingDirectory: string },
): Promise<OpenContract> {
  const { idlFile, sender, workingDirectory } = options;
  const found =
    idlFile === undefined
      ? await interfaceOnChain(client, address)
      : readInterface(readText(idlFile, workingDirectory), idlFile);
  const handle = client.contract(address, defined({ idl: found.text, sender }));
  return { ...found, handle };
}

/** The interface that is stored with a contract. @throws CliError if there is none */
export async function interfaceOnChain(client: Client, address: Uint8Array): Promise<ContractInterface> {
  const { idl } = await client.contract_idl({ address });
  if (idl !== undefined) return readInterface(idl, `the interface of ${formatAddress(address)}`);
  throw new CliError(`${formatAddress(address)} has no interface on chain; give one with --idl FILE`);
}

/** @throws UsageError with the names of the contract's functions */
export function findFunction({ contract }: ContractInterface, name: string): ContractFunctionDefinition {
  const found = contract.functions.find((each) => each.name === name);
  if (found !== undefined) return found;
  const names = contract.functions.map((each) => each.name).join(', ');
  throw new UsageError(`${contract.name} has no function ${name}; it has ${names}`);
}

/** @throws CliError if the file cannot be read */
export function readText(path: string, workingDirectory: string): string {
  return Buffer.from(readBytes(path, workingDirectory)).toString('utf8');
}

/** First bytes of every WebAssembly module. */
const WASM_MAGIC = Uint8Array.of(0x00, 0x61, 0x73, 0x6d);

/** Reads a module. The node validates it, but another kind of file should not cost a fee. @throws CliError */
export function readModule(path: string, workingDirectory: string): Uint8Array {
  const code = readBytes(path, workingDirectory);
  if (!sameBytes(code.subarray(0, WASM_MAGIC.length), WASM_MAGIC)) {
    throw new CliError(`${path}: expected a compiled contract (WebAssembly), got another kind of file`);
  }
  return code;
}

function readBytes(path: string, workingDirectory: string): Uint8Array {
  try {
    return Uint8Array.from(readFileSync(resolve(workingDirectory, path)));
  } catch (error) {
    const reason = hasCode(error, 'ENOENT') ? 'no such file' : errorMessage(error);
    throw new CliError(`${path}: ${reason}`, { cause: error });
  }
}
