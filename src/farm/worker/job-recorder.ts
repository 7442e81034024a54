import type { CallFailure } from '../../load/calls/ask-call.js';
import type { Outcome } from '../outcome.js';
import { PiecePacker, type PieceSink } from '../run/pieces.js';
import type { FailedLine } from '../run/run-record.js';
import { CallStatistics } from '../statistics.js';

/** Failed calls of one job that are kept with their messages. */
const KEPT_FAILURES = 5;
const MESSAGE_CHARACTERS = 300;
const KIND_CHARACTERS = 64;

export interface RecordedCall {
  /** The result line. */
  readonly text: string;
  /** Its place in the input. */
  readonly line: number;
  readonly timeUs: number;
  readonly isUndetermined: boolean;
  readonly end: Outcome | { readonly failure: CallFailure };
}

/** Gathers the results of a job in order, and their statistics. */
export class JobRecorder {
  readonly statistics = new CallStatistics();
  readonly failures: FailedLine[] = [];
  readonly #job: number;
  readonly #packer: PiecePacker;

  constructor(job: number, sink: PieceSink) {
    this.#job = job;
    this.#packer = new PiecePacker(sink);
  }

  async add({ text, line, timeUs, isUndetermined, end }: RecordedCall): Promise<void> {
    if ('failure' in end) {
      const { kind, message } = end.failure;
      this.statistics.add({ error: kind, undetermined: isUndetermined, timeUs });
      this.#noteFailure(line, kind, message);
    } else {
      const { status: outcome = 'unknown', gasUsed: gas } = end;
      this.statistics.add({ outcome, ...(gas !== undefined && { gas }), timeUs });
    }
    await this.#packer.add(text, !isUndetermined);
  }

  end(): ReturnType<PiecePacker['end']> {
    return this.#packer.end();
  }

  #noteFailure(line: number, kind: string, message: string): void {
    if (this.failures.length >= KEPT_FAILURES) return;
    // Redis's JSON library refuses half a character, as of a node's hostile message or of a cut one.
    const cut = (text: string, most: number) => Buffer.from(text.slice(0, most)).toString();
    this.failures.push({
      job: this.#job,
      line,
      kind: cut(kind, KIND_CHARACTERS),
      message: cut(message, MESSAGE_CHARACTERS),
    });
  }
}
