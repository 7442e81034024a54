import type { NewValidator } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import { isEndpoint } from '../../ledger/validators/check-change.js';
import { MAX_VALIDATORS } from '../../ledger/validators/quorum.js';
import { PublicFileError, readJsonFile, writePublicFile } from './public-file.js';

/** Maximum number of peers, above the maximum set size because former validators stay in the file. */
const MAX_PEERS = 4 * MAX_VALIDATORS;

/**
 * Reads the validators' public identities: `[{"identity_key": "…", "encryption_key": "…", "endpoint":
 * "host:port"}]`, without duplicates.
 * @throws PublicFileError if the file is missing or malformed
 */
export function readPeersFile(path: string): readonly NewValidator[] {
  const peers = readJsonFile(path, 'list of validators', peersFromJson);
  if (peers === undefined) throw new PublicFileError(`${path}: there is no list of validators`);
  return peers;
}

/** @throws PublicFileError */
export async function writePeersFile(path: string, peers: readonly NewValidator[]): Promise<void> {
  const lines = peers.map((peer) => `  ${ledger.NewValidator.toJson(peer)}`);
  await writePublicFile(path, `[\n${lines.join(',\n')}\n]\n`);
}

function peersFromJson(value: unknown): readonly NewValidator[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_PEERS) {
    throw new TypeError(
      `expected a list of 1 to ${MAX_PEERS} objects with identity_key, encryption_key and endpoint`,
    );
  }
  const peers = value.map((entry: unknown, place) => ledger.NewValidator.fromJson(entry, `[${place}]`));
  const seen = new Set<string>();
  for (const [place, { identity_key, endpoint }] of peers.entries()) {
    if (!isEndpoint(endpoint)) {
      throw new TypeError(`[${place}].endpoint: expected host:port, got ${JSON.stringify(endpoint)}`);
    }
    const key = toHex(identity_key);
    if (seen.has(key)) throw new TypeError(`[${place}].identity_key: ${key} appears twice`);
    seen.add(key);
  }
  return peers;
}
