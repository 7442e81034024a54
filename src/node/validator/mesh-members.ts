import type { Chain } from '../../chain/chain.js';
import type { NewValidator } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import { type Endpoint, parseEndpoint } from '../../network/endpoint.js';
import type { AllowedPeer, Mesh } from '../../network/mesh.js';

/** Time in which validators that left the set may still fetch the last blocks of their epoch. */
const GRACE_MS = 10_000;

export interface MeshMembersOptions {
  readonly chain: Pick<Chain, 'tip' | 'validatorsAt'>;
  /** This node's identity, in hexadecimal. */
  readonly ownIdentity: string;
  /** The validators in the directory's peer list. */
  readonly known: readonly NewValidator[];
  /** Configured endpoints by identity in hexadecimal; they take precedence over all others. */
  readonly given: ReadonlyMap<string, Endpoint>;
  /** Called with all known validators when a block admits a new one, so that they can be stored. */
  readonly onLearned: (known: readonly NewValidator[]) => void;
}

/**
 * The peers allowed to connect: the validators of the epoch, those admitted for the next one and, for a grace period,
 * those that left. A node outside the set also talks to the peers in its directory: it does not know the current set
 * yet.
 */
export class MeshMembers {
  readonly #options: MeshMembersOptions;
  readonly #known = new Map<string, NewValidator>();
  #mesh: Mesh | undefined;
  #applied = '';
  #epoch: bigint;
  #leaving: ReadonlyMap<string, Uint8Array> = new Map();
  #graceTimer: NodeJS.Timeout | undefined;

  constructor(options: MeshMembersOptions) {
    this.#options = options;
    for (const peer of options.known) this.#known.set(toHex(peer.identity_key), peer);
    this.#epoch = options.chain.tip.epochs.validators.epoch;
    this.#recordEndpoints();
  }

  allowed(): AllowedPeer[] {
    const { chain, ownIdentity } = this.#options;
    const { validators, changes } = chain.tip.epochs;
    const allowed = new Map<string, AllowedPeer>();
    const add = (identityKey: Uint8Array, index?: number): void => {
      const identity = toHex(identityKey);
      if (allowed.has(identity)) return;
      const endpoint = this.#endpointOf(identity);
      allowed.set(identity, { identityKey, index, endpoint });
    };
    for (const { identity_key, index } of validators.validators) add(identity_key, index);
    const isMember = allowed.has(ownIdentity);
    for (const { change } of changes) if (change.type === 'add') add(change.value.identity_key);
    for (const identityKey of this.#leaving.values()) add(identityKey);
    if (!isMember) for (const { identity_key } of this.#known.values()) add(identity_key);
    return [...allowed.values()];
  }

  /** Keeps the mesh's peers in line with the chain, from now on. */
  attach(mesh: Mesh): void {
    this.#mesh = mesh;
    this.#apply();
  }

  onCommitted(): void {
    const { chain } = this.#options;
    const { epoch } = chain.tip.epochs.validators;
    if (epoch !== this.#epoch) this.#startGracePeriod(this.#epoch, epoch);
    this.#recordEndpoints();
    this.#apply();
  }

  stop(): void {
    clearTimeout(this.#graceTimer);
    this.#mesh = undefined;
  }

  #startGracePeriod(ended: bigint, epoch: bigint): void {
    const { validators = [] } = this.#options.chain.validatorsAt(ended) ?? {};
    this.#epoch = epoch;
    this.#leaving = new Map(validators.map(({ identity_key }) => [toHex(identity_key), identity_key]));
    clearTimeout(this.#graceTimer);
    this.#graceTimer = setTimeout(() => {
      this.#leaving = new Map();
      this.#apply();
    }, GRACE_MS).unref();
  }

  /** Records the endpoints of admitted validators: the state drops them once the validators join the set. */
  #recordEndpoints(): void {
    let isNew = false;
    for (const { change } of this.#options.chain.tip.epochs.changes) {
      if (change.type !== 'add') continue;
      const identity = toHex(change.value.identity_key);
      if (this.#known.get(identity)?.endpoint === change.value.endpoint) continue;
      this.#known.set(identity, change.value);
      isNew = true;
    }
    if (isNew) this.#options.onLearned([...this.#known.values()]);
  }

  #apply(): void {
    if (this.#mesh === undefined) return;
    const allowed = this.allowed();
    const text = JSON.stringify(allowed.map((peer) => ({ ...peer, identityKey: toHex(peer.identityKey) })));
    if (text === this.#applied) return;
    this.#applied = text;
    this.#mesh.setPeers(allowed);
  }

  #endpointOf(identity: string): Endpoint | undefined {
    const given = this.#options.given.get(identity);
    if (given !== undefined) return given;
    const known = this.#known.get(identity);
    return known === undefined ? undefined : endpointFrom(known.endpoint);
  }
}

/** Parses an endpoint from the chain; undefined if it is invalid, so that only the other end can connect. */
function endpointFrom(text: string): Endpoint | undefined {
  try {
    return parseEndpoint(text);
  } catch {
    return undefined;
  }
}
