import * as v from 'valibot';
import type { JsonValue } from '../../../idl/json-value.js';

/** Version of the files' format. */
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

/** A record without transactions. */
export function newRun(chain: RecordedChain, script: string, run: number, startedMs: number): RunRecord {
  return {
    ...head(chain),
    script,
    run,
    started_at: new Date(startedMs).toISOString(),
    state: 'running',
    transactions: [],
  };
}

export function emptyLatest(chain: RecordedChain): LatestRecord {
  return { ...head(chain), contracts: {} };
}

/** @returns the record, or the member that is not as expected */
export function parseRun(value: unknown): RunRecord | string {
  const parsed = v.safeParse(runSchema, value);
  return parsed.success ? parsed.output : placeOf(parsed.issues[0]);
}

/** @returns the record, or the member that is not as expected */
export function parseLatest(value: unknown): LatestRecord | string {
  const parsed = v.safeParse(latestSchema, value);
  return parsed.success ? parsed.output : placeOf(parsed.issues[0]);
}

function head({ id, genesisHash }: RecordedChain) {
  return { version: VERSION, chain_id: `${id}`, genesis_hash: genesisHash } as const;
}

function placeOf(issue: v.BaseIssue<unknown>): string {
  return v.getDotPath(issue) ?? 'the file';
}
