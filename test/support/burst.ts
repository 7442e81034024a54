/** What `bursting-worker.ts` has in use at the end of its burst. */
export const BURST_MIB = 256;
