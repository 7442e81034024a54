import { ConfigError } from '../../../config/config-error.js';
import { listenEndpoint } from '../../../node/validator/own-endpoint.js';
import { type HttpServerError, listenError } from '../../../rpc/http/http-server-error.js';
import { probePort } from '../../../rpc/http/probe-port.js';
import type { DoctorContext } from './doctor-context.js';
import { type CheckName, type Finding, ok, problem, warning } from './finding.js';
import { processOnPort } from './listening-process.js';
import { validatorFiles } from './validator-files.js';

type PortCheck = Extract<CheckName, 'RPC port' | 'p2p port'>;

/** Checks whether the node can listen for requests. */
export function checkRpcPort({ config, owner }: DoctorContext): Promise<Finding> {
  return checkPort('RPC port', config, owner, '--port');
}

/** Checks whether a validator can listen for the others. */
export async function checkP2pPort(context: DoctorContext): Promise<Finding[]> {
  const { config, owner } = context;
  const files = await validatorFiles(context);
  if (files === undefined) return [];
  try {
    const endpoint = listenEndpoint(config, files.peers, files.identity.publicKey);
    return [await checkPort('p2p port', endpoint, owner, '--p2p-port')];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [problem('p2p port', error.message, 'a port for the other validators', 'give --p2p-port')];
  }
}

async function checkPort(
  check: PortCheck,
  { host, port }: { readonly host: string; readonly port: number },
  owner: number | undefined,
  flag: string,
): Promise<Finding> {
  const where = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const expected = `${where} free for the node, or used by it`;
  if (port === 0) return ok(check, 'the node picks a free port', expected);
  const refusal = await refusalOf(host, port);
  if (refusal === undefined) return ok(check, `${where} is free`, expected);
  if (refusal.code !== 'port_in_use') {
    return problem(check, refusal.message, expected, `choose another host or ${flag}`);
  }
  const holder = await processOnPort(port);
  if (holder?.pid !== undefined && holder.pid === owner) {
    return ok(check, `${where} is used by the running node (process ${owner})`, expected);
  }
  const by =
    holder?.pid === undefined
      ? 'a process that cannot be identified'
      : `process ${holder.pid} (${holder.name})`;
  const found = `${where} is in use by ${by}`;
  const advice = `stop the process that listens there, or choose another ${flag}`;
  // That process may be the node of this directory.
  if (owner !== undefined && holder?.pid === undefined) {
    return warning(
      check,
      found,
      expected,
      `run the doctor as root or as the user of the node to identify it; ${advice}`,
    );
  }
  return problem(check, found, expected, advice);
}

/** Listens briefly. Returns the error that the node would get, or undefined if it could listen. */
async function refusalOf(host: string, port: number): Promise<HttpServerError | undefined> {
  try {
    await probePort(host, port);
    return undefined;
  } catch (error) {
    return listenError(host, port, error);
  }
}
