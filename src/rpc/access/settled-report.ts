/**
 * Waits for a report of this thread to the main thread. Only the link to a main thread that has ended rejects one, and
 * this thread ends with it.
 */
export function settled(report: Promise<void>): Promise<void> {
  return report.catch(() => undefined);
}
