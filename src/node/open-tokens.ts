import { type AccessMemory, createTokenFiles, issueToken } from '../rpc/access/access.js';
import { purgeDaily } from '../rpc/access/daily-purge.js';
import { EmbeddedQuotaStore } from '../rpc/access/embedded-quota-store.js';
import { TokenDesk } from '../rpc/access/token-desk.js';
import { TokenSlots } from '../rpc/access/token-slots.js';
import type { NodeContext } from './node-context.js';
import type { Teardown } from './teardown.js';

/** Opens the node's tokens, and creates missing token files. @throws AccessError, StoreError */
export async function openTokens(
  { config, log, now, base, faults }: Pick<NodeContext, 'config' | 'log' | 'now' | 'base' | 'faults'>,
  memory: AccessMemory,
  teardown: Teardown,
): Promise<TokenDesk> {
  const files = { dataDirectory: config.dataDir, log, now };
  const desk = new TokenDesk({
    store: new EmbeddedQuotaStore(base.store),
    slots: new TokenSlots(memory.tokens),
    sign: (claims) => issueToken(files, claims),
    now,
    onFault: (error, where) => faults.report(error, where),
  });
  teardown.add(() => desk.close());
  await desk.purge();
  const endPurges = purgeDaily(
    () => desk.purge(),
    (error) => faults.report(error, 'deleting expired tokens'),
  );
  teardown.add(endPurges);
  await createTokenFiles(files, desk);
  return desk;
}
