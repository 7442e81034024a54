import { toHex, toPrefixedHex } from '../../idl/hex.js';
import {
  type TrustAnchor,
  type VerifiedAccount,
  type VerifiedBlock,
  type VerifiedSlot,
  type VerifiedTransaction,
  VerifyError,
  verifyAccount,
  verifyHistoryRoot,
  verifySlot,
  verifyTransactionIncluded,
} from '../../proofs/verify.js';
import { callSource } from '../../sync/follow/source-call.js';
import { SourceError } from '../../sync/follow/source-error.js';

/** Larger than any valid answer: state values and receipts are short. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

const TIMEOUT_MS = 10_000;

export interface Refusal {
  readonly endpoint: string;
  readonly reason: string;
}

/** A value that one source proved, and the refusals of the other sources' answers. */
export interface Proved<T> {
  readonly value: T;
  readonly endpoint: string;
  readonly refusals: readonly Refusal[];
}

export class LightClientError extends Error {
  override readonly name = 'LightClientError';
  readonly refusals: readonly Refusal[];

  constructor(message: string, refusals: readonly Refusal[]) {
    super([message, ...refusals.map(({ endpoint, reason }) => `  ${endpoint}: ${reason}`)].join('\n'));
    this.refusals = refusals;
  }
}

type Ask = (method: string, params: object) => Promise<unknown>;

/**
 * Queries several nodes and trusts none: returns only answers proved under the trust anchor, from the node that proved
 * the highest block. Nodes can still withhold blocks, so callers that need a recent state must check the block's time.
 */
export class LightClient {
  readonly #endpoints: readonly string[];
  readonly #trust: TrustAnchor;
  /** The highest block seen; an older state counts as stale, even with a valid proof. */
  #highest: VerifiedBlock | undefined;

  /** @param endpoints full addresses of RPC endpoints, at least one */
  constructor(endpoints: readonly string[], trust: TrustAnchor) {
    this.#endpoints = endpoints;
    this.#trust = trust;
  }

  /** @param address 20 bytes @param at a height; default the newest block @throws LightClientError */
  account(address: Uint8Array, at?: bigint): Promise<Proved<VerifiedAccount>> {
    const params = { contract: toPrefixedHex(address), ...atHeight(at) };
    return this.#state(at, async (ask) =>
      verifyAccount(await ask('state_proof', params), address, this.#trust),
    );
  }

  /** @param contract 20 bytes @param slot 32 bytes @param at as for {@link account} @throws LightClientError */
  slot(contract: Uint8Array, slot: Uint8Array, at?: bigint): Promise<Proved<VerifiedSlot>> {
    const params = { contract: toPrefixedHex(contract), slot: toHex(slot), ...atHeight(at) };
    return this.#state(at, async (ask) =>
      verifySlot(await ask('state_proof', params), { contract, slot }, this.#trust),
    );
  }

  /** @param txHash 32 bytes @throws LightClientError also if no source reports the transaction in the chain */
  async transaction(txHash: Uint8Array): Promise<Proved<VerifiedTransaction>> {
    const { proved, refusals } = await this.#all((ask) => this.#transaction(ask, txHash));
    const [first] = proved;
    if (first === undefined) {
      throw new LightClientError('no source proved that the transaction is in the chain', refusals);
    }
    return { ...first, refusals };
  }

  async #transaction(ask: Ask, txHash: Uint8Array): Promise<VerifiedTransaction> {
    const answer = await ask('tx_receipt', { tx_hash: toHex(txHash), with_proof: true });
    const height = claimedHeight(answer);
    // Uses the block's own certificate if the source has it, else the last final block's with the history in between.
    const own = await ask('finalized_history_root', { height });
    if (isCertified(own)) return verifyTransactionIncluded(answer, txHash, this.#trust, { finalized: own });
    const finalized = await ask('finalized_history_root', {});
    const { history: range } = verifyHistoryRoot(finalized, this.#trust);
    const history = await ask('finalized_history_proof', { height, at_size: Number(range.size) });
    return verifyTransactionIncluded(answer, txHash, this.#trust, { finalized, history });
  }

  /**
   * A value proved at the highest block that a source has, or at exactly the given height: a proof at another height is valid
   * but does not answer the query.
   */
  async #state<T extends { readonly block: VerifiedBlock }>(
    at: bigint | undefined,
    query: (ask: Ask) => Promise<T>,
  ): Promise<Proved<T>> {
    const { proved, refusals } = await this.#all(async (ask) => {
      const value = await query(ask);
      const { height } = value.block.header;
      if (at === undefined || height === at) return value;
      throw new VerifyError(
        'wrong_subject',
        `answer: expected the state after block ${at}, got block ${height}'s`,
      );
    });
    const [first, ...others] = proved;
    if (first === undefined) {
      const where = at === undefined ? '' : ` at height ${at}`;
      throw new LightClientError(`no source proved its answer${where}`, refusals);
    }
    let best = first;
    for (const other of others) {
      if (at !== undefined) expectSameBlock(first.value.block, other.value.block, refusals);
      else if (isHigher(other.value.block, best.value.block)) best = other;
    }
    if (at === undefined) this.#expectNotOlder(best.value.block, refusals);
    return { ...best, refusals };
  }

  /** @throws LightClientError */
  #expectNotOlder(block: VerifiedBlock, refusals: readonly Refusal[]): void {
    const highest = this.#highest;
    if (highest !== undefined && isHigher(highest, block)) {
      throw new LightClientError(
        `the answers are proved but stale: they are of block ${block.header.height}, and block ${highest.header.height} was proved before`,
        refusals,
      );
    }
    if (highest?.header.height === block.header.height) expectSameBlock(highest, block, refusals);
    this.#highest = block;
  }

  async #all<T>(query: (ask: Ask) => Promise<T>): Promise<{
    readonly proved: readonly { readonly value: T; readonly endpoint: string }[];
    readonly refusals: readonly Refusal[];
  }> {
    const proved: { value: T; endpoint: string }[] = [];
    const refusals: Refusal[] = [];
    await Promise.all(
      this.#endpoints.map(async (endpoint) => {
        try {
          proved.push({
            value: await query((method, params) => this.#ask(endpoint, method, params)),
            endpoint,
          });
        } catch (error) {
          if (!(error instanceof VerifyError || error instanceof SourceError)) throw error;
          const verdict = error instanceof VerifyError ? `not believed (${error.code}): ` : '';
          refusals.push({ endpoint, reason: verdict + error.message });
        }
      }),
    );
    return { proved, refusals };
  }

  async #ask(endpoint: string, method: string, params: object): Promise<unknown> {
    return callSource({
      endpoint,
      method,
      params: JSON.stringify(params),
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: TIMEOUT_MS,
      signal: new AbortController().signal,
    });
  }
}

function isHigher(a: VerifiedBlock, b: VerifiedBlock): boolean {
  return a.header.height > b.header.height;
}

/** @throws LightClientError if two blocks of one height are certified */
function expectSameBlock(a: VerifiedBlock, b: VerifiedBlock, refusals: readonly Refusal[]): void {
  if (toHex(a.hash) === toHex(b.hash)) return;
  throw new LightClientError(
    `the validators certified two blocks of height ${a.header.height}: ${toHex(a.hash)} and ${toHex(b.hash)}; trust neither`,
    refusals,
  );
}

function atHeight(at: bigint | undefined): { readonly at?: object } {
  return at === undefined ? {} : { at: { type: 'height', value: Number(at) } };
}

/** The source's claim of the transaction's height, used only to request the proof. */
function claimedHeight(answer: unknown): number {
  const height = member(member(member(answer, 'proof'), 'header'), 'height');
  if (typeof height === 'number' && Number.isSafeInteger(height) && height >= 0) return height;
  throw new VerifyError('not_proved', 'the source knows of no block with this transaction');
}

function isCertified(answer: unknown): boolean {
  return member(answer, 'certificate') !== undefined;
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
