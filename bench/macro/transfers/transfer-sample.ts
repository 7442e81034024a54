export interface TransferSettings {
  /** Number of measured transfers. */
  readonly transfers: number;
  /** Accounts that take turns sending. */
  readonly accounts: number;
  /** Each has one request with one transfer in flight. */
  readonly connections: number;
}

/** Transfers of each account before the measured ones, to warm the node up. */
const WARM_UP_TRANSFERS = 20;

export function warmUpOf({ accounts }: Pick<TransferSettings, 'accounts'>): number {
  return accounts * WARM_UP_TRANSFERS;
}

/** One round of one node, which started for it. */
export interface TransferSample {
  /** Transfers per second, from the first request until all are in blocks. */
  readonly rate: number;
  /** Processor time of all threads of the node per transfer, in µs. */
  readonly micros: number;
  /** Resident memory after the transfers. */
  readonly memoryMiB: number;
  /** Space in the data directory that the transfers added, per million of them; undefined for a node in memory. */
  readonly diskMiBPerMillion?: number;
}
