import { type Command, InvalidArgumentError, Option } from 'commander';
import { type RequestLoad, threadLoad, wrkLoad } from '../support/request-load.js';
import {
  type EthereumKind,
  type EthereumProgram,
  ethereumProgram,
  findProgram,
  PACKAGES,
} from './ethereum/program.js';
import { MacroError } from './macro-error.js';

/** Options of every comparison. */
export interface NodeOptions {
  readonly rounds: number;
  readonly anvil?: string;
  readonly ganache?: string;
  readonly nodeFlag: readonly string[];
}

/** Further options of comparisons under repeated requests. */
export interface LoadOptions extends NodeOptions {
  readonly milliseconds: number;
  readonly connections: readonly number[];
  readonly client?: 'wrk' | 'thread';
  readonly only: string;
  readonly skipVariants?: true;
}

export function count(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`expected a count from 1, got ${JSON.stringify(text)}`);
}

function counts(text: string): readonly number[] {
  return text.split(',').map(count);
}

export function addNodeOptions(command: Command, defaults: { readonly rounds: number }): Command {
  return command
    .option('--rounds <COUNT>', 'measured rounds', count, defaults.rounds)
    .option('--anvil <PROGRAM>', 'default: in node_modules/.bin, then on the PATH')
    .option('--ganache <PROGRAM>', 'default: in node_modules/.bin, then on the PATH')
    .addOption(
      new Option('--node-flag <FLAG>', 'a flag of heddle start, as --node-flag=--workers=4; may be repeated')
        .argParser((flag: string, before: readonly string[]) => [...before, flag])
        .default([], 'none'),
    );
}

export function addLoadOptions(command: Command): Command {
  return addNodeOptions(command, { rounds: 4 })
    .option('--milliseconds <MS>', 'length of a round', count, 1_000)
    .addOption(
      new Option('--connections <COUNTS>', 'separated by commas')
        .argParser(counts)
        .default([16, 64], '16,64'),
    )
    .option('--only <TEXT>', 'only work with this in its name', '')
    .option('--skip-variants', 'leave out other ways to ask for the same work')
    .addOption(
      new Option('--client <CLIENT>', 'source of the load; default: wrk where installed').choices([
        'wrk',
        'thread',
      ]),
    );
}

/** The installed nodes, anvil first. Says on standard output which there are. */
export async function ethereumPrograms(
  options: NodeOptions,
  kinds: readonly EthereumKind[] = ['anvil', 'ganache'],
): Promise<readonly EthereumProgram[]> {
  const found: EthereumProgram[] = [];
  for (const kind of kinds) {
    const program = await ethereumProgram(kind, options[kind]);
    if (program === undefined) {
      console.log(`${kind} is not installed, so nothing is compared with it (npm install ${PACKAGES[kind]})`);
      continue;
    }
    console.log(`${kind} ${program.version}`);
    found.push(program);
  }
  return found;
}

/** @throws MacroError if a client is named and not installed */
export function chosenLoad(client: LoadOptions['client']): RequestLoad {
  const wrk = client === 'thread' ? undefined : findProgram('wrk');
  if (wrk !== undefined) return wrkLoad(wrk);
  if (client === 'wrk') throw new MacroError('program_unusable', '--client wrk: wrk is not on the PATH');
  return threadLoad();
}
