import { after, before } from 'node:test';
import type { NodeProcess } from '../../nodes/node-process.js';
import { Fleet } from '../fleet.js';
import { RedisServer } from '../redis-server.js';

const PASSWORD = 'fleet-password';

/** Three nodes that share their quotas in Redis. */
export interface FleetWorld {
  readonly server: RedisServer;
  readonly fleet: Fleet;
  /** The first has its server on the main thread, the second one front thread, the third two. */
  readonly nodes: NodeProcess[];
  /** Those that refuse calls while Redis is away. */
  readonly denying: readonly NodeProcess[];
  /** The last node, which then goes on alone if the fleet has `--quota-fallback local`. */
  readonly local: NodeProcess;
}

/** How often a node has lost Redis so far; a node that stalls for a second does, too. */
export function losses({ log }: NodeProcess): number {
  return log.match(/ is lost /g)?.length ?? 0;
}

/** How often the nodes of a fleet have lost Redis so far, in all. */
export function allLosses({ nodes }: FleetWorld): number {
  return nodes.reduce((total, node) => total + losses(node), 0);
}

/**
 * Starts a fleet before the tests of a suite.
 * @param flags of all nodes
 * @param lastFlags of the last node
 */
export function withFleet(flags: readonly string[], lastFlags: readonly string[]): () => FleetWorld {
  let world: FleetWorld;
  before(async () => {
    const server = await RedisServer.start(PASSWORD);
    const fleet = new Fleet(server.url);
    const denying = [
      await fleet.add(...flags, '--front-threads', '0'),
      await fleet.add(...flags, '--front-threads', '1'),
    ];
    const local = await fleet.add(...flags, '--front-threads', '2', ...lastFlags);
    world = { server, fleet, nodes: [...denying, local], denying, local };
  });
  after(async () => {
    await world?.fleet.dispose();
    await world?.server.dispose();
  });
  return () => world;
}
