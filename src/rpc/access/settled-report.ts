/** Waits for a report to the main thread. It fails only if the main thread has ended, and this one with it. */
export function settled(report: Promise<void>): Promise<void> {
  return report.catch(() => undefined);
}
