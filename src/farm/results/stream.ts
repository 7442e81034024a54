import type { Writable } from 'node:stream';
import { openTarget } from './open-target.js';
import type { ResultForm, ResultWriter } from './result-writer.js';
import { StreamTarget } from './stream-target.js';

/**
 * Opens a stream for results, such as standard output. The stream stays open after the writer is closed.
 * @param name for messages, such as `standard output`
 * @throws ResultsError `no_zstd`
 */
export function openStream(stream: Writable, name: string, form: ResultForm): Promise<ResultWriter> {
  return openTarget(new StreamTarget(stream, name), form);
}
