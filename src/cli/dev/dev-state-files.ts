import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as v from 'valibot';
import { errorMessage, hasCode } from '../../base/errors.js';
import type { Client } from '../../client/client.js';
import type { DevAccount } from '../../generated/dev-v1.js';
import { devV1Codecs } from '../../generated/dev-v1-codecs.js';
import { fileLines } from '../../load/calls/file-lines.js';
import { printAnswer } from '../answer.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { CliError } from '../cli-error.js';
import { explainRejections, type NodeCommandOptions } from '../sending-options.js';
import { connectAsAdmin, devCommand } from './dev-options.js';

/** Maximum characters of one call: below a node's default body limit. */
const MAX_CALL_CHARACTERS = 2_000_000;

const TIME = 'timestamp_ms';
const timeLine = v.strictObject({ [TIME]: v.pipe(v.number(), v.safeInteger(), v.minValue(0)) });

interface DumpOptions extends NodeCommandOptions {
  readonly force: boolean;
}

/** `heddle dev dump-state` and `load-state`: lines of JSON, the chain's time first, then its accounts. */
export function registerStateCommands(dev: CliCommand, context: CommandContext): void {
  devCommand(dev, 'dump-state', 'write all accounts with their contracts and slots to a file')
    .argument('<FILE>', "a line with the chain's time, then one account per line, in JSON")
    .option('--force', 'overwrite the file', false)
    .examples('heddle dev dump-state state.jsonl')
    .action(async (name: string, options: DumpOptions) => {
      const file = resolve(context.workingDirectory, name);
      const count = await dumpState(connectAsAdmin(options, context), file, options.force);
      printAnswer(context, options, { entries: count }, `${name}: ${count} entries\n`);
    });
  devCommand(
    dev,
    'load-state',
    "set the accounts of such a file and the chain's clock; all other state remains",
  )
    .argument('<FILE>', 'as "heddle dev dump-state" writes it')
    .examples('heddle dev load-state state.jsonl')
    .action(async (name: string, options: NodeCommandOptions) => {
      const file = resolve(context.workingDirectory, name);
      const done = await loadState(connectAsAdmin(options, context), file, name);
      printAnswer(context, options, done, `${name}: ${done.entries} entries, ${done.changes} changes\n`);
    });
}

async function dumpState(client: Client, file: string, isForced: boolean): Promise<number> {
  return explainRejections(async () => {
    const pages = client.dev.dumpPages();
    // Asked before the file is opened: a refused command leaves no empty file.
    let next = await pages.next();
    const output = await openNew(file, isForced);
    let count = 0;
    try {
      const { timestamp_ms: time } = next.value;
      if (time !== undefined) await output.write(`{"${TIME}":${time}}\n`);
      for (; next.done !== true; next = await pages.next()) {
        for (const account of next.value.accounts) {
          await output.write(`${devV1Codecs.DevAccount.toJson(account)}\n`);
          count++;
        }
      }
    } finally {
      await output.close();
    }
    return count;
  });
}

async function openNew(file: string, isForced: boolean) {
  try {
    return await open(file, isForced ? 'w' : 'wx');
  } catch (error) {
    const hint = hasCode(error, 'EEXIST') ? 'it exists already: --force overwrites it' : errorMessage(error);
    throw new CliError(`cannot write ${file}: ${hint}`, { cause: error });
  }
}

async function loadState(
  client: Client,
  file: string,
  name: string,
): Promise<{ readonly entries: number; readonly changes: number }> {
  let entries = 0;
  let changes = 0;
  let batch: DevAccount[] = [];
  let characters = 0;
  let time: number | undefined;
  const send = async () => {
    if (batch.length === 0) return;
    const result = await explainRejections(() => client.dev.loadState(batch, time));
    entries += batch.length;
    changes += result.changes;
    batch = [];
    characters = 0;
    time = undefined;
  };
  let number = 0;
  for await (const line of fileLines(file)) {
    number++;
    if (line.trim() === '') continue;
    const read = parse(line, `${name}, line ${number}`);
    if (typeof read === 'number') {
      time = read;
      continue;
    }
    if (characters + line.length > MAX_CALL_CHARACTERS) await send();
    batch.push(read);
    characters += line.length;
  }
  await send();
  return { entries, changes };
}

function parse(line: string, where: string): DevAccount | number {
  try {
    const json: unknown = JSON.parse(line);
    const time = v.safeParse(timeLine, json);
    return time.success ? time.output[TIME] : devV1Codecs.DevAccount.fromJson(json);
  } catch (error) {
    throw new CliError(`${where}: ${errorMessage(error)}`, { cause: error });
  }
}
