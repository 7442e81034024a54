import { randomBytes } from 'node:crypto';
import { SILENT_LOG } from '../../../src/cli/silent-log.js';
import type { CeremonyPhase } from '../../../src/consensus/ceremony/attempt.js';
import {
  Ceremony,
  type CeremonyEffect,
  type CeremonyEvent,
} from '../../../src/consensus/ceremony/ceremony.js';
import { CeremonyMessages } from '../../../src/consensus/ceremony/ceremony-messages.js';
import { configurationHash } from '../../../src/consensus/ceremony/configuration.js';
import { readEncryptionFile } from '../../../src/consensus/files/encryption-file.js';
import { readIdentityFile } from '../../../src/consensus/files/identity-file.js';
import { validatorPaths } from '../../../src/consensus/files/validator-directory.js';
import { loadBls } from '../../../src/crypto/load-bls.js';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import type { CeremonyBody, CeremonyConfiguration, CeremonyMessage } from '../../../src/generated/mesh.js';
import { meshCodecs } from '../../../src/generated/mesh-codecs.js';
import { parseEndpoint } from '../../../src/network/endpoint.js';
import { Mesh } from '../../../src/network/mesh.js';

const DURATIONS: Readonly<Record<CeremonyPhase, number>> = {
  pause: 500,
  deal: 10_000,
  respond: 30_000,
  answer: 10_000,
  approve: 30_000,
};

export interface FaultyParticipantOptions {
  /** Its directory, as `heddle init` makes it, without a passphrase. */
  readonly home: string;
  readonly configuration: CeremonyConfiguration;
  readonly index: number;
  /** The body to sign and send instead, to one recipient. */
  readonly alter: (message: CeremonyMessage, to: number) => CeremonyBody | undefined;
}

/** Takes part in a ceremony over the mesh, and alters its messages. @returns a function that ends it */
export async function joinFaultily(options: FaultyParticipantOptions): Promise<() => Promise<void>> {
  const { home, configuration, index, alter } = options;
  const [crypto, bls] = [await loadCrypto('auto'), await loadBls('auto')];
  const paths = validatorPaths(home);
  const identity = await readIdentityFile(crypto, paths.identity);
  const [encryption] = await readEncryptionFile(bls, paths.encryption);
  const sign = (message: Uint8Array) => crypto.ed25519.sign(message, identity.seed);
  const machine = new Ceremony({
    crypto,
    bls,
    sign,
    configuration,
    index,
    random: (length) => Uint8Array.from(randomBytes(length)),
    encryptionKey: encryption?.privateKey ?? new Uint8Array(32),
  });
  const peers = configuration.validators.map(({ identity_key, endpoint }, place) => ({
    identityKey: identity_key,
    index: place,
    endpoint: parseEndpoint(endpoint),
  }));
  const chain = configurationHash(crypto, configuration);
  const messages = new CeremonyMessages(
    crypto,
    chain,
    peers.map(({ identityKey }) => identityKey),
  );
  const mesh = new Mesh({
    identitySeed: identity.seed,
    chainId: configuration.chain_id,
    chain,
    peers,
    listen: parseEndpoint(configuration.validators[index]?.endpoint ?? ''),
    log: SILENT_LOG,
    ed25519: crypto.ed25519,
  });
  const timers = new Set<NodeJS.Timeout>();
  const send = (to: number, encoded: Uint8Array) => {
    const message = meshCodecs.CeremonyMessage.decode(encoded);
    const body = message.sender === index ? alter(message, to) : undefined;
    const content = body === undefined ? encoded : messages.sign(sign, message.attempt, index, body).encoded;
    mesh.send(to, 'ceremony', { content });
  };
  const step = (event: CeremonyEvent) => {
    for (const effect of machine.step(event)) perform(effect);
  };
  const perform = (effect: CeremonyEffect) => {
    const others = [...peers.keys()].filter((peer) => peer !== index);
    if (effect.type === 'send') {
      for (const to of effect.to === 'all' ? others : [effect.to]) send(to, effect.encoded);
    }
    if (effect.type === 'relay') {
      for (const to of others) if (!effect.except.includes(to)) send(to, effect.encoded);
    }
    if (effect.type === 'timer') {
      const { attempt, phase } = effect;
      timers.add(setTimeout(() => step({ type: 'timeout', attempt, phase }), DURATIONS[phase]));
    }
  };
  mesh.on('ceremony', ({ index: from }, { content }) => {
    if (from !== undefined) step({ type: 'message', from, encoded: content });
  });
  mesh.onConnected(({ index: peer }) => {
    if (peer !== undefined) step({ type: 'connected', peer });
  });
  await mesh.start();
  step({ type: 'start', begun: undefined });
  return async () => {
    for (const timer of timers) clearTimeout(timer);
    await mesh.stop();
  };
}
