import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config, OptionName } from '../../config/config.js';
import { toHex } from '../../idl/hex.js';
import type { ArchiveToCheck } from '../../node/offline/snapshot-directory.js';
import { type JsonFlag, printAnswer } from '../answer.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { CliError, UsageError } from '../cli-error.js';
import { height } from '../option-parsers.js';
import { withProgress } from '../progress.js';
import { connectTo } from '../sending-options.js';
import { addNodeOptions, configOf } from './node-options.js';

const DIRECTORY: readonly OptionName[] = ['dataDir', 'native', 'cacheBytes'];
const SIGNING: readonly OptionName[] = [...DIRECTORY, 'genesisFile', 'validatorKeyFile'];
/** What `--trust dev` means. */
const DEV_CHAIN: readonly OptionName[] = ['chainId', 'devAccounts', 'devBalance', 'mnemonic'];
const TRUSTING: readonly OptionName[] = ['native', 'trust', ...DEV_CHAIN];

interface AtOption extends JsonFlag {
  readonly at?: bigint;
}

export function registerSnapshotCommands(program: CliCommand, context: CommandContext): void {
  const snapshot = program
    .command('snapshot')
    .notes(
      'Running nodes cut checkpoints by themselves (--checkpoint-interval) and give them to others (heddle start',
      '--follow). "create" asks the node that uses the data directory to cut one; "export --url" downloads one from',
      'any node. "import", and "export" without --url, need the node to be stopped.',
    )
    .examples(
      'heddle snapshot create --data-dir ./heddle-data',
      'heddle snapshot export --data-dir ./heddle-data snapshot.tar.gz',
      'heddle snapshot export --url http://127.0.0.1:9545 snapshot.tar.gz',
      'heddle snapshot verify --trust dev snapshot.tar.gz',
      'heddle snapshot import --trust dev --data-dir ./other-data snapshot.tar.gz',
    );
  registerCreate(snapshot, context);
  registerExport(snapshot, context);
  registerImport(snapshot, context);
  registerVerify(snapshot, context);
}

function registerCreate(snapshot: CliCommand, context: CommandContext): void {
  const command = snapshot
    .command('create')
    .description('cut the state of a data directory into a checkpoint')
    .option('--at <HEIGHT>', 'height whose state the directory still has (default: the tip)', height)
    .json();
  addNodeOptions(command, DIRECTORY);
  command.action(async (options: AtOption, self: CliCommand) => {
    const { createCheckpoint } = await import('./snapshot-files.js');
    const made = await withProgress('interrupted', (onProgress, signal) =>
      createCheckpoint(configOf(self, context), { ...heightOf(options), onProgress, signal }),
    );
    const { height: at, entries, chunk_count, state_root } = made;
    printAnswer(
      context,
      options,
      { height: at, entries, chunk_count, state_root },
      `checkpoint at height ${at}: ${entries} entries, ${chunk_count} chunks, state root ${state_root}\n`,
    );
  });
}

interface ExportOptions extends AtOption {
  readonly force?: boolean;
  readonly url?: string;
}

function heightOf({ at }: AtOption): { readonly height?: bigint } {
  return at === undefined ? {} : { height: at };
}

function registerExport(snapshot: CliCommand, context: CommandContext): void {
  const command = snapshot
    .command('export')
    .description("write a checkpoint's archive, which other tools can list: tar tzf FILE")
    .argument('<FILE>', 'the archive to write')
    .option('--at <HEIGHT>', 'height of the checkpoint (default: the newest)', height)
    .option('--force', 'overwrite an existing file')
    .option('--url <URL>', 'a running node to download from, instead of a data directory')
    .json();
  addNodeOptions(command, SIGNING);
  command.action(async (name: string, { force, url, ...options }: ExportOptions, self: CliCommand) => {
    const file = resolve(context.workingDirectory, name);
    if (existsSync(file) && force !== true) {
      throw new CliError(`${name}: the file exists; choose another name, or --force`);
    }
    const { checkpoint, archive } = await withProgress('interrupted', async (onProgress, signal) => {
      const wanted = { ...heightOf(options), file, onProgress, signal };
      if (url !== undefined) {
        const { downloadSnapshot } = await import('./snapshot-files.js');
        return downloadSnapshot(connectTo({ url }, context), wanted);
      }
      const { exportSnapshot } = await import('../../node/offline/snapshot-directory.js');
      return exportSnapshot(configOf(self, context), wanted);
    });
    const sha256 = toHex(archive.sha256);
    printAnswer(
      context,
      options,
      { file: name, height: checkpoint.height, bytes: archive.bytes, sha256 },
      `${name}: checkpoint at height ${checkpoint.height}, ${archive.bytes} bytes, sha256 ${sha256}\n`,
    );
  });
}

function registerImport(snapshot: CliCommand, context: CommandContext): void {
  const command = snapshot
    .command('import')
    .description('start a data directory from an archive, or resume an interrupted import')
    .argument('<FILE>', 'the archive')
    .json();
  addNodeOptions(command, [...DIRECTORY, 'trust', ...DEV_CHAIN]);
  command.action(async (name: string, options: JsonFlag, self: CliCommand) => {
    const { importSnapshot } = await import('../../node/offline/snapshot-directory.js');
    const { snapshot: taken } = await readArchive(name, self, context, importSnapshot);
    const { height: at, entries, state_root: root } = taken.light.checkpoint;
    const state_root = toHex(root);
    printAnswer(
      context,
      options,
      { height: at, entries, state_root },
      `imported block ${at}: ${entries} entries, state root ${state_root}\n`,
    );
  });
}

function registerVerify(snapshot: CliCommand, context: CommandContext): void {
  const command = snapshot
    .command('verify')
    .description('check an archive against a key or genesis, without a node')
    .argument('<FILE>', 'the archive')
    .json();
  addNodeOptions(command, TRUSTING);
  command.action(async (name: string, options: JsonFlag, self: CliCommand) => {
    const { verifySnapshot } = await import('../../node/offline/snapshot-directory.js');
    const { snapshot: checked, contracts } = await readArchive(name, self, context, verifySnapshot);
    const { checkpoint, header, descendants } = checked.light;
    const certified = descendants.at(-1);
    const final =
      certified === undefined
        ? 'is signed by the trusted key'
        : `is final through block ${certified.height}, which is signed by the trusted key`;
    const lines = [
      `${name}: all good`,
      `  certificate  block ${header.height}, ${toHex(checkpoint.block_hash)}, ${final}`,
      `  history      the chain begins with block 0, ${toHex(checked.originHash)}`,
      `  state        ${checkpoint.chunk_count} chunks with ${checkpoint.entries} entries have state root ${toHex(checkpoint.state_root)}`,
      `  contracts    ${contracts}, with all code and interface texts`,
    ];
    const values = {
      file: name,
      height: header.height,
      block_hash: toHex(checkpoint.block_hash),
      certified_height: certified?.height ?? header.height,
      origin_hash: toHex(checked.originHash),
      chunk_count: checkpoint.chunk_count,
      entries: checkpoint.entries,
      state_root: toHex(checkpoint.state_root),
      contracts,
    };
    printAnswer(context, options, values, `${lines.join('\n')}\n`);
  });
}

/** Reads an archive under the trust that the options name. */
async function readArchive<T>(
  name: string,
  command: CliCommand,
  context: CommandContext,
  read: (config: Config, archive: ArchiveToCheck) => Promise<T>,
): Promise<T> {
  const config = configOf(command, context);
  const trust = await trusted(config);
  const file = resolve(context.workingDirectory, name);
  return withProgress('interrupted', (onProgress, signal) =>
    read(config, { file, trust, onProgress, signal }),
  );
}

async function trusted(config: Config) {
  if (config.trust === undefined) {
    throw new UsageError(
      "--trust: expected the group's public key, a genesis file, or dev for the development chain; got nothing",
    );
  }
  const { trustOf } = await import('../../node/follower/trust-anchor.js');
  const { loadCrypto } = await import('../../crypto/load-crypto.js');
  const { groupPublicKey, genesis } = await trustOf(config, await loadCrypto(config.native, () => undefined));
  return genesis === undefined
    ? ({ type: 'key', groupPublicKey } as const)
    : ({ type: 'genesis', genesis } as const);
}
