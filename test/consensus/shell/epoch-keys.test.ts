import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ValidatorsWorld } from '../../support/networks/validators-world.js';

test('seal keys are made with the shares of an epoch as soon as it begins', async (t) => {
  const events: string[] = [];
  const world = await ValidatorsWorld.open({
    genesis: { epoch_length: 3n },
    config: { deltaMs: 300, blockTimeMs: 20, idleBlockTimeMs: 20 },
    wrap: (index, options) => {
      if (index !== 0) return options;
      return {
        ...options,
        epochs: {
          enter: (epoch) => {
            events.push(`epoch ${epoch}`);
            return options.epochs.enter(epoch);
          },
        },
        sealKeys: { forProposal: async () => ({}), committed: () => events.push('keys') },
        onFinal: ({ header }) => events.push(`block ${header.height}`),
      };
    },
  });
  t.after(() => world.remove());
  await world.reach(7);
  for (const epoch of ['epoch 0', 'epoch 1', 'epoch 2']) {
    assert.equal(events[events.indexOf(epoch) + 1], 'keys', events.join(', '));
  }
});
