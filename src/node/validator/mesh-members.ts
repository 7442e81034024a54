import type { Chain } from '../../chain/chain.js';
import type { NewValidator } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import { type Endpoint, parseEndpoint } from '../../network/endpoint.js';
import type { AllowedPeer, Mesh } from '../../network/mesh.js';

/** How long those who are validators no more may still fetch what ended their last epoch. */
const GRACE_MS = 10_000;

export interface MeshMembersOptions {
  readonly chain: Pick<Chain, 'tip' | 'validatorsAt'>;
  /** In hexadecimal. */
  readonly ownIdentity: string;
  /** Whom the validator's directory names. */
  readonly known: readonly NewValidator[];
  /** By identity in hexadecimal, before all that is known otherwise. */
  readonly given: ReadonlyMap<string, Endpoint>;
  /** Told of validators that blocks admit and that were not known, to be kept. */
  readonly onLearned: (known: readonly NewValidator[]) => void;
}

/**
 * Who may connect: the validators of the epoch, those who become validators with the next one, and for a while those who were.
 * A node that is no validator itself talks to those whom its directory names, too: it does not know yet who the validators are.
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

  /** As the chain has it now. */
  allowed(): AllowedPeer[] {
    const { chain, ownIdentity } = this.#options;
    const { validators, changes } = {
      validators: chain.tip.epochs.validators.validators,
      changes: chain.tip.epochs.changes,
    };
    const allowed = new Map<string, AllowedPeer>();
    const add = (identityKey: Uint8Array, index?: number): void => {
      const identity = toHex(identityKey);
      if (allowed.has(identity)) return;
      const endpoint = this.#endpointOf(identity);
      allowed.set(identity, { identityKey, index, endpoint });
    };
    for (const { identity_key, index } of validators) add(identity_key, index);
    const isMember = allowed.has(ownIdentity);
    for (const { change } of changes) if (change.type === 'add') add(change.value.identity_key);
    for (const identityKey of this.#leaving.values()) add(identityKey);
    if (!isMember) for (const { identity_key } of this.#known.values()) add(identity_key);
    return [...allowed.values()];
  }

  /** Keeps a mesh to what the chain says, from now on. */
  attach(mesh: Mesh): void {
    this.#mesh = mesh;
    this.#apply();
  }

  /** A block was committed. */
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

  /** Keeps where admitted validators are: once they are validators, the state says it no more. */
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
    const text = JSON.stringify(
      allowed.map(({ identityKey, index, endpoint }) => [
        toHex(identityKey),
        index ?? null,
        endpoint ?? null,
      ]),
    );
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

/** What a chain says of an endpoint may be no name or address after all: then only the other end can call. */
function endpointFrom(text: string): Endpoint | undefined {
  try {
    return parseEndpoint(text);
  } catch {
    return undefined;
  }
}
