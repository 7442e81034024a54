import type { Genesis, NewValidator } from '../../generated/ledger.js';
import { ledger } from '../../ledger/codecs.js';
import type { Passphrase } from './passphrase.js';
import { writePeersFile } from './peers-file.js';
import { writePublicFile } from './public-file.js';
import { writeShareFile } from './share-file.js';
import type { ValidatorPaths } from './validator-directory.js';

/** The journal id of a share that has not voted yet: 32 zero bytes. */
export const NO_JOURNAL: Uint8Array = new Uint8Array(32);

export interface DkgOutput {
  readonly genesis: Genesis;
  readonly index: number;
  /** 32 bytes. Secret. */
  readonly share: Uint8Array;
  readonly peers: readonly NewValidator[];
}

/** Writes the initial files, the share last: it marks completion. @throws SecretFileError, PublicFileError */
export async function writeDkgOutput(
  paths: Pick<ValidatorPaths, 'genesis' | 'peers' | 'share'>,
  { genesis, index, share, peers }: DkgOutput,
  passphrase?: Passphrase,
): Promise<void> {
  await writePublicFile(paths.genesis, `${ledger.Genesis.toJson(genesis)}\n`);
  await writePeersFile(paths.peers, peers);
  await writeShareFile(paths.share, { epoch: 0n, index, share, journalId: NO_JOURNAL }, passphrase);
}
