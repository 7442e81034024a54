import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Farm, viewLine } from './farm.js';
import { FarmStub, viewAnswer } from './farm-stub.js';

/** A farm with a Redis of its own that a test stops, and a stub of a node whose calls take two milliseconds. */
export class FarmWithRedis {
  readonly farm: Farm;
  readonly stub: FarmStub;
  #runs = 0;

  private constructor(farm: Farm, stub: FarmStub) {
    this.farm = farm;
    this.stub = stub;
  }

  static async start(): Promise<FarmWithRedis> {
    const stub = await FarmStub.start();
    stub.view = async () => {
      await sleep(2);
      return viewAnswer(1);
    };
    return new FarmWithRedis(await Farm.start(), stub);
  }

  async stop(): Promise<void> {
    await this.farm.dispose();
    await this.stub.stop();
  }

  /** Submits a run of jobs of one call. @returns its name */
  async submitted(jobs: number): Promise<string> {
    const run = `run-${this.#runs++}`;
    const lines = Array.from({ length: jobs }, (_, place) =>
      viewLine(place.toString(16).padStart(4, '0'), { at: { type: 'height', value: 1 + (place % 2) } }),
    );
    const file = this.farm.file(`${run}.ndjson`, lines);
    await this.farm.ok('submit', file, '--name', run, '--url', this.stub.url);
    return run;
  }

  /** Asserts that every job has a result. */
  async expectResults(run: string, jobs: number): Promise<void> {
    const numbers = (await this.farm.results(run)).map((line) => {
      const { line: number, result } = JSON.parse(line) as { line: number; result?: object };
      assert.ok(result !== undefined, line);
      return number;
    });
    assert.deepEqual(
      numbers,
      Array.from({ length: jobs }, (_, place) => place + 1),
    );
  }
}
