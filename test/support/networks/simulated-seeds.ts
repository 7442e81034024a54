import assert from 'node:assert/strict';
import { simulateResharing } from '../../../src/consensus/simulator/resharing/simulate-resharing.js';
import { simulate } from '../../../src/consensus/simulator/simulate.js';

/** Runs these seeds of resharing; a failure names the command that replays the first. */
export async function simulateResharingSeeds(validators: number, from: number, to: number): Promise<void> {
  for (let seed = from; seed <= to; seed++) {
    const { violation } = await simulateResharing({ seed, validators });
    assert.equal(
      violation,
      undefined,
      `${violation?.what}; replay it with: heddle simulate-consensus --resharing --seed ${seed} --validators ${validators} --trace`,
    );
  }
}

/** Runs these seeds; a failure names the command that replays the first. */
export async function simulateSeeds(
  validators: number,
  from: number,
  to: number,
  sealed = false,
): Promise<void> {
  for (let seed = from; seed <= to; seed++) {
    const { violation } = await simulate({ seed, validators, sealed });
    const options = `${sealed ? '--sealed ' : ''}--seed ${seed} --validators ${validators}`;
    assert.equal(
      violation,
      undefined,
      `${violation?.what}; replay it with: heddle simulate-consensus ${options} --trace`,
    );
  }
}
