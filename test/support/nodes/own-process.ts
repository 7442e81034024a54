import { type CommandOutcome, heddle } from './command-line.js';
import { runHeddle } from './node-process.js';

/** Variables that Node and the programs it starts read, rather than the command. */
const OF_THE_PROCESS = ['PATH', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];

/** Runs `heddle …` in this process, or in a process of its own where the environment asks for one. */
export async function heddleWith(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CommandOutcome> {
  if (!OF_THE_PROCESS.some((name) => name in env)) return heddle(args, env);
  const { code, stdout, stderr } = await runHeddle(args, { env, timeoutMs: 120_000 });
  return { code: code ?? -1, out: stdout, err: stderr };
}
