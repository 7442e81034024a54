import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Log } from '../../config/log.js';
import { type CeremonyProgress, runCeremony } from '../../consensus/ceremony/run-ceremony.js';
import { dealerGenesis } from '../../consensus/dealer-genesis.js';
import { readJsonFile, writePublicFile } from '../../consensus/files/public-file.js';
import { validatorPaths } from '../../consensus/files/validator-directory.js';
import { writeDkgOutput } from '../../consensus/files/write-dkg-output.js';
import type { Crypto } from '../../crypto/crypto.js';
import { loadBls } from '../../crypto/load-bls.js';
import type { Genesis } from '../../generated/ledger.js';
import type { CeremonyConfiguration } from '../../generated/mesh.js';
import { ledger } from '../../ledger/codecs.js';
import { DEV_CHAIN_ID, DEV_GAS_LIMIT, devAllocation } from '../../ledger/dev-genesis.js';
import { readGenesisFile } from '../../ledger/genesis-file.js';
import { CliError, UsageError } from '../cli-error.js';
import { type CreatedValidator, createIdentity, publicIdentity } from './new-identity.js';

const DEFAULT_SHAPE: LocalnetShape = { validators: 4, port: 9_600, dealer: false, epochLength: 10_000 };

/** Offset from a validator's RPC port to its p2p port. */
export const P2P_OFFSET = 100;

export interface Localnet {
  readonly shape: LocalnetShape;
  readonly genesis: Genesis;
  /** The validators' directories, by index. */
  readonly directories: readonly string[];
}

/** Timeout of the whole ceremony on one machine. */
const CEREMONY_MS = 180_000;

/** The settings of a localnet, fixed for the lifetime of its directory. */
const shapeSchema = v.strictObject({
  validators: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(P2P_OFFSET)),
  /** RPC port of validator 0; validator i uses this plus i. */
  port: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)),
  dealer: v.boolean(),
  epochLength: v.pipe(v.number(), v.integer(), v.minValue(2)),
});

type LocalnetShape = Readonly<v.InferOutput<typeof shapeSchema>>;

/** The requested settings; omitted ones come from the directory or are defaults. */
type RequestedShape = { readonly [K in keyof LocalnetShape]?: LocalnetShape[K] | undefined };

const FLAGS = {
  validators: '--validators',
  port: '--port',
  dealer: '--dealer',
  epochLength: '--epoch-length',
} as const satisfies Record<keyof LocalnetShape, string>;

interface LocalnetParts {
  readonly crypto: Crypto;
  readonly log: Log;
  readonly onProgress: (validator: number, progress: CeremonyProgress) => void;
}

/** Opens the localnet of a directory, or creates it. @throws CliError if it holds something else */
export async function openLocalnet(
  directory: string,
  asked: RequestedShape,
  parts: LocalnetParts,
): Promise<Localnet> {
  const file = join(directory, 'localnet.json');
  const existing = readJsonFile(file, 'localnet', (value) => v.parse(shapeSchema, value));
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  const shape: LocalnetShape = { ...(existing ?? DEFAULT_SHAPE), ...given };
  if (existing !== undefined) expectSame(directory, existing, shape);
  const directories = Array.from({ length: shape.validators }, (_, i) => join(directory, `validator-${i}`));
  if (existing === undefined) {
    await makeLocalnet(directory, shape, directories, parts);
    await writePublicFile(file, `${JSON.stringify(shape, null, 2)}\n`);
  }
  return { shape, directories, genesis: readGenesisFile(join(directory, 'genesis.json')) };
}

function expectSame(directory: string, existing: LocalnetShape, asked: LocalnetShape): void {
  for (const [member, flag] of Object.entries(FLAGS)) {
    const key = member as keyof LocalnetShape;
    if (existing[key] === asked[key]) continue;
    const text =
      key === 'dealer' ? `${flag} ${existing[key] ? '' : 'not '}given` : `${flag} ${existing[key]}`;
    throw new UsageError(
      `${directory} has a localnet that was made with ${text}; omit the option, or use another --data-dir`,
    );
  }
}

async function makeLocalnet(
  directory: string,
  shape: LocalnetShape,
  directories: readonly string[],
  parts: LocalnetParts,
): Promise<void> {
  const { crypto } = parts;
  checkOwned(directory);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const bls = await loadBls('auto');
  const members: CreatedValidator[] = [];
  for (const each of directories) {
    // Removes what an interrupted creation of the localnet left behind.
    await rm(each, { recursive: true, force: true });
    members.push(await createIdentity({ crypto, bls }, each, undefined));
  }
  const configuration: CeremonyConfiguration = {
    chain_id: DEV_CHAIN_ID,
    timestamp_ms: BigInt(Date.now()),
    gas_limit: DEV_GAS_LIMIT,
    base_fee: 1n,
    accounts: devAllocation(crypto),
    epoch_length: BigInt(shape.epochLength),
    validators: members.map((member, i) =>
      publicIdentity(member, `127.0.0.1:${shape.port + P2P_OFFSET + i}`),
    ),
  };
  // A single validator cannot hold a ceremony.
  const genesis =
    shape.dealer || members.length === 1
      ? await deal(crypto, configuration, members)
      : await holdCeremony(parts, configuration, members);
  await writePublicFile(join(directory, 'genesis.json'), `${ledger.Genesis.toJson(genesis)}\n`);
}

async function deal(
  crypto: Crypto,
  configuration: CeremonyConfiguration,
  members: readonly CreatedValidator[],
): Promise<Genesis> {
  const bls = await loadBls('auto');
  const random = (length: number) => Uint8Array.from(randomBytes(length));
  const { genesis, shares } = dealerGenesis({ crypto, bls, random }, configuration);
  for (const [index, { paths }] of members.entries()) {
    const share = shares[index];
    if (share === undefined) throw new RangeError(`no share was dealt to validator ${index}`);
    await writeDkgOutput(paths, { genesis, index, share, peers: configuration.validators });
  }
  return genesis;
}

/** Runs all participants over the mesh, as on separate machines. */
async function holdCeremony(
  { crypto, log, onProgress }: LocalnetParts,
  configuration: CeremonyConfiguration,
  members: readonly CreatedValidator[],
): Promise<Genesis> {
  const bls = await loadBls('auto');
  const deadline = new AbortController();
  const timer = setTimeout(
    () => deadline.abort(new CliError(`the ceremony did not finish within ${CEREMONY_MS / 1_000} s`)),
    CEREMONY_MS,
  );
  try {
    const results = await Promise.all(
      members.map(({ identity, encryption, paths }, i) =>
        runCeremony({
          crypto,
          bls,
          log,
          configuration,
          identity,
          encryption,
          paths,
          lingerMs: CEREMONY_MS,
          onProgress: (news) => onProgress(i, news),
          signal: deadline.signal,
        }),
      ),
    );
    const [first] = results;
    if (first === undefined) throw new RangeError('a ceremony without participants');
    return first.genesis;
  } catch (error) {
    deadline.abort(error);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** @throws CliError if the directory holds more than the leftovers of an interrupted creation */
function checkOwned(directory: string): void {
  if (!existsSync(directory)) return;
  for (const name of readdirSync(directory)) {
    const isLeftover = /^(validator-\d+|genesis\.json)$/.test(name);
    const hasChain = name.startsWith('validator-') && existsSync(validatorPaths(join(directory, name)).data);
    if (isLeftover && !hasChain) continue;
    throw new CliError(
      `${directory} holds files that are not a localnet's, such as ${name}; choose another --data-dir`,
    );
  }
}
