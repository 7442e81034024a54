/**
 * Cost of the history's Merkle Mountain Range for a block: appending a leaf with the new root, and proving and
 * verifying a leaf. Floors: as many hashes of as many bytes, and as many reads of nodes.
 */
import { loadHashes } from '../../src/crypto/load-hashes.js';
import {
  Mmr,
  type MmrNodes,
  mmrRoot,
  mmrSize,
  proveMmrInclusion,
  verifyMmrInclusion,
} from '../../src/proofs/mmr.js';
import { measurePairs } from './paired-tasks.js';

const LEAVES = 100_000n;
/** Number of leaves in the range at the start of the appends. */
const APPENDED = 1_024;
const INNER_BYTES = 72;

const crypto = await loadHashes('auto');
const stored: Uint8Array[] = [];
const leaf = (index: bigint): Uint8Array => crypto.sha256(Buffer.from(index.toString()));
const range = Mmr.empty(crypto);
for (let index = 0n; index < LEAVES; index++) {
  for (const { position, hash } of range.append(leaf(index))) stored[Number(position)] = hash;
}
const nodes: MmrNodes = (positions) =>
  positions.map((position) => {
    const node = stored[Number(position)];
    if (node === undefined) throw new Error(`node ${position} is missing`);
    return node;
  });
const root = mmrRoot(crypto, range.size, range.peaks());

/** Messages of the hashes that the appends need: the inner nodes, and a root after each leaf. */
const appendMessages: Uint8Array[] = [];
const counted = range.clone();
for (let count = 0; count < APPENDED; count++) {
  const added = counted.append(root);
  for (let inner = 1; inner < added.length; inner++) appendMessages.push(new Uint8Array(INNER_BYTES));
  appendMessages.push(new Uint8Array(8 + 32 * counted.peaks().length));
}

const asked = { leafIndex: 12_345n, leaves: LEAVES };
const proof = proveMmrInclusion(nodes, asked);
const proven = leaf(asked.leafIndex);
if (!verifyMmrInclusion(crypto, proof, proven, root)) throw new Error('a good proof was found bad');
const proofMessages = [
  ...proof.path.map(() => new Uint8Array(INNER_BYTES)),
  new Uint8Array(8 + 32 * proof.peaks.length),
];
const proofReads = Array.from({ length: proof.path.length + proof.peaks.length }, (_, place) =>
  mmrSize(BigInt(place * 1_000)),
);
const hashAll = (messages: readonly Uint8Array[]) => (): void => {
  for (const message of messages) crypto.sha256(message);
};

await measurePairs('history range', 'ns', [
  {
    name: 'leaf appended, with the new root',
    operations: APPENDED,
    run: () => {
      const grown = range.clone();
      for (let count = 0; count < APPENDED; count++) {
        grown.append(root);
        grown.root();
      }
    },
    floors: [{ name: 'the hashes', operations: APPENDED, run: hashAll(appendMessages) }],
  },
  {
    name: 'leaf proven',
    run: () => proveMmrInclusion(nodes, asked),
    floors: [{ name: 'the reads', run: () => nodes(proofReads) }],
  },
  {
    name: 'proof of a leaf verified',
    run: () => verifyMmrInclusion(crypto, proof, proven, root),
    floors: [{ name: 'the hashes', run: hashAll(proofMessages) }],
  },
]);
