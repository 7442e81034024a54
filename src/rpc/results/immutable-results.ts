import type { BlockRef, NodeRpcV1Methods } from '../../generated/node-rpc-v1.js';

/** The part of the chain that a result depends on. */
export interface FixedHeights {
  /** The result is final once this block is. */
  readonly block: bigint;
  /** The call fails once the state of this height is pruned; absent if the result needs no state. */
  readonly state?: bigint;
}

/** Finds the heights that a result depends on, from its JSON if needed; undefined if the result may still change. */
export type ResultJudge = (json: string) => FixedHeights | undefined;

/** Decides for one method which results never change. */
interface Rule<P> {
  /** A cheap test that rules out params before they are decoded. @param params as parsed from JSON, not checked */
  readonly mayBeFixed?: (params: unknown) => boolean;
  /** @returns undefined if results for these params may change */
  judge(params: P): ResultJudge | undefined;
}

/*
 * The methods marked @immutable, and their results that never change:
 *
 * 1. The params name a height, block hash or transaction. `latest`, `finalized` or an absent reference follow the tip,
 *    and so do ranges without an end.
 * 2. The blocks that the result depends on were final before the call began: until then the result may contain
 *    `finalized: false`, and a range beyond the tip ends at the tip.
 * 3. Errors are never immutable: missing data may arrive, and pruned data may be imported.
 * 4. The receipt of a sealed transaction changes when the transaction is opened.
 * 5. Pruned state makes the call fail, although its earlier result remains true: see FixedHeights.state.
 *
 * Not marked, although their params may name a height:
 * - finality_proof, light_client_context, state_proof, finalized_history_root: a block may later get its own
 *   certificate, and state_proof has a shorter retention.
 * - get_checkpoint, get_light_snapshot, get_snapshot_chunk: old checkpoints are dropped, new ones get archives.
 * - get_epoch_key: `next_open_height` follows the tip.
 * - Simulations: on top of the tip, they run in a block with the time of the call.
 */
const RULES = {
  view_call: {
    mayBeFixed: hasReference,
    judge: ({ at }) => stateJudge(at, (json) => parsed<AtHeight>(json)?.height),
  },
  chain_traceCall: {
    mayBeFixed: hasReference,
    judge: ({ at }) => stateJudge(at, (json) => parsed<{ readonly result: AtHeight }>(json)?.result.height),
  },
  chain_traceTransaction: {
    judge: () => (json) => {
      const block = finalReceiptHeight(json);
      return block === undefined ? undefined : { block, state: block - 1n };
    },
  },
  tx_by_hash: {
    judge: () => (json) => {
      const status = parsed<{ readonly status: Status }>(json)?.status;
      const isFinal = status?.type === 'included' && status.value.finalized;
      return isFinal ? { block: BigInt(status.value.height) } : undefined;
    },
  },
  tx_receipt: {
    judge: () => (json) => {
      const block = finalReceiptHeight(json);
      return block === undefined ? undefined : { block };
    },
  },
  get_logs: { judge: ({ to_height: block }) => (block === undefined ? undefined : () => ({ block })) },
  get_blocks: { judge: rangeJudge },
  get_block_summaries: { judge: rangeJudge },
  get_txs_in_range: { judge: rangeJudge },
  finalized_history_proof: {
    judge: ({ height: block, at_size: size }) => (size === undefined ? undefined : () => ({ block })),
  },
} satisfies { readonly [M in keyof NodeRpcV1Methods]?: Rule<NodeRpcV1Methods[M]['params']> };

/** Each rule gets the decoded params of its own method. */
export const IMMUTABLE_RESULTS: ReadonlyMap<string, Rule<unknown>> = new Map<string, Rule<unknown>>(
  Object.entries(RULES),
);

interface AtHeight {
  readonly height: number | string;
}

interface Place extends AtHeight {
  readonly finalized: boolean;
}

interface Status {
  readonly type: string;
  readonly value: Place;
}

/** Longer results are not parsed, because that takes too long in a thread that serves requests. */
const MAX_PARSED_LENGTH = 1_048_576;

function parsed<T>(json: string): T | undefined {
  return json.length <= MAX_PARSED_LENGTH ? (JSON.parse(json) as T) : undefined;
}

function hasReference(params: unknown): boolean {
  const { at } = params as { readonly at?: { readonly type?: unknown } | null };
  return typeof at === 'object' && at !== null && at.type !== 'latest' && at.type !== 'finalized';
}

function stateJudge(
  at: BlockRef | undefined,
  heightIn: (json: string) => number | string | undefined,
): ResultJudge | undefined {
  switch (at?.type) {
    case 'height':
      return () => ({ block: at.value, state: at.value });
    case 'hash':
    case 'after_tx': {
      // `after_tx` needs the state before the block.
      const depth = at.type === 'after_tx' ? 1n : 0n;
      return (json) => {
        const height = heightIn(json);
        return height === undefined ? undefined : { block: BigInt(height), state: BigInt(height) - depth };
      };
    }
    default:
      return undefined;
  }
}

function rangeJudge({ to_height: block }: { readonly to_height: bigint }): ResultJudge {
  return () => ({ block });
}

/** Height of the receipt in a result if it is final; undefined without one, or if an opening may replace it. */
function finalReceiptHeight(json: string): bigint | undefined {
  type FinalReceipt = Place & { readonly opens_at?: number | string };
  const receipt = parsed<{ readonly receipt?: FinalReceipt }>(json)?.receipt;
  if (receipt === undefined || !receipt.finalized) return undefined;
  const height = BigInt(receipt.height);
  const { opens_at: opensAt } = receipt;
  return opensAt !== undefined && height < BigInt(opensAt) ? undefined : height;
}
