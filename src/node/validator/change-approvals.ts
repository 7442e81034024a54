import { statSync } from 'node:fs';
import { sameBytes } from '../../base/same-bytes.js';
import type { Chain } from '../../chain/chain.js';
import type { GatheredChange } from '../../chain/epochs/pending-changes.js';
import type { Log } from '../../config/log.js';
import {
  changeId,
  MAX_APPROVED,
  readApprovalsFile,
  writeApprovalsFile,
} from '../../consensus/files/approvals-file.js';
import type { ValidatorIdentity } from '../../consensus/files/identity-file.js';
import { ed25519Address } from '../../crypto/address.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { ApprovedChange, ValidatorChange } from '../../generated/ledger.js';
import type { ChangeApproval } from '../../generated/mesh.js';
import { toHex } from '../../idl/hex.js';
import { phaseAt } from '../../ledger/validators/epochs.js';
import { nextMembers } from '../../ledger/validators/members.js';
import { changeMessage } from '../../ledger/validators/signed-messages.js';
import type { Mesh } from '../../network/mesh.js';

const RELOAD_INTERVAL_MS = 1_000;

export interface ChangeApprovalsOptions {
  readonly chain: Chain;
  readonly crypto: Crypto;
  readonly identity: ValidatorIdentity;
  readonly mesh: Mesh;
  readonly path: string;
  readonly log: Log;
  /** Called when the next block may have new work. */
  readonly onWork: () => void;
}

interface Gathered {
  readonly change: ValidatorChange;
  /** Signatures by the approver's index. */
  readonly approvals: Map<number, Uint8Array>;
}

/**
 * Gathers approvals of validator set changes. The operator's approval holds across epochs until the change takes
 * effect. An approval is signed for one epoch, and blocks carry changes in the first third of that epoch.
 */
export class ChangeApprovals {
  readonly #options: ChangeApprovalsOptions;
  readonly #collected = new Map<string, Gathered>();
  readonly #timer: NodeJS.Timeout;
  #epoch: bigint;
  #approved: readonly ValidatorChange[] = [];
  #seen = '';

  constructor(options: ChangeApprovalsOptions) {
    this.#options = options;
    const { chain, mesh } = options;
    this.#epoch = chain.tip.epochs.validators.epoch;
    mesh.on('approval', ({ identity }, approval) => this.#onPeerMessage(identity, approval));
    mesh.onConnected(({ identity }) => {
      for (const approval of this.#own()) mesh.send(identity, 'approval', approval);
    });
    chain.onCommit('validators', () => this.#committed());
    this.#timer = setInterval(() => this.#reload(), RELOAD_INTERVAL_MS).unref();
    this.#reload();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  get gathered(): readonly GatheredChange[] {
    return Array.from(this.#collected.values(), ({ change, approvals }) => ({
      change,
      approvers: [...approvals.keys()],
    }));
  }

  /** The changes that a quorum approves and that the next block may carry. */
  get waiting(): readonly ApprovedChange[] {
    const { chain, crypto } = this.#options;
    const { validators, encryptionKeys, changes, parameters } = chain.tip.epochs;
    if (phaseAt(chain.tip.header.height + 1n, parameters.epoch_length) !== 'changes') return [];
    const keyed = { set: validators, encryptionKeys };
    const taken = changes.map(({ change }) => change);
    const included = new Set(taken.map(changeId));
    const waiting: ApprovedChange[] = [];
    for (const [name, { change, approvals }] of this.#collected) {
      if (included.has(name) || approvals.size < validators.quorum) continue;
      if (!nextMembers(crypto, keyed, [...taken, change], parameters.ceremony).ok) continue;
      taken.push(change);
      const sorted = [...approvals].sort(([one], [other]) => one - other);
      waiting.push({
        epoch: validators.epoch,
        change,
        approvals: sorted.map(([index, signature]) => ({ index, signature })),
      });
    }
    return waiting;
  }

  #committed(): void {
    const { epoch } = this.#options.chain.tip.epochs.validators;
    if (epoch === this.#epoch) return;
    this.#epoch = epoch;
    this.#collected.clear();
    this.#dropCompleted();
    this.#approve();
  }

  /** Rereads the operator's file if it has changed. */
  #reload(): void {
    const { path, log } = this.#options;
    const seen = fileVersion(path);
    if (seen === this.#seen) return;
    this.#seen = seen;
    try {
      this.#approved = readApprovalsFile(path);
    } catch (error) {
      log.warn({ err: error }, "cannot read the operator's approvals; the previous ones stay in effect");
      return;
    }
    this.#dropCompleted();
    this.#approve();
  }

  /** Signs the approved changes for this epoch and broadcasts the signatures. */
  #approve(): void {
    const { mesh, log } = this.#options;
    for (const approval of this.#own()) {
      const { change } = approval;
      const { index, signature } = approval.approval;
      if (this.#addSignature(change, index, signature)) {
        log.info(
          { epoch: this.#epoch.toString(), change: change.type },
          'approved a change of the validators',
        );
      }
      mesh.broadcast('approval', approval);
    }
    this.#options.onWork();
  }

  #own(): ChangeApproval[] {
    const { chain, crypto, identity } = this.#options;
    const { validators, encryptionKeys, parameters } = chain.tip.epochs;
    const keyed = { set: validators, encryptionKeys };
    const own = validators.validators.find(({ identity_key }) => sameBytes(identity_key, identity.publicKey));
    if (own === undefined) return [];
    const { epoch } = validators;
    return this.#approved
      .filter((change) => nextMembers(crypto, keyed, [change], parameters.ceremony).ok)
      .map((change) => {
        const message = changeMessage(chain.genesis.chain_id, { epoch, change });
        const signature = crypto.ed25519.sign(message, identity.seed);
        return { epoch, change, approval: { index: own.index, signature } };
      });
  }

  #onPeerMessage(identity: string, { epoch, change, approval }: ChangeApproval): void {
    const { chain, crypto, mesh, onWork } = this.#options;
    const { validators } = chain.tip.epochs;
    // An approval of another epoch is early or late, but not wrong.
    if (epoch !== validators.epoch) return;
    const approver = validators.validators[approval.index];
    if (approver === undefined || toHex(approver.identity_key) !== identity) {
      mesh.drop(identity, "another validator's approval");
      return;
    }
    const known = this.#collected.get(changeId(change));
    if (known?.approvals.has(approval.index) === true) return;
    const given = [...this.#collected.values()].filter(({ approvals }) => approvals.has(approval.index));
    if (given.length >= MAX_APPROVED) return;
    const message = changeMessage(chain.genesis.chain_id, { epoch, change });
    if (!crypto.ed25519.verify(approval.signature, message, approver.identity_key)) {
      mesh.drop(identity, 'an approval that it did not sign');
      return;
    }
    this.#addSignature(change, approval.index, approval.signature);
    onWork();
  }

  /** @returns whether the signature was new */
  #addSignature(change: ValidatorChange, index: number, signature: Uint8Array): boolean {
    const name = changeId(change);
    const gathered = this.#collected.get(name) ?? { change, approvals: new Map<number, Uint8Array>() };
    this.#collected.set(name, gathered);
    if (gathered.approvals.has(index)) return false;
    gathered.approvals.set(index, signature);
    return true;
  }

  /** Drops approvals of completed changes. Otherwise, a change would be repeated after others undo it. */
  #dropCompleted(): void {
    const { chain, crypto, path, log } = this.#options;
    const { validators } = chain.tip.epochs.validators;
    const isMember = (address: Uint8Array) =>
      validators.some((validator) => sameBytes(validator.address, address));
    const left = this.#approved.filter((change) =>
      change.type === 'add'
        ? !isMember(ed25519Address(crypto, change.value.identity_key))
        : isMember(change.value),
    );
    if (left.length === this.#approved.length) return;
    this.#approved = left;
    writeApprovalsFile(path, left).then(
      () => {
        this.#seen = fileVersion(path);
      },
      (error: unknown) =>
        log.warn({ err: error }, 'could not remove the approvals of completed changes from their file'),
    );
  }
}

/** A string that differs after every change of the file; empty if the file does not exist. */
function fileVersion(path: string): string {
  const { mtimeMs, size, ino } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return mtimeMs === undefined ? '' : `${mtimeMs} ${size} ${ino}`;
}
