import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RULES } from '../../../src/consensus/core/rules.js';
import { Host } from '../../../src/consensus/simulator/host.js';
import { Links } from '../../../src/consensus/simulator/links.js';
import { kindOf } from '../../../src/consensus/simulator/model.js';
import { Random } from '../../../src/consensus/simulator/random.js';
import { drawScenario } from '../../../src/consensus/simulator/scenario.js';
import { World } from '../../../src/consensus/simulator/world.js';

const WATCHED_MS = 5_000;
/** Shortest time from a lost connection to the next one, in virtual milliseconds. */
const RECONNECT_MS = 100;
const MAX_RETURNS = 1 + WATCHED_MS / RECONNECT_MS;

test('a connection that is lost many times at once returns once', async () => {
  const random = new Random(1);
  const scenario = drawScenario({ seed: 1, validators: 4, actors: [] }, random);
  const world = new World(scenario, random, { rules: RULES, trace: undefined });
  const links = new Links(world, kindOf);
  const common = { world, links, actors: [], onHonestVote: () => undefined };
  const hosts = Array.from({ length: scenario.validators }, (_, index) => new Host({ ...common, index }));
  for (const host of hosts) links.add([host]);
  for (const host of hosts) host.start();
  let returns = 0;
  while (world.nowMs < WATCHED_MS && returns <= MAX_RETURNS && (await world.next())) {
    if (!links.isConnected(0, 1)) continue;
    returns++;
    for (let times = 0; times < 10; times++) links.lose(0, 1);
  }
  assert.ok(returns > 1);
  assert.ok(returns <= MAX_RETURNS);
});
