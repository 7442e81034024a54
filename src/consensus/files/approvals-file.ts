import type { ValidatorChange } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import { isEndpoint } from '../../ledger/validators/check-change.js';
import { readJsonFile, writePublicFile } from './public-file.js';

export const MAX_APPROVED = 8;

/** Reads the validator set changes that an operator approves of; empty if there is no file. @throws PublicFileError */
export function readApprovalsFile(path: string): readonly ValidatorChange[] {
  return readJsonFile(path, 'list of approved changes', changesFromJson) ?? [];
}

/** @throws PublicFileError */
export async function writeApprovalsFile(path: string, changes: readonly ValidatorChange[]): Promise<void> {
  const lines = changes.map((change) => `  ${ledger.ValidatorChange.toJson(change)}`);
  await writePublicFile(path, lines.length === 0 ? '[]\n' : `[\n${lines.join(',\n')}\n]\n`);
}

/** A change's identity: equal changes are approved together. */
export function changeId(change: ValidatorChange): string {
  return toHex(ledger.ValidatorChange.encode(change));
}

function changesFromJson(value: unknown): readonly ValidatorChange[] {
  if (!Array.isArray(value) || value.length > MAX_APPROVED) {
    throw new TypeError(`expected a list of at most ${MAX_APPROVED} changes`);
  }
  const changes = value.map((entry: unknown, place) => ledger.ValidatorChange.fromJson(entry, `[${place}]`));
  for (const [place, change] of changes.entries()) {
    if (change.type === 'add' && !isEndpoint(change.value.endpoint)) {
      throw new TypeError(`[${place}].value.endpoint: expected host:port`);
    }
  }
  return changes;
}
