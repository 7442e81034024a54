import { setMaxListeners } from 'node:events';
import { pause } from '../async/pause.js';
import { errorMessage } from '../base/errors.js';
import { ClientError } from '../client/client-error.js';
import { RpcCallError } from '../client/rpc-call-error.js';
import type { Client } from '../client/rpc-client.js';
import type { Sender } from '../client/sender.js';
import { devAccount, type Signer } from '../client/signers.js';
import { DEV_ACCOUNT_COUNT } from '../crypto/dev-accounts.js';
import type { Status } from '../generated/node-rpc-v1.js';
import { ChainWatcher, InclusionTracker } from './inclusion-tracker.js';
import { LoadAccounts, minBalance, type Signing } from './load-accounts.js';
import { LoadError } from './load-error.js';
import { type LoadReport, type LoadSample, type LoadSettings, REPORT_KIND } from './load-report.js';
import { PROFILES, type ProfileName } from './profiles.js';
import { Recorder, type SeenBlock } from './recorder.js';
import { ResourceWatcher } from './resources/resource-watcher.js';
import { sampledOutcomes } from './sampled-outcomes.js';
import { SendSchedule } from './send-schedule.js';
import { verdictOf } from './verdict.js';
import { type Random, randomBelow, seededRandom, type Workload } from './workload.js';

export interface LoadOptions extends LoadSettings {
  readonly profile: ProfileName;
  /** Pays for the load; by default the development accounts do. */
  readonly payer?: Signer;
  /** 32 random bytes from which the load's accounts are derived. */
  readonly secret: Uint8Array;
  /** A faster signing function than the client's, if available. */
  readonly signing?: Signing;
}

/** Interval in milliseconds at which due transactions are sent. */
const TICK_MS = 10;
/** Maximum number of transactions in flight; each takes a few kilobytes of memory. */
const MAX_IN_FLIGHT = 4_096;
/** Maximum number of samples; long loads have longer spans. */
const MAX_SAMPLES = 3_600;
/** Maximum time for the last transactions to be acknowledged and sealed. */
const DRAIN_MS = 30_000;
/** A node that does not answer for this long counts as gone. */
const GONE_MS = 5_000;

interface LoadLane {
  readonly account: number;
  readonly sender: Sender;
}

/** One load on one node, from setup to report. */
export class LoadRun {
  readonly #client: Client;
  readonly #options: LoadOptions;
  readonly #random: Random;
  readonly #recorder = new Recorder();
  readonly #tracker = new InclusionTracker((latencyMs) => this.#recorder.sealed(latencyMs));
  readonly #resources: ResourceWatcher;
  #inFlight = 0;
  #lastAnswerMs = 0;
  #unreachable = false;

  /** @param client a client that batches and retries transient failures */
  constructor(client: Client, options: LoadOptions) {
    this.#client = client;
    this.#options = options;
    this.#random = seededRandom(options.seed);
    this.#resources = new ResourceWatcher(client.endpoint);
  }

  /**
   * @param signal ends the load early; the report covers the time until then
   * @throws LoadError, ClientError, RpcCallError if the load could not start
   */
  async run(
    signal: AbortSignal,
    onProgress: (what: string) => void,
    onSample: (sample: LoadSample, recorder: Recorder) => void,
  ): Promise<LoadReport> {
    // During setup, hundreds of requests listen to the signal at once.
    setMaxListeners(0, signal);
    const accounts = new LoadAccounts(this.#options.accounts, this.#options.secret, this.#options.signing);
    const workload = await this.#prepare(accounts, signal, onProgress);
    const lanes = Array.from({ length: this.#options.lanes }, (_, lane) =>
      accounts.signers.map((signer, account) => ({ account, sender: this.#client.sender(signer, { lane }) })),
    ).flat();
    const status = await this.#client.status();
    // What the setup took does not count.
    await this.#resources.span();
    onProgress('sending');
    const started = new Date();
    const startMs = performance.now();
    const parts = {
      client: this.#client,
      accounts,
      tracker: this.#tracker,
      onBlock: (block: SeenBlock) => this.#recorder.block(block),
      onAnswer: () => this.#answered(),
    };
    const watcher = new ChainWatcher(parts, status.tip.height);
    this.#lastAnswerMs = startMs;
    const watching = new AbortController();
    const watched = watcher.watch(watching.signal);
    const sampled = this.#sampleEvery(startMs, watcher, watching.signal, onSample);
    let ended: LoadReport['ended'];
    try {
      ended = await this.#sendAll(lanes, workload, startMs, signal);
    } catch (error) {
      watching.abort();
      throw error;
    }
    const sendingMs = performance.now() - startMs;
    if (ended === 'complete') await this.#drain(signal);
    await watcher.poll();
    const wholeMs = performance.now() - startMs;
    watching.abort();
    await Promise.all([watched, sampled]);
    const { waiting } = this.#tracker;
    const usage = await this.#resources.span();
    onSample(
      this.#recorder.lastSample(wholeMs, this.#spanMs, waiting, watcher.poolSize, usage),
      this.#recorder,
    );
    return this.#report(status, ended, started, sendingMs, wholeMs);
  }

  async #prepare(
    accounts: LoadAccounts,
    signal: AbortSignal,
    onProgress: (what: string) => void,
  ): Promise<Workload> {
    const { payer, profile } = this.#options;
    const payers = payer === undefined ? await this.#devPayers() : [payer];
    const [owner] = payers;
    if (owner === undefined) throw new RangeError('no payer');
    onProgress(`funding ${accounts.size} accounts`);
    await accounts.fund(this.#client, payers, signal);
    onProgress(`setting up ${profile}`);
    try {
      return await PROFILES[profile].prepare({ client: this.#client, owner, accounts, signal });
    } catch (error) {
      if (error instanceof LoadError || error instanceof ClientError || signal.aborted) throw error;
      const problem = `${profile} cannot be set up: ${errorMessage(error)}`;
      throw new LoadError('setup_failed', problem, { cause: error });
    }
  }

  async #devPayers(): Promise<readonly Signer[]> {
    const payers = Array.from({ length: DEV_ACCOUNT_COUNT }, (_, index) => devAccount(index));
    const { accounts } = await this.#client.accounts({ addresses: payers.map(({ address }) => address) });
    // Leaves out emptied accounts, unless all are low on funds.
    const minimum = minBalance(this.#options.accounts);
    const able = payers.filter((_, index) => (accounts[index]?.balance ?? 0n) >= minimum);
    if (able.length > 0) return able;
    if (accounts.some(({ balance }) => balance > 0n)) return payers;
    throw new LoadError(
      'not_dev_chain',
      'the development accounts have no balance here, so this is not a development chain; give --key FILE of an account that ' +
        'pays for the load',
    );
  }

  async #sendAll(
    lanes: readonly LoadLane[],
    workload: Workload,
    startMs: number,
    signal: AbortSignal,
  ): Promise<LoadReport['ended']> {
    const { rate, duration_s: durationS, max_unsealed: maxUnsealed } = this.#options;
    const schedule = new SendSchedule(rate, durationS * 1_000);
    let place = 0;
    let isUnsealed = false;
    for (;;) {
      const elapsedMs = performance.now() - startMs;
      const ended = this.#endAt(elapsedMs, signal);
      if (ended === undefined || ended === 'complete') {
        const left = maxUnsealed - this.#tracker.waiting;
        isUnsealed = left < MAX_IN_FLIGHT;
        const room = Math.min(MAX_IN_FLIGHT, left) - this.#inFlight;
        const { send, heldBack } = schedule.next(elapsedMs, room);
        this.#recorder.heldBack(heldBack, isUnsealed);
        for (let i = 0; i < send; i++) {
          const lane = lanes[place++ % lanes.length];
          if (lane !== undefined) void this.#send(lane, workload);
        }
      }
      if (ended !== undefined) {
        this.#recorder.heldBack(schedule.end(elapsedMs), isUnsealed);
        return ended;
      }
      await pause(TICK_MS, signal);
    }
  }

  /** Why the sending ends now; undefined if it goes on. */
  #endAt(elapsedMs: number, signal: AbortSignal): LoadReport['ended'] | undefined {
    if (signal.aborted) return 'interrupted';
    if (elapsedMs >= this.#options.duration_s * 1_000) return 'complete';
    return this.#isGone ? 'node_gone' : undefined;
  }

  get #isGone(): boolean {
    return this.#unreachable && performance.now() - this.#lastAnswerMs > GONE_MS;
  }

  /** Never rejects: failures are counted. */
  async #send({ account, sender }: LoadLane, workload: Workload): Promise<void> {
    this.#inFlight++;
    this.#recorder.sent();
    const sentAtMs = performance.now();
    try {
      const { action, gasLimit } = workload.next(account, this.#random);
      const { nonce, hash } = await sender.send(action, { gasLimit });
      const nowMs = performance.now();
      this.#answered();
      const chance = randomBelow(this.#random, this.#recorder.counts.accepted + 1);
      this.#recorder.accepted(nowMs - sentAtMs, hash, chance);
      this.#tracker.accepted({ account, lane: sender.lane, nonce, sentAtMs, nowMs });
    } catch (error) {
      this.#recorder.refused(reasonOf(error));
      if (error instanceof ClientError && error.code === 'unreachable') this.#unreachable = true;
      else this.#answered();
    } finally {
      this.#inFlight--;
    }
  }

  #answered(): void {
    this.#lastAnswerMs = performance.now();
    this.#unreachable = false;
  }

  /** Waits until everything in flight is acknowledged and sealed, the drain time is over or the node is gone. */
  async #drain(signal: AbortSignal): Promise<void> {
    const endMs = performance.now() + DRAIN_MS;
    const isDrained = () => this.#inFlight + this.#tracker.waiting === 0;
    while (!isDrained() && performance.now() < endMs && !signal.aborted && !this.#isGone)
      await pause(TICK_MS, signal);
  }

  get #spanMs(): number {
    return Math.max(1_000, Math.ceil(this.#options.duration_s / MAX_SAMPLES) * 1_000);
  }

  async #sampleEvery(
    startMs: number,
    watcher: ChainWatcher,
    signal: AbortSignal,
    onSample: (sample: LoadSample, recorder: Recorder) => void,
  ): Promise<void> {
    for (;;) {
      await pause(this.#spanMs, signal);
      if (signal.aborted) return;
      const usage = await this.#resources.span();
      const atMs = performance.now() - startMs;
      onSample(this.#recorder.sample(atMs, this.#tracker.waiting, watcher.poolSize, usage), this.#recorder);
    }
  }

  /** @param wholeMs includes the drain */
  async #report(
    status: Status,
    ended: LoadReport['ended'],
    started: Date,
    sendingMs: number,
    wholeMs: number,
  ): Promise<LoadReport> {
    const { payer: _payer, secret: _secret, signing: _signing, ...settings } = this.#options;
    const hashes = ended === 'node_gone' ? [] : this.#recorder.hashes;
    const { outcomes, errors } = sampledOutcomes(
      await Promise.allSettled(hashes.map((tx_hash) => this.#client.tx_receipt({ tx_hash }))),
    );
    const recorded = this.#recorder.report(sendingMs, wholeMs, this.#tracker.waiting);
    const sending = recorded.samples.filter(({ at_s: at }) => at * 1_000 <= sendingMs + this.#spanMs / 2);
    const facts = {
      ended,
      settings,
      ...recorded,
      block_time_ms: status.block_time_ms,
      resources: this.#resources.resources(sending),
    };
    return {
      kind: REPORT_KIND,
      started: started.toISOString(),
      description: PROFILES[settings.profile].description,
      url: this.#client.endpoint,
      node_version: status.version,
      chain_id: status.chain_id.toString(),
      ...facts,
      sampled_outcomes: outcomes,
      sampled_errors: errors,
      verdict: verdictOf(facts),
    };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof RpcCallError) return error.reason ?? error.kind;
  if (error instanceof ClientError) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}
