import { ProcessorWatch } from './processor-watch.js';
import { TurnWatch } from './turn-watch.js';

/** What is published of the thread that makes it. */
export class ThreadWatch {
  readonly turns = new TurnWatch();
  readonly processor = new ProcessorWatch();

  stop(): void {
    this.turns.stop();
    this.processor.stop();
  }
}
