import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { sameBytes } from '../../base/same-bytes.js';
import type { Log } from '../../config/log.js';
import type { BlsKeyCheck, BlsKeys, Crypto } from '../../crypto/crypto.js';
import type { Genesis } from '../../generated/ledger.js';
import type { CeremonyConfiguration, CeremonyRecord } from '../../generated/mesh.js';
import { toHex } from '../../idl/hex.js';
import { type Endpoint, parseEndpoint } from '../../network/endpoint.js';
import { Mesh } from '../../network/mesh.js';
import { type BegunAttempt, readAttempts, writeAttempts } from '../files/attempts-file.js';
import type { EncryptionKey } from '../files/encryption-file.js';
import type { ValidatorIdentity } from '../files/identity-file.js';
import type { Passphrase } from '../files/passphrase.js';
import { ceremonyRecordFile, type SecretRecord } from '../files/record-file.js';
import { readShareFile } from '../files/share-file.js';
import type { ValidatorPaths } from '../files/validator-directory.js';
import { writeDkgOutput } from '../files/write-dkg-output.js';
import type { CeremonyPhase } from './attempt.js';
import { Ceremony, type CeremonyEffect, type CeremonyEvent } from './ceremony.js';
import { ConfigurationError, configurationHash } from './configuration.js';
import type { CeremonyFailure } from './failure.js';

/** Timeout of each phase in milliseconds; that of `respond` must exceed that of `deal`. */
export type CeremonyDurations = Readonly<Record<CeremonyPhase, number>>;

const DURATIONS: CeremonyDurations = {
  pause: 1_000,
  deal: 20_000,
  // Some participants only respond when their time for dealing is over.
  respond: 60_000,
  answer: 30_000,
  approve: 60_000,
};
const FLUSH_MS = 500;

/** Progress of a ceremony, for display. Participants are identified by index. */
export type CeremonyProgress =
  | {
      readonly type: 'state';
      readonly attempt: number;
      /** `gather`, `deal`, `respond`, `answer`, `approve`, `over`, `complete`, `confirm` or `finished`. */
      readonly stage: string;
      readonly waitsFor: readonly number[];
      readonly connected: readonly number[];
    }
  | { readonly type: 'failed'; readonly attempt: number; readonly failure: CeremonyFailure };

export interface CeremonyRunOptions {
  readonly crypto: Crypto;
  readonly bls: BlsKeys & BlsKeyCheck;
  readonly log: Log;
  readonly configuration: CeremonyConfiguration;
  readonly identity: ValidatorIdentity;
  readonly encryption: EncryptionKey;
  readonly paths: ValidatorPaths;
  readonly passphrase?: Passphrase | undefined;
  /** Defaults to this validator's endpoint in the configuration. */
  readonly listen?: Endpoint;
  readonly durations?: Partial<CeremonyDurations>;
  /** How long the validator stays connected for unfinished participants after finishing, in milliseconds. */
  readonly lingerMs: number;
  readonly onProgress: (news: CeremonyProgress) => void;
  readonly signal: AbortSignal;
}

export interface CeremonyResult {
  readonly genesis: Genesis;
  /** Participants that may not have finished and need the others to do so. */
  readonly unfinished: readonly number[];
}

/**
 * Runs the genesis ceremony over the mesh, through as many attempts as necessary, and writes genesis, share and peers
 * into the validator's directory.
 * @throws ConfigurationError, GenesisError, SecretFileError, PublicFileError, MeshError; the signal's reason
 */
export async function runCeremony(options: CeremonyRunOptions): Promise<CeremonyResult> {
  const run = await CeremonyRun.open(options);
  try {
    return await run.finish();
  } finally {
    await run.stop();
  }
}

interface CeremonyRunParts {
  readonly index: number;
  /** Hash of the configuration. */
  readonly hash: Uint8Array;
  readonly begun: BegunAttempt | undefined;
  readonly file: SecretRecord<CeremonyRecord>;
  readonly ceremony: Ceremony;
}

class CeremonyRun {
  readonly #options: CeremonyRunOptions;
  readonly #parts: CeremonyRunParts;
  readonly #mesh: Mesh;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Serializes events: the effects of one complete before the next is handled. */
  #line: Promise<void> = Promise.resolve();
  #genesis: Genesis | undefined;
  #shown = '';
  #fail: (error: unknown) => void = () => undefined;
  #changed: () => void = () => undefined;

  private constructor(options: CeremonyRunOptions, parts: CeremonyRunParts) {
    this.#options = options;
    this.#parts = parts;
    const { configuration, identity, crypto, log } = options;
    const peers = configuration.validators.map(({ identity_key, endpoint }, index) => ({
      identityKey: identity_key,
      index,
      endpoint: parseEndpoint(endpoint),
    }));
    this.#mesh = new Mesh({
      identitySeed: identity.seed,
      chainId: configuration.chain_id,
      chain: parts.hash,
      listen: options.listen ?? peers[parts.index]?.endpoint ?? { host: '127.0.0.1', port: 0 },
      peers,
      ed25519: crypto.ed25519,
      log,
    });
    this.#mesh.on('ceremony', (peer, { content }) => {
      const { index: from } = peer;
      return from === undefined ? undefined : this.#step({ type: 'message', from, encoded: content });
    });
    this.#mesh.onConnected(({ index: peer }) => {
      if (peer !== undefined) void this.#step({ type: 'connected', peer });
    });
    this.#mesh.onDisconnected(() => this.#show());
  }

  static async open(options: CeremonyRunOptions): Promise<CeremonyRun> {
    const { configuration, identity, encryption, crypto, bls, paths, passphrase } = options;
    if (configuration.validators.length < 2) {
      throw new ConfigurationError('validators: expected at least 2 to make a key together, got 1');
    }
    const index = configuration.validators.findIndex(({ identity_key }) =>
      sameBytes(identity_key, identity.publicKey),
    );
    if (index < 0) {
      const key = toHex(identity.publicKey);
      throw new ConfigurationError(`validators: the identity of this directory, ${key}, is not among them`);
    }
    const file = ceremonyRecordFile(paths.ceremony, passphrase);
    const record = await file.read();
    const hasShare = (await readShareFile(paths.share, passphrase)) !== undefined;
    if (hasShare && record === undefined) {
      throw new ConfigurationError(
        `${paths.share}: the ceremony of this directory has ended; start the validator`,
      );
    }
    const hash = configurationHash(crypto, configuration);
    const stored = readAttempts(paths.attempts);
    const begun = sameBytes(stored?.configuration, hash) ? stored : undefined;
    if (record !== undefined && stored !== undefined && begun === undefined) {
      throw new ConfigurationError(
        `${paths.ceremony}: belongs to a ceremony with another configuration; remove it to give that ceremony up`,
      );
    }
    const ceremony = new Ceremony({
      crypto,
      bls,
      random: (length) => Uint8Array.from(randomBytes(length)),
      sign: (message) => crypto.ed25519.sign(message, identity.seed),
      configuration,
      index,
      encryptionKey: encryption.privateKey,
      ...(record === undefined ? {} : { record }),
    });
    const run = new CeremonyRun(options, { index, hash, begun, file, ceremony });
    const { result } = ceremony;
    // A share that is there may have been replaced by later epochs' already.
    if (result !== undefined && hasShare) run.#genesis = result.genesis;
    else if (result !== undefined) await run.#perform(result);
    return run;
  }

  /** Resolves when the ceremony has succeeded and the others have all signatures, or after the linger time. */
  async finish(): Promise<CeremonyResult> {
    const { paths, lingerMs, signal } = this.#options;
    const { begun, file, ceremony } = this.#parts;
    const failed = new Promise<never>((_, reject) => {
      this.#fail = reject;
      const abort = () => reject(signal.reason);
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
    });
    failed.catch(() => undefined);
    await this.#mesh.start();
    await this.#step({ type: 'start', begun });
    const genesis = await Promise.race([failed, this.#until(() => this.#genesis)]);
    const all = this.#until(() => (ceremony.state.waitsFor.length === 0 ? true : undefined));
    await Promise.race([failed, all, sleep(lingerMs, undefined, { ref: false })]);
    const unfinished = ceremony.state.waitsFor;
    if (unfinished.length === 0) {
      await file.erase();
      await rm(paths.attempts, { force: true });
      await sleep(FLUSH_MS);
    }
    return { genesis, unfinished };
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#mesh.stop();
    await this.#line;
  }

  /** Resolves with the first defined result of `find`, which is called after every event. */
  async #until<T>(find: () => T | undefined): Promise<T> {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
  }

  /** Never rejects. */
  #step(event: CeremonyEvent): Promise<void> {
    this.#line = this.#line.then(async () => {
      try {
        for (const effect of this.#parts.ceremony.step(event)) await this.#perform(effect);
        this.#show();
      } catch (error) {
        this.#fail(error);
      }
      this.#changed();
    });
    return this.#line;
  }

  async #perform(effect: CeremonyEffect): Promise<void> {
    const { configuration, paths, passphrase, durations, onProgress } = this.#options;
    const { index, hash, file } = this.#parts;
    switch (effect.type) {
      case 'begun':
        await writeAttempts(paths.attempts, { ...effect.begun, configuration: hash });
        break;
      case 'persist':
        await file.write(effect.record);
        break;
      case 'forget':
        await file.erase();
        break;
      case 'relay': {
        const others = [...configuration.validators.keys()].filter((peer) => !effect.except.includes(peer));
        for (const peer of others) this.#send(peer, effect.encoded);
        break;
      }
      case 'send':
        if (effect.to === 'all') this.#mesh.broadcast('ceremony', { content: effect.encoded });
        else this.#send(effect.to, effect.encoded);
        break;
      case 'timer': {
        const { attempt, phase } = effect;
        const timer = setTimeout(() => {
          this.#timers.delete(timer);
          void this.#step({ type: 'timeout', attempt, phase });
        }, durations?.[phase] ?? DURATIONS[phase]);
        this.#timers.add(timer);
        break;
      }
      case 'refuse':
        this.#mesh.drop(effect.from, effect.reason);
        break;
      case 'failed':
        onProgress({ type: 'failed', attempt: effect.attempt, failure: effect.failure });
        break;
      case 'finished': {
        const { genesis, share } = effect;
        const { validators } = configuration;
        await writeDkgOutput(paths, { genesis, index, share, peers: validators }, passphrase);
        this.#genesis = genesis;
        break;
      }
    }
  }

  #send(peer: number, content: Uint8Array): void {
    if (peer !== this.#parts.index) this.#mesh.send(peer, 'ceremony', { content });
  }

  #show(): void {
    const connected = this.#mesh
      .peers()
      .flatMap(({ index, connected: isConnected }) => (isConnected && index !== undefined ? [index] : []));
    const { attempt, stage, waitsFor } = this.#parts.ceremony.state;
    const shown = JSON.stringify([attempt, stage, waitsFor, connected]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#options.onProgress({ type: 'state', attempt, stage, waitsFor, connected });
  }
}
