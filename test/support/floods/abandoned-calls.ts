import { type Flood, rpcBody } from './flood.js';
import { BURNING_CALL } from './flood-contracts.js';

const CALLERS = 32;
const PATIENCE_MS = 25;
const MAX_CALLS = 100_000;

/** Calls whose caller hangs up before they can be answered. */
export const ABANDONED_CALLS: Flood = {
  name: 'abandoned-calls',
  attacks: '32 callers hang up 25 ms after each burning call: work that nobody waits for',
  arm: () => {
    const body = rpcBody('view_call', BURNING_CALL);
    return async (attack) => {
      await Promise.all(
        Array.from({ length: CALLERS }, async () => {
          for (let sent = 0; sent < MAX_CALLS && !attack.isOver; sent++) {
            const connection = attack.connectOnce();
            const hangUp = AbortSignal.any([attack.signal, AbortSignal.timeout(PATIENCE_MS)]);
            await attack.send(connection, body, hangUp);
            connection.close();
          }
        }),
      );
    };
  },
};
