import { Command, InvalidArgumentError } from 'commander';
import { packageRoot } from '../../../support/package-root.js';
import { type Finding, findMutation, suiteSeeds } from './find-mutation.js';
import type { Mutation } from './mutation.js';
import { MUTATIONS } from './mutations.js';

interface RunOptions {
  readonly seeds?: number;
  readonly only?: string;
  readonly processes: number;
}

const program = new Command('mutations')
  .description(
    'break core and shell in small ways, one at a time, and print the first simulated seed that fails',
  )
  .option('--seeds <N>', 'seeds of four validators (default: all that the test suite runs)', positive)
  .option('--only <TEXT>', 'only mutations whose name or file contains this')
  .option('--processes <N>', 'number of processes', positive, 2)
  .addHelpText(
    'after',
    [
      '',
      'Each line gives the mutation, the validators and seed of the first failed run, and what failed. A mutation that no',
      'seed finds is listed with the reason why it breaks no promise, or as missed. The exit code is 1 if one is missed',
      'that the list does not name as such.',
      'The program must be built.',
    ].join('\n'),
  );
program.parse();
process.exitCode = await run(program.opts<RunOptions>());

/** @returns the exit code */
async function run({ seeds, only = '', processes }: RunOptions): Promise<number> {
  const root = packageRoot(import.meta.url);
  const ranges = seeds === undefined ? undefined : [{ validators: 4, from: 1, to: seeds }];
  const all = MUTATIONS.filter(({ name, file }) => name.includes(only) || file.includes(only));
  let next = 0;
  let found = 0;
  let missed = 0;
  let unexpected = 0;
  const work = async () => {
    for (let mutation = all[next++]; mutation !== undefined; mutation = all[next++]) {
      const finding = await findMutation(
        { root, compiled: `${root}/dist` },
        mutation,
        ranges ?? suiteSeeds(mutation),
      );
      if (finding !== undefined) found++;
      else if (mutation.equivalent === undefined) missed++;
      if (finding === undefined && mutation.equivalent === undefined && mutation.missed === undefined)
        unexpected++;
      process.stdout.write(`${lineOf(mutation, finding)}\n`);
    }
  };
  await Promise.all(Array.from({ length: processes }, work));
  process.stdout.write(
    `${found} of ${all.length} found, ${all.length - found - missed} equivalent, ${missed} missed\n`,
  );
  return unexpected === 0 ? 0 : 1;
}

function lineOf({ file, name, equivalent, missed }: Mutation, finding: Finding | undefined): string {
  const where = `${file.padEnd(28)} ${name}`;
  if (finding !== undefined) {
    const { validators, seed, kind, what } = finding;
    return `${where}: seed ${seed} of ${validators}: ${kind}: ${what}`;
  }
  if (equivalent !== undefined) return `${where}: equivalent: ${equivalent}`;
  return missed === undefined ? `${where}: MISSED` : `${where}: missed: ${missed}`;
}

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('expected a positive number.');
  return value;
}
