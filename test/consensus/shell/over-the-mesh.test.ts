import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShellOptions } from '../../../src/consensus/shell/shell-context.js';
import { Mesh } from '../../../src/network/mesh.js';
import { MeshNetwork } from '../../../src/node/validator/mesh-network.js';
import { ValidatorsWorld } from '../../support/networks/validators-world.js';

const NOTHING = () => undefined;
const LOG = { debug: NOTHING, info: NOTHING, warn: NOTHING, error: NOTHING };

test('four validators agree over mutual TLS, and a late one catches up', async (t) => {
  const meshes: { readonly mesh: Mesh; readonly network: MeshNetwork }[] = [];
  const overMesh = (index: number, options: ShellOptions): ShellOptions => {
    const opened = meshes[index];
    if (opened === undefined) throw new Error(`no mesh for validator ${index}`);
    return { ...options, network: opened.network };
  };
  const world = await ValidatorsWorld.open({ wrap: overMesh, startNone: true });
  const { genesis, identitySeeds } = world.dealt;
  const { crypto } = world;
  for (const seed of identitySeeds) {
    const mesh = new Mesh({
      identitySeed: seed,
      chainId: genesis.chain_id,
      chain: new Uint8Array(32),
      listen: { host: '127.0.0.1', port: 0 },
      peers: [],
      ed25519: crypto.ed25519,
      log: LOG,
    });
    meshes.push({
      mesh,
      network: new MeshNetwork({ mesh, chain: { validatorsAt: () => genesis.validator_set } }),
    });
    await mesh.start();
    t.after(() => mesh.stop());
  }
  t.after(() => world.remove());
  for (const index of [0, 1, 2, 3]) {
    await world.start(index);
    meshes[index]?.network.listen(world.at(index).shell);
  }
  const peersOf = (indices: readonly number[]) =>
    indices.map((index) => ({
      identityKey: genesis.validator_set.validators[index]?.identity_key ?? new Uint8Array(32),
      index,
      endpoint: meshes[index]?.mesh.endpoint,
    }));
  for (const { mesh } of meshes.slice(0, 3)) mesh.setPeers(peersOf([0, 1, 2]));
  for (let from = 0; from < 4; from++) world.transfer({ from });
  await world.reach(3, [0, 1, 2]);
  for (const { mesh } of meshes) mesh.setPeers(peersOf([0, 1, 2, 3]));
  await world.reach(world.height(0) + 4);
  world.expectOneChain();
  const peers = world.at(0).shell.peers();
  assert.deepEqual(
    peers.map(({ index, connected }) => ({ index, connected })),
    [1, 2, 3].map((index) => ({ index, connected: true })),
  );
});
