import { existsSync } from 'node:fs';
import { AccessError, TokenFiles } from '../../../rpc/access/token-files.js';
import type { DoctorContext } from './doctor-context.js';
import { type Finding, ok, problem } from './finding.js';
import { exposedSecret } from './secret-mode.js';

const EXPECTED =
  'token.secret and admin.token in the data directory, mode 0600; the first start creates them';
const ignore = () => undefined;
/** Discards the log of {@link TokenFiles}, because the checks report the same. */
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Checks whether the token files are private and valid. Prints no token. */
export async function checkTokenFiles({ config }: DoctorContext): Promise<Finding[]> {
  const files = new TokenFiles(config.dataDir, SILENT);
  const paths = [files.secretPath, files.adminTokenPath];
  const findings = paths.flatMap((path) => exposedSecret('token files', path) ?? []);
  try {
    await files.storedSecret();
    await files.adminToken();
  } catch (error) {
    if (!(error instanceof AccessError)) throw error;
    const advice =
      'restore the file, or remove it: the next start creates a new one, and old tokens become invalid';
    findings.push(problem('token files', error.message, EXPECTED, advice));
  }
  if (findings.length > 0) return findings;
  const missing = paths.filter((path) => !existsSync(path));
  const found = missing.length === 0 ? 'both are private and valid' : `missing so far: ${missing.join(', ')}`;
  return [ok('token files', found, EXPECTED)];
}
