/** The time between empty blocks unless another is configured, milliseconds. */
export const DEFAULT_IDLE_BLOCK_TIME_MS = 5_000;
