import { join } from 'node:path';
import { CodedError, errorMessage } from '../../../base/errors.js';
import { NATIVE_OFF, type NativeChoice, type NativeMode } from '../../../config/native-mode.js';
import { loadBls } from '../../../crypto/load-bls.js';
import { loadCrypto } from '../../../crypto/load-crypto.js';
import { chooseHttpServer } from '../../../rpc/http/open-http-server.js';
import { loadRocksBinding } from '../../../storage/native/rocksdb-binding.js';
import { chooseStore } from '../../../storage/open-store.js';
import { type DoctorContext, type Finding, ok, problem, warning } from './doctor-context.js';

const EXPECTED = 'native parts, which are several times faster than their fallbacks';
const REINSTALL =
  'run npm install on this machine with the version of Node.js that runs the node; on Node 24 and 26 the HTTP server needs glibc 2.38';

/** Loads every native part as the node would, and reports which ones fall back, and why. */
export async function checkNativeParts({ config }: DoctorContext): Promise<Finding[]> {
  const { native } = config;
  const choices: NativeChoice[] = [];
  const failures: Finding[] = [];
  const report = (choice: NativeChoice) => choices.push(choice);
  const attempts = [
    () => report(httpChoice(native)),
    () => report(storeChoice(join(config.dataDir, 'store'), native)),
    () => loadCrypto(native, report),
    () => loadBls(native, report),
  ];
  for (const attempt of attempts) {
    try {
      await attempt();
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      const advice = `${REINSTALL}; or start with another --native`;
      failures.push(problem(errorMessage(error), EXPECTED, advice));
    }
  }
  return [...failures, ...describe(choices)];
}

function describe(choices: readonly NativeChoice[]): Finding[] {
  const native = choices
    .filter((choice) => choice.native)
    .map(({ part, implementation }) => `${part}: ${implementation}`);
  const chosen = choices.filter(({ reason }) => reason === NATIVE_OFF);
  const fallen = choices.filter((choice) => !choice.native && choice.reason !== NATIVE_OFF);
  const findings: Finding[] = [];
  if (native.length > 0) findings.push(ok(native.join(', '), EXPECTED));
  if (chosen.length > 0) {
    const found = `fallbacks by --native off: ${chosen.map(({ part }) => part).join(', ')}`;
    findings.push(ok(found, EXPECTED));
  }
  for (const { part, implementation, reason } of fallen) {
    const found = `${part} falls back to ${implementation}: ${reason}`;
    findings.push(warning(found, EXPECTED, REINSTALL));
  }
  return findings;
}

function httpChoice(native: NativeMode): NativeChoice {
  const chosen = chooseHttpServer(native);
  if ('binding' in chosen) return { part: 'http', implementation: 'uWebSockets.js', native: true };
  return { part: 'http', implementation: 'node:http', native: false, reason: chosen.reason };
}

function storeChoice(directory: string, native: NativeMode): NativeChoice {
  const chosen = chooseStore(directory, native);
  if (!chosen.native) return { part: 'store', implementation: 'an append-only file', ...chosen };
  loadRocksBinding();
  return { part: 'store', implementation: '@nxtedition/rocksdb', native: true };
}
