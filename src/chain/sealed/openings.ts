import { LRUCache } from 'lru-cache';
import { chunks } from '../../async/tick-batch.js';
import type { Crypto } from '../../crypto/crypto.js';
import { sealIdentity } from '../../crypto/sealing/seal-identity.js';
import type { UnsettledBlock } from '../../execution/block-execution.js';
import type { OpenedHeight } from '../../execution/block-tasks.js';
import { type Branch, PendingBlockState } from '../../execution/pending-writes.js';
import type { ExecutionPool } from '../../execution/pool/execution-pool.js';
import { scheduledOpenings } from '../../execution/sealed/opening-schedule.js';
import type { StateSource } from '../../execution/state-source.js';
import { WorldState } from '../../execution/world-state.js';
import type { ScheduledOpening, SealKey } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import { openingGas } from '../../ledger/gas.js';
import { type AddressHex, addressHex } from '../../ledger/hex-types.js';
import { envelopeName } from '../../ledger/state-keys.js';
import type { OpeningDetails } from '../../ledger/stored-receipt.js';
import { sealedEnvelopeHash } from '../../ledger/transaction-envelope.js';
import type { ExecutionBase } from '../executed-candidates.js';
import { OpeningAttempts, type OpeningFault } from './opening-attempts.js';

/** Number of envelopes per task: each costs a pairing, about 8 ms, and signature checks wait behind it. */
const ENVELOPES_PER_TASK = 4;
/** Cache sizes for opened heights and verified keys: every view needs the same ones again. */
const MAX_CACHED_HEIGHTS = 8;
const MAX_CACHED_KEYS = 64;

/** The envelopes opened by a block's keys, and the result of executing them. */
export interface ExecutedOpenings extends UnsettledBlock {
  readonly openings: readonly { readonly hash: Uint8Array; readonly sender: AddressHex }[];
  /** Writes of the envelopes; the block's transactions execute on top. */
  readonly state: PendingBlockState;
}

/** Signer of the keys. */
export interface KeyAuthority {
  readonly chainId: bigint;
  /** 48 bytes. */
  readonly groupPublicKey: Uint8Array;
}

interface OpeningsOptions {
  readonly crypto: Crypto;
  readonly workers: Pick<ExecutionPool, 'run'>;
  readonly stateAfter: (branch: Branch) => StateSource;
  /** Called for each failure to execute a height's envelopes; {@link OpeningAttempts} limits their number. */
  readonly onFault?: ((fault: OpeningFault) => void) | undefined;
}

/** Opens the envelopes of heights whose keys are known, and executes them. Workers do everything that takes time. */
export class Openings {
  readonly #options: OpeningsOptions;
  /** Opened envelopes by key and sealed envelopes. */
  readonly #opened = new LRUCache<string, Promise<readonly OpeningDetails[]>>({ max: MAX_CACHED_HEIGHTS });
  readonly #good = new LRUCache<string, true>({ max: MAX_CACHED_KEYS });
  readonly #attempts: OpeningAttempts;

  constructor(options: OpeningsOptions) {
    this.#options = options;
    this.#attempts = new OpeningAttempts({ onFault: options.onFault });
  }

  /** Failures of heights that still have unopened envelopes. */
  get failing(): readonly OpeningFault[] {
    const { faults } = this.#attempts;
    if (faults.length === 0) return [];
    const unopened = new Set(this.scheduled([]).map(({ height }) => height));
    return faults.filter(({ height }) => unopened.has(height));
  }

  /** Heights with envelopes unopened after a branch, ascending. */
  scheduled(branch: Branch): readonly ScheduledOpening[] {
    return scheduledOpenings(this.#stateAfter(branch));
  }

  /** The scheduled heights that a block on the branch must open first, those below its own height. */
  due({ env, branch }: ExecutionBase): readonly ScheduledOpening[] {
    return this.scheduled(branch).filter(({ height }) => height < env.height);
  }

  async verify(keys: readonly SealKey[], authority: KeyAuthority): Promise<readonly boolean[]> {
    if (keys.length === 0) return [];
    const { chainId, groupPublicKey } = authority;
    const names = keys.map((key) => `${toHex(groupPublicKey)}/${chainId}/${nameOf(key)}`);
    if (names.every((name) => this.#good.has(name))) return keys.map(() => true);
    const verdicts = await this.#options.workers.run('verify_bls', {
      publicKey: groupPublicKey,
      signed: keys.map(({ height, signature }) => ({ message: sealIdentity(chainId, height), signature })),
    });
    for (const [place, name] of names.entries()) if (verdicts[place] === true) this.#good.set(name, true);
    return verdicts;
  }

  /**
   * Opens and executes all envelopes of the keys' heights.
   * @param keys valid keys of due heights, ascending; with none, the result is undefined
   * @throws the signal's reason; ExecutionError, `put_off` if the execution failed recently; StoreError
   */
  async execute(
    { env, branch }: ExecutionBase,
    keys: readonly SealKey[],
    signal?: AbortSignal,
  ): Promise<ExecutedOpenings | undefined> {
    if (keys.length === 0) return undefined;
    const { crypto, workers } = this.#options;
    const state = this.#stateAfter(branch);
    const due = this.scheduled(branch);
    const pending = keys.map((key) => {
      const count = due.find(({ height }) => height === key.height)?.count ?? 0;
      return { key, envelopes: pendingOf(state, key.height, count) };
    });
    const openings = pending.flatMap(({ key: { height }, envelopes }) =>
      envelopes.map((encoded) => {
        const { envelope } = ledger.PendingEnvelope.decode(encoded).signed;
        const hash = sealedEnvelopeHash(ledger.SealedEnvelope.encode(envelope), crypto);
        const { sender } = envelope.header;
        return { height, hash, hashHex: toHex(hash), sender: addressHex(sender), gas: openingGas(envelope) };
      }),
    );
    const { executed, tips } = await this.#attempts.run(
      openings,
      async ({ progress, cancellation }) => {
        const heights = await Promise.all(
          pending.map(async ({ key, envelopes }): Promise<OpenedHeight> => {
            return { height: key.height, openings: await this.#open(key, envelopes) };
          }),
        );
        const below = branch.length === 0 ? {} : { branch: branch.map(({ shared }) => shared) };
        const input = { env, ...below, heights, progress };
        return workers.run('execute_openings', input, { cancellation, once: true });
      },
      signal,
    );
    return { executed, tips, openings, state: new PendingBlockState(env.height, executed) };
  }

  #stateAfter(branch: Branch): WorldState {
    return new WorldState(this.#options.stateAfter(branch));
  }

  /** Opens a height's envelopes, or returns the cached result. */
  #open(key: SealKey, pending: readonly Uint8Array[]): Promise<readonly OpeningDetails[]> {
    const { crypto } = this.#options;
    const name = `${nameOf(key)}/${toHex(crypto.sha256(Buffer.concat(pending)))}`;
    const known = this.#opened.get(name);
    if (known !== undefined) return known;
    const opened = this.#openByWorkers(key, pending);
    this.#opened.set(name, opened);
    // A failed opening is retried on the next request.
    opened.catch(() => this.#opened.delete(name));
    return opened;
  }

  async #openByWorkers(
    { signature }: SealKey,
    pending: readonly Uint8Array[],
  ): Promise<readonly OpeningDetails[]> {
    const { workers } = this.#options;
    const opened = await Promise.all(
      Array.from(chunks(pending, ENVELOPES_PER_TASK), (part) => {
        const envelopes = part.map((encoded) => {
          const { header, ...sealed } = ledger.PendingEnvelope.decode(encoded).signed.envelope;
          return { ...sealed, header: ledger.SealedHeader.encode(header) };
        });
        return workers.run('open_envelopes', { key: signature, envelopes });
      }),
    );
    return opened.flat().map((one, place): OpeningDetails => {
      const encoded = pending[place];
      if (encoded === undefined) throw new Error('more openings than envelopes');
      return 'action' in one ? { pending: encoded, action: one.action } : { pending: encoded };
    });
  }
}

/** borsh(PendingEnvelope) of each envelope of a height, in order of inclusion. */
function pendingOf(state: WorldState, height: bigint, count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, order) => {
    const pending = state.record(envelopeName(height, order));
    if (pending === undefined) throw new Error(`envelope ${order} of height ${height} is not in the state`);
    return pending;
  });
}

function nameOf({ height, signature }: SealKey): string {
  return `${height}/${toHex(signature)}`;
}
