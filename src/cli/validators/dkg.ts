import { resolve } from 'node:path';
import { sameBytes } from '../../base/same-bytes.js';
import { type CeremonyProgress, runCeremony } from '../../consensus/ceremony/run-ceremony.js';
import { readEncryptionFile } from '../../consensus/files/encryption-file.js';
import { readIdentityFile } from '../../consensus/files/identity-file.js';
import { validatorPaths } from '../../consensus/files/validator-directory.js';
import { loadBls } from '../../crypto/load-bls.js';
import { loadCrypto } from '../../crypto/load-crypto.js';
import type { CeremonyConfiguration } from '../../generated/mesh.js';
import { toHex } from '../../idl/hex.js';
import { createLogger } from '../../log.js';
import { listenEndpoint } from '../../node/validator/own-endpoint.js';
import { configuredPassphrase } from '../../node/validator/validator-files.js';
import { printAnswer } from '../answer.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { CliError, UsageError } from '../cli-error.js';
import type { Console } from '../console.js';
import { interruptible } from '../end-process.js';
import { addNodeOptions, configOf } from '../node/node-options.js';
import { integerBetween } from '../option-parsers.js';
import { SILENT_LOG } from '../silent-log.js';
import { readConfigurationFile } from './configuration-file.js';

interface DkgOptions {
  readonly config: string;
  readonly timeout: number;
  readonly linger: number;
  readonly json?: boolean;
}

export function registerDkgCommand(program: CliCommand, context: CommandContext): void {
  const command = program
    .command('dkg')
    .requiredOption(
      '--config <FILE>',
      'the configuration that all validators agreed on, as "heddle init --validators" writes it',
    )
    .option(
      '--timeout <SECONDS>',
      'total time to wait for the others, over all attempts',
      integerBetween(1, 604_800),
      3_600,
    )
    .option(
      '--linger <SECONDS>',
      'how long to stay after the end, for validators that still miss a message from this one',
      integerBetween(0, 86_400),
      120,
    );
  command.json();
  addNodeOptions(
    command,
    ['validator', 'p2pHost', 'p2pPort', 'passphraseFile', 'native', 'logLevel', 'logFormat'],
    { config: false },
  );
  command
    .notes(
      'All validators run it at the same time, each on its own machine. A failed attempt names the cause, and the next begins.',
      'It ends with share.json, genesis.json and peers.json in the directory: then heddle start --validator DIR.',
    )
    .examples('heddle dkg --config ceremony.json --validator /var/lib/heddle')
    .action((options: DkgOptions, self: CliCommand) => takePart(options, self, context));
}

async function takePart(options: DkgOptions, command: CliCommand, context: CommandContext): Promise<void> {
  const { console, workingDirectory } = context;
  const config = configOf(command, context);
  if (config.validator === undefined) {
    throw new UsageError('give --validator DIR, the directory that "heddle init" made');
  }
  const configuration = readConfigurationFile(resolve(workingDirectory, options.config));
  const [crypto, bls] = [await loadCrypto(config.native), await loadBls(config.native)];
  const passphrase = configuredPassphrase(config);
  const paths = validatorPaths(config.validator);
  const identity = await readIdentityFile(crypto, paths.identity, passphrase);
  const own = configuration.validators.find(({ identity_key }) =>
    sameBytes(identity_key, identity.publicKey),
  );
  if (own === undefined) {
    const whose = `${toHex(identity.publicKey)}, that of ${paths.identity}`;
    throw new CliError(`${options.config}: the identity ${whose}, is not among its validators`);
  }
  const keys = await readEncryptionFile(bls, paths.encryption, passphrase);
  const encryption = keys.find(({ publicKey }) => sameBytes(publicKey, own.encryption_key));
  if (encryption === undefined) {
    const whose = `of this validator, ${toHex(own.encryption_key)}`;
    throw new CliError(`${options.config}: the encryption key ${whose}, is not in ${paths.encryption}`);
  }
  const progress = new DkgProgress(console, configuration);
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort(new CliError(`no group key within ${options.timeout} s: ${progress.waiting}`));
  }, options.timeout * 1_000);
  const { genesis, unfinished } = await interruptible(
    'stopped before the group key was complete',
    async (signal) =>
      runCeremony({
        crypto,
        bls,
        log: config.logLevel === 'info' ? SILENT_LOG : await createLogger(config),
        configuration,
        identity,
        encryption,
        paths,
        passphrase,
        listen: listenEndpoint(config, configuration.validators, identity.publicKey),
        lingerMs: options.linger * 1_000,
        onProgress: (news) => progress.tell(news),
        signal: AbortSignal.any([signal, late.signal]),
      }),
  ).finally(() => clearTimeout(timer));
  const key = toHex(genesis.validator_set.group_public_key);
  printAnswer(context, options, { group_public_key: key }, `group_public_key 0x${key}\n`);
  console.err(`start it with: heddle start --validator ${config.validator}\n`);
  if (unfinished.length > 0) {
    console.err(
      `warning: ${progress.names(unfinished)} may not have learned of the end; run this again if they ask for it\n`,
    );
  }
}

class DkgProgress {
  readonly #console: Console;
  readonly #configuration: CeremonyConfiguration;
  #last: Extract<CeremonyProgress, { readonly type: 'state' }> | undefined;
  #said = '';

  constructor(console: Console, configuration: CeremonyConfiguration) {
    this.#console = console;
    this.#configuration = configuration;
  }

  get waiting(): string {
    if (this.#last === undefined) return 'it did not begin';
    const { stage, waitsFor, attempt } = this.#last;
    return `attempt ${attempt}, ${stage}: waiting for ${this.names(waitsFor)}`;
  }

  tell(news: CeremonyProgress): void {
    if (news.type === 'failed') {
      this.#say(`attempt ${news.attempt} failed: ${news.failure.message}; trying again`);
      return;
    }
    this.#last = news;
    const { attempt, stage, waitsFor, connected } = news;
    const others = this.#configuration.validators.length - 1;
    const waits = waitsFor.length === 0 ? '' : `; waiting for ${this.names(waitsFor)}`;
    this.#say(`attempt ${attempt}, ${stage}: connected with ${connected.length} of ${others}${waits}`);
  }

  names(indices: readonly number[]): string {
    if (indices.length === 0) return 'nobody';
    return indices
      .map((index) => `${index} (${this.#configuration.validators[index]?.endpoint ?? 'unknown'})`)
      .join(', ');
  }

  #say(line: string): void {
    if (line === this.#said) return;
    this.#said = line;
    this.#console.err(`${line}\n`);
  }
}
