import { errorMessage } from '../../base/errors.js';
import type { NodeContext } from '../node-context.js';
import { CONTROL_SOCKET } from './control-protocol.js';
import { ControlServer, type ControlServices } from './control-server.js';

/**
 * Listens for the operator's commands. Some file systems do not support sockets, such as some that a container shares
 * with its host; the node then runs without a control socket.
 * @returns a function that stops listening
 */
export async function openControl(
  { config, log, faults }: Pick<NodeContext, 'config' | 'log' | 'faults'>,
  services: ControlServices,
): Promise<() => Promise<void>> {
  const { dataDir } = config;
  try {
    const onFault = (error: unknown, where: string): void => faults.report(error, where);
    const control = await ControlServer.open(dataDir, services, onFault);
    return () => control.close();
  } catch (err) {
    log.warn(
      { err },
      `"heddle token" and "heddle snapshot create" work only while the node is stopped: cannot listen on ${CONTROL_SOCKET} in ${dataDir}: ${errorMessage(err)}`,
    );
    return async () => undefined;
  }
}
