import { closeSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import * as v from 'valibot';
import { errorMessage, hasCode } from '../../../base/errors.js';
import type { JsonValue } from '../../../idl/json-value.js';
import { replaceFileSync } from '../../../storage/replace-file.js';
import { unwritable } from '../../answer.js';
import { CliError, UsageError } from '../../cli-error.js';

const VERSION = 1;

const address = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{40}$/));
const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const integer = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** An integer that a number may not hold exactly, as decimal digits. */
const digits = v.pipe(v.string(), v.regex(/^\d{1,39}$/));
const json = v.unknown() as v.GenericSchema<unknown, JsonValue>;

/** The name of a deployed contract in a record; valibot ignores members with two of these names. */
export const CONTRACT_NAME = /^(?!(?:constructor|prototype)$)[A-Za-z][A-Za-z0-9_-]{0,63}$/;

const transactionSchema = v.object({
  /** The action on one line. */
  what: v.string(),
  type: v.picklist(['transfer', 'deploy', 'call', 'upgrade', 'batch']),
  sender: address,
  lane: integer,
  nonce: integer,
  hash,
  /** sha256 of the encoded action: a resumed run recognises the transaction by it. */
  action_hash: hash,
  /**
   * `signed`: it may be on its way. `included`: it succeeded. `failed`: it is in a block and failed. `dropped`: it never
   * came into a block, and a resumed run sends its action again.
   */
  state: v.picklist(['signed', 'included', 'failed', 'dropped']),
  /** The name that a deployment was given. */
  name: v.optional(v.string()),
  /** Who receives a transfer. */
  to: v.optional(address),
  /** The deployed, called or upgraded contract. */
  contract: v.optional(address),
  method: v.optional(v.string()),
  /** Arguments by name, as in JSON-RPC. */
  args: v.optional(json),
  /** The native balance that a transfer sends, or that goes with a call or a deployment. */
  value: v.optional(digits),
  /** sha256 of the deployed code. */
  code_hash: v.optional(hash),
  /** sha256 of the interface text. */
  idl_hash: v.optional(hash),
  height: v.optional(integer),
  gas_used: v.optional(integer),
  fee: v.optional(digits),
  error: v.optional(v.string()),
});

const runSchema = v.object({
  version: v.literal(VERSION),
  chain_id: digits,
  genesis_hash: hash,
  /** Path of the script, relative to the directory that the command ran in. */
  script: v.string(),
  run: integer,
  started_at: v.string(),
  /** `running` also after an interruption. */
  state: v.picklist(['running', 'complete', 'failed']),
  transactions: v.array(transactionSchema),
});

const deployedSchema = v.object({
  address,
  code_hash: hash,
  tx_hash: hash,
  height: integer,
  script: v.string(),
  run: integer,
});

const latestSchema = v.object({
  version: v.literal(VERSION),
  chain_id: digits,
  genesis_hash: hash,
  contracts: v.record(v.pipe(v.string(), v.regex(CONTRACT_NAME)), deployedSchema),
});

/** A transaction of a run. Hashes are 64 hex digits, addresses `0x` and 40. */
export type RecordedTransaction = v.InferOutput<typeof transactionSchema>;
/** The file of one run of a script. */
export type RunRecord = v.InferOutput<typeof runSchema>;
/** A contract under its name in `latest.json`. */
export type DeployedContract = v.InferOutput<typeof deployedSchema>;
/** The file `latest.json`: the newest deployment of each name on a chain. */
export type LatestRecord = v.InferOutput<typeof latestSchema>;

/** What a record says of its chain. */
export interface RecordedChain {
  readonly id: bigint;
  /** 64 lowercase hex digits. */
  readonly genesisHash: string;
}

const LATEST = 'latest.json';

/** A run of a script, and the file that it is written to. */
export interface OpenRun {
  readonly file: string;
  record: RunRecord;
}

/**
 * The records of one chain: `FOLDER/CHAIN/SCRIPT-RUN.json` for each run of a script, and `latest.json` with the newest
 * deployment of each name. Writes before it returns: a transaction must be on disk before it is sent. Names of files come
 * from the chain's number and from the script's file, never from a node's text.
 */
export class DeploymentFolder {
  readonly path: string;
  readonly #head: Pick<RunRecord, 'version' | 'chain_id' | 'genesis_hash'>;

  /** @param folder the folder of all chains */
  constructor(folder: string, chain: RecordedChain) {
    // A fork shares the id of its chain, so only the genesis tells them apart.
    this.path = join(folder, `${chain.id}-${chain.genesisHash.slice(0, 8)}`);
    this.#head = { version: VERSION, chain_id: `${chain.id}`, genesis_hash: chain.genesisHash };
  }

  /** Begins a run, with the next number. @param script its path as recorded @throws CliError */
  begin(script: string, startedMs: number): OpenRun {
    written(this.path, () => mkdirSync(this.path, { recursive: true }));
    for (let run = this.#newest(script) + 1; ; run++) {
      const file = this.#fileOf(script, run);
      // Another run may have taken the number.
      if (!reserve(file)) continue;
      const record: RunRecord = {
        ...this.#head,
        script,
        run,
        started_at: new Date(startedMs).toISOString(),
        state: 'running',
        transactions: [],
      };
      const begun = { file, record };
      this.save(begun);
      return begun;
    }
  }

  /** The newest run of a script on this chain; undefined if there is none. @throws CliError if its file is damaged */
  newest(script: string): OpenRun | undefined {
    for (let run = this.#newest(script); run > 0; run--) {
      const file = this.#fileOf(script, run);
      const text = readIfThere(file);
      // Empty if its run ended at once.
      if (text === undefined || text === '') continue;
      const record = recordIn(file, text, runSchema);
      // Another script may have the same file name.
      if (record.script === script && this.#isOfChain(record)) return { file, record };
    }
    return undefined;
  }

  /** Writes a run's record. @throws CliError */
  save({ file, record }: OpenRun): void {
    replace(file, record);
  }

  /** The newest deployment under a name; undefined if there is none. @throws CliError if the file is damaged */
  deployed(name: string): DeployedContract | undefined {
    const { contracts } = this.#latest();
    return Object.hasOwn(contracts, name) ? contracts[name] : undefined;
  }

  /** Writes a deployment under its name. @throws CliError */
  addDeployed(name: string, contract: DeployedContract): void {
    const { contracts, ...latest } = this.#latest();
    replace(join(this.path, LATEST), { ...latest, contracts: { ...contracts, [name]: contract } });
  }

  #latest(): LatestRecord {
    const file = join(this.path, LATEST);
    const text = readIfThere(file);
    if (text === undefined) return { ...this.#head, contracts: {} };
    const record = recordIn(file, text, latestSchema);
    return this.#isOfChain(record) ? record : { ...this.#head, contracts: {} };
  }

  #isOfChain({ genesis_hash: hash }: Pick<RunRecord, 'genesis_hash'>): boolean {
    return hash === this.#head.genesis_hash;
  }

  #fileOf(script: string, run: number): string {
    return join(this.path, `${stem(script)}-${run}.json`);
  }

  /** The highest number of a run's file; 0 if there is none. */
  #newest(script: string): number {
    const pattern = new RegExp(`^${stem(script)}-([1-9][0-9]{0,8})\\.json$`);
    const numbers = namesIn(this.path).map((name) => Number(pattern.exec(name)?.[1] ?? 0));
    return Math.max(0, ...numbers);
  }
}

/** @throws UsageError for a name that is no key of `latest.json` */
export function expectContractName(name: unknown): asserts name is string {
  if (typeof name === 'string' && CONTRACT_NAME.test(name)) return;
  const expected = 'a name such as Token, of at most 64 letters, digits, _ and - and with a letter first';
  throw new UsageError(`expected ${expected}, got ${JSON.stringify(name)}`);
}

function stem(script: string): string {
  return basename(script, extname(script)).replaceAll(/[^A-Za-z0-9_-]/g, '_');
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw new CliError(`cannot read ${folder}: ${errorMessage(error)}`, { cause: error });
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw new CliError(`cannot read ${file}: ${errorMessage(error)}`, { cause: error });
  }
}

function recordIn<T>(file: string, text: string, schema: v.GenericSchema<unknown, T>): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CliError(`${file}: expected JSON: ${errorMessage(error)}`, { cause: error });
  }
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return parsed.output;
  const place = v.getDotPath(parsed.issues[0]) ?? 'the file';
  throw new CliError(`${file}: expected a record that "heddle dev script" wrote, but ${place} is invalid`);
}

/** Makes an empty file; false if there is one already. */
function reserve(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx'));
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw unwritable(file, error);
  }
}

function replace(file: string, record: RunRecord | LatestRecord): void {
  const text = `${JSON.stringify(record, null, 2)}\n`;
  written(file, () => replaceFileSync(file, text, `${file}.${process.pid}.new`, 0o644));
}

function written(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw unwritable(path, error);
  }
}
