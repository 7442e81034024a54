import { ItemChecks } from '../../../chain/epochs/item-checks.js';
import type { Log } from '../../../config/log.js';
import { ExecutionError } from '../../../execution/execution-error.js';
import { toHex } from '../../../idl/hex.js';
import type { SharesToSeal, ShareToOpen } from '../../../ledger/validators/sealed-shares.js';
import type { MeshPeer } from '../../../network/mesh.js';
import type { ValidatorIdentity } from '../../files/identity-file.js';
import { EncryptionKeeper } from '../../resharing/encryption-keeper.js';
import { Resharing, type ResharingOptions } from '../../resharing/resharing.js';
import { ShareKeeper } from '../../resharing/share-keeper.js';
import { SimRuntime } from '../sim-runtime.js';
import { CHEAP_BLS, CURVE_TASKS, type CurveTasks } from './cheap-curve.js';
import type { FollowedChain } from './followed-chain.js';
import type { ResharingMessage } from './resharing-model.js';
import type { ResharingWorld } from './resharing-scenario.js';
import type { SecretDisk } from './secret-disk.js';
import { RESHARING_CRYPTO } from './sim-identities.js';

/** Id of the vote journal. Votes are simulated elsewhere, so that no disk loses its journal here. */
export const JOURNAL_ID = new Uint8Array(32).fill(7);

/** The world around a process, as its host provides it. */
export interface ProcessPorts {
  readonly world: ResharingWorld;
  readonly identity: ValidatorIdentity;
  readonly disk: SecretDisk;
  readonly chain: FollowedChain;
  readonly isAlive: () => boolean;
  /** Called before the process does something outside of itself; it may die of that. */
  readonly onStep: () => void;
  readonly send: (to: string, message: ResharingMessage) => void;
  readonly broadcast: (message: ResharingMessage) => void;
  readonly drop: (identity: string, reason: string) => void;
  readonly onError: (message: string) => void;
  /** Called when the attempt to read a sealed share failed. */
  readonly onUnread: (epoch: bigint) => void;
}

/** One process of a validator: the resharing that ships, on simulated mesh, chain, files, workers and time. */
export class ResharingProcess {
  readonly #ports: ProcessPorts;
  readonly #handlers = new Map<string, (peer: MeshPeer, value: never) => unknown>();
  #onConnected: (peer: MeshPeer) => void = () => undefined;
  /** Undefined until it has started. */
  resharing: Resharing | undefined;
  /** The last epoch in which it has sealed shares. */
  #sealedEpoch: bigint | undefined;

  constructor(ports: ProcessPorts) {
    this.#ports = ports;
  }

  get chain(): FollowedChain {
    return this.#ports.chain;
  }

  async open(): Promise<void> {
    const { disk } = this.#ports;
    const shares = await ShareKeeper.open({
      share: disk.durable.share,
      journalId: JOURNAL_ID,
      write: (share) => this.#write(() => disk.write({ share })),
    });
    const encryption = new EncryptionKeeper(disk.durable.keys, (keys) =>
      this.#write(() => disk.write({ keys })),
    );
    this.resharing = await Resharing.open(this.#options(shares, encryption));
  }

  deliver(from: string, { kind, value }: ResharingMessage): void {
    // The handler of a kind takes its values.
    this.#handlers.get(kind)?.(peerOf(from), value as never);
  }

  connected(to: string): void {
    this.#onConnected(peerOf(to));
  }

  #options(shares: ShareKeeper, encryption: EncryptionKeeper): ResharingOptions {
    const { world, identity, disk, chain, isAlive } = this.#ports;
    const file = disk.recordFile();
    const workers: ResharingOptions['curve']['workers'] = { run: (task, input) => this.#run(task, input) };
    return {
      chain,
      blocks: chain,
      store: chain.store,
      identity,
      shares,
      encryption,
      crypto: RESHARING_CRYPTO,
      curve: { bls: CHEAP_BLS, workers },
      checks: new ItemChecks(RESHARING_CRYPTO, workers),
      runtime: new SimRuntime({ world, skewMs: () => 0, earlyMs: () => 0, isAlive }),
      mesh: this.#mesh(),
      record: {
        read: () => file.read(),
        write: (record) => this.#write(() => file.write(record)),
        erase: () => this.#write(() => file.erase()),
      },
      log: this.#log(),
      onWork: () => undefined,
    };
  }

  #mesh(): ResharingOptions['mesh'] {
    const { send, broadcast, drop } = this.#ports;
    return {
      on: (kind, handler) => this.#handlers.set(kind, handler),
      onConnected: (handler) => {
        this.#onConnected = handler;
      },
      send: (to, kind, value) => {
        this.#step(() => send(String(to), { kind, value } as ResharingMessage));
        return true;
      },
      broadcast: (kind, value) => {
        this.#step(() => broadcast({ kind, value } as ResharingMessage));
        return 0;
      },
      drop: (identity, reason) => this.#step(() => drop(String(identity), reason)),
    };
  }

  #log(): Log {
    const { isAlive, onError } = this.#ports;
    return {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: (fields, message) => {
        if (isAlive()) onError(`${message}: ${'err' in fields ? String(fields.err) : ''}`);
      },
    };
  }

  /** Does something outside of the process, unless it is dead. */
  #step(act: () => void): void {
    const { onStep, isAlive } = this.#ports;
    if (isAlive()) onStep();
    if (isAlive()) act();
  }

  #write(write: () => Promise<void>): Promise<void> {
    const { onStep, isAlive } = this.#ports;
    if (!isAlive()) return new Promise(() => undefined);
    const written = write();
    onStep();
    return written;
  }

  #isFirst({ epoch }: SharesToSeal): boolean {
    const isFirst = this.#sealedEpoch !== epoch;
    this.#sealedEpoch = epoch;
    return isFirst;
  }

  /** Runs a task in a worker. Never settles once the process is dead. */
  #run<K extends keyof CurveTasks>(task: K, input: CurveTasks[K]['input']): Promise<CurveTasks[K]['result']> {
    const { world, isAlive, onUnread } = this.#ports;
    const { random, scenario, isStable } = world;
    const fails =
      (!isStable && random.chance(scenario.taskFailure)) ||
      (task === 'seal_shares' && scenario.failsToSeal && this.#isFirst(input as SharesToSeal));
    const delayMs = scenario.taskMs * (1 + random.below(3));
    return new Promise((resolve, reject) => {
      world.after(delayMs, () => {
        if (!isAlive()) return;
        if (fails) {
          if (task === 'open_share') onUnread((input as ShareToOpen).epoch);
          reject(new ExecutionError('overloaded', 'simulated load'));
          return;
        }
        try {
          resolve(CURVE_TASKS[task](input));
        } catch (error) {
          reject(error);
        }
      });
    });
  }
}

function peerOf(identity: string): MeshPeer {
  return { identity, identityKey: Buffer.from(identity, 'hex'), index: undefined };
}

/** The identity that names a validator in the mesh. */
export function nameOfIdentity({ publicKey }: Pick<ValidatorIdentity, 'publicKey'>): string {
  return toHex(publicKey);
}
