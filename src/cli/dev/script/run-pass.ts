import { toError } from '../../../base/errors.js';
import {
  type ConnectOptions,
  connectReadOnly,
  type ScriptChain,
  type Signer,
} from '../../../client/client.js';
import type { DeploymentFolder } from './deployment-folder.js';
import type { SendDefaults } from './script-client.js';
import { ScriptClient } from './script-client.js';
import { scriptContext } from './script-context.js';
import type { ScriptFile } from './script-file.js';
import { loadScript, type PassKind, scriptFailure } from './script-file.js';
import { ScriptPass, type ScriptPassOptions } from './script-pass.js';
import { StepReader } from './step.js';

/** What the passes of a command have in common. */
export interface ScriptCommand {
  readonly script: ScriptFile;
  readonly chain: ScriptChain;
  readonly signers: readonly [Signer, ...Signer[]];
  readonly folder: DeploymentFolder;
  readonly args: readonly string[];
  readonly defaults: SendDefaults;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
  readonly warn: (text: string) => void;
}

export interface PassTarget extends Omit<ScriptPassOptions, 'reader'> {
  readonly kind: PassKind;
  readonly url: string;
  readonly access: ConnectOptions;
  /** The id that the node must have; undefined for any. */
  readonly chainId: bigint | undefined;
}

/**
 * Runs a script once.
 * @throws CliError with the script's line; the signal's reason
 */
export async function runPass(
  command: ScriptCommand,
  { kind, url, access, chainId, ...options }: PassTarget,
): Promise<ScriptPass> {
  const { script, signal, defaults } = command;
  const run = await loadScript(script, kind);
  const reading = connectReadOnly(url, access);
  const pass = new ScriptPass({ ...options, reader: new StepReader(reading) });
  const client = new ScriptClient(url, access, { pass, chainId, defaults: { ...defaults, signal } });
  try {
    await unlessStopped(signal, async () => {
      await run(scriptContext({ ...command, client, pass, isDryRun: kind === 'dry' }));
      await pass.idle();
    });
    return pass;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw scriptFailure(script, error, pass.askedAt(error));
  } finally {
    await Promise.all([client.close(), reading.close()]);
  }
}

/** Runs work until it ends, the signal aborts, or a promise is rejected that nothing waits for, such as a call without await. */
async function unlessStopped(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  let stop: (reason: unknown) => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = reject;
  });
  const onStray = (reason: unknown) => stop(toError(reason));
  const onAbort = () => stop(signal.reason);
  process.on('unhandledRejection', onStray);
  signal.addEventListener('abort', onAbort);
  try {
    signal.throwIfAborted();
    await Promise.race([work(), stopped]);
  } finally {
    process.off('unhandledRejection', onStray);
    signal.removeEventListener('abort', onAbort);
  }
}
