import { errorMessage } from '../../base/errors.js';
import type { Config } from '../../config/config.js';
import { AccessError } from '../../rpc/access/token-files.js';
import type { TokenOffice } from '../../rpc/access/token-office.js';
import { CONTROL_SOCKET } from './control-protocol.js';
import { ControlServer } from './control-server.js';

/**
 * Listens for the operator's commands.
 * @returns a function that stops listening
 * @throws AccessError
 */
export async function openControl({ dataDir }: Config, tokens: TokenOffice): Promise<() => Promise<void>> {
  try {
    const control = await ControlServer.open(dataDir, tokens);
    return () => control.close();
  } catch (cause) {
    const message = `cannot listen on ${CONTROL_SOCKET} in ${dataDir}: ${errorMessage(cause)}`;
    throw new AccessError('unusable_file', message, { cause });
  }
}
