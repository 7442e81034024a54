import { COLUMNS, type Column } from '../columns.js';
import type { RocksColumnOptions, RocksOpenOptions } from './rocksdb-binding.js';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Default block cache size for all columns together. */
export const DEFAULT_CACHE_BYTES = 64 * MIB;
/** HyperClockCache keeps a fixed table per cache; a smaller cache would be mostly overhead. */
const MIN_COLUMN_CACHE_BYTES = 512 * KIB;

/** Memtables that a column may have: RocksDB flushes them in pairs and stalls writers at six. */
const MAX_MEMTABLES = 6;
const DEFAULT_COLUMN_MEMTABLE_BYTES = 256 * KIB;

interface Profile {
  /**
   * Size of one memtable. All memtables take at most {@link MAX_MEMTABLES} times the sum over all columns. The
   * write-ahead log, which a start replays, takes at most four times that.
   */
  readonly memtableBytes: number;
  /** Set for columns that are read by exact key: adds memtable filters and hashed blocks. */
  readonly pointLookups?: true;
  /** Share of the block cache, relative to the other columns. */
  readonly cacheShare: number;
}

const PROFILES: Readonly<Record<Column, Profile>> = {
  meta: { memtableBytes: 256 * KIB, cacheShare: 1 },
  blocks: { memtableBytes: 512 * KIB, cacheShare: 2 },
  bodies: { memtableBytes: 2 * MIB, cacheShare: 6 },
  block_hashes: { memtableBytes: 256 * KIB, cacheShare: 1, pointLookups: true },
  transactions: { memtableBytes: 2 * MIB, cacheShare: 12, pointLookups: true },
  receipts: { memtableBytes: 2 * MIB, cacheShare: 6 },
  by_sender: { memtableBytes: 2 * MIB, cacheShare: 6 },
  state: { memtableBytes: 2 * MIB, cacheShare: 40, pointLookups: true },
  history: { memtableBytes: 2 * MIB, cacheShare: 10 },
  changes: { memtableBytes: 1 * MIB, cacheShare: 1 },
  tree: { memtableBytes: 2 * MIB, cacheShare: 14 },
  mmr: { memtableBytes: 256 * KIB, cacheShare: 1 },
  code: { memtableBytes: 1 * MIB, cacheShare: 1, pointLookups: true },
  idl: { memtableBytes: 256 * KIB, cacheShare: 1, pointLookups: true },
  prepared: { memtableBytes: 1 * MIB, cacheShare: 1, pointLookups: true },
  by_contract: { memtableBytes: 1 * MIB, cacheShare: 3 },
  logs: { memtableBytes: 2 * MIB, cacheShare: 4 },
  by_recipient: { memtableBytes: 2 * MIB, cacheShare: 3 },
  by_holder: { memtableBytes: 1 * MIB, cacheShare: 2 },
  by_name: { memtableBytes: 256 * KIB, cacheShare: 1 },
  certificates: { memtableBytes: 256 * KIB, cacheShare: 1 },
  checkpoints: { memtableBytes: 256 * KIB, cacheShare: 1 },
  // Entries are deleted within seconds, so most entries of a memtable are gone by the time it is flushed.
  consensus: { memtableBytes: 1 * MIB, cacheShare: 1 },
};

/** Maximum memory of the memtables of all columns, in bytes. */
export const MAX_MEMTABLE_BYTES =
  MAX_MEMTABLES *
  COLUMNS.reduce((sum, column) => sum + PROFILES[column].memtableBytes, DEFAULT_COLUMN_MEMTABLE_BYTES);

/**
 * Options for opening the database. With levelled compaction, the first two levels stay uncompressed and the others use
 * ZSTD; `compression: false` only turns off ZSTD's trained dictionaries, which would buffer whole files in memory. The
 * write-ahead log stays uncompressed because most written data are hashes and signatures.
 */
export function rocksOpenOptions(createIfMissing: boolean, cacheBytes: number): RocksOpenOptions {
  const shares = COLUMNS.reduce((sum, column) => sum + PROFILES[column].cacheShare, 0);
  const columns: Record<string, RocksColumnOptions> = {
    // RocksDB requires a column of this name; it stays empty.
    default: columnOptions(
      { memtableBytes: DEFAULT_COLUMN_MEMTABLE_BYTES, cacheShare: 0 },
      MIN_COLUMN_CACHE_BYTES,
    ),
  };
  for (const column of COLUMNS) {
    const profile = PROFILES[column];
    columns[column] = columnOptions(profile, Math.floor((cacheBytes * profile.cacheShare) / shares));
  }
  return { createIfMissing, parallelism: 2, walCompression: false, cacheSize: 0, columns };
}

function columnOptions(profile: Profile, cacheBytes: number): RocksColumnOptions {
  return {
    compaction: 'level',
    memtableMemoryBudget: profile.memtableBytes * 4,
    cacheSize: Math.max(MIN_COLUMN_CACHE_BYTES, cacheBytes),
    cacheIndexAndFilterBlocks: true,
    compression: false,
    ...(profile.pointLookups ? { optimize: 'point-lookup' } : {}),
  };
}
