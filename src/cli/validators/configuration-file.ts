import { checkConfiguration } from '../../consensus/ceremony/configuration.js';
import { PublicFileError, readJsonFile, writePublicFile } from '../../consensus/files/public-file.js';
import type { CeremonyConfiguration } from '../../generated/mesh.js';
import { meshCodecs } from '../../generated/mesh-codecs.js';

/** Reads what the first validators agree on before they make the group key. @throws PublicFileError */
export function readConfigurationFile(path: string): CeremonyConfiguration {
  const configuration = readJsonFile(path, 'configuration of a ceremony', (value) => {
    const read = meshCodecs.CeremonyConfiguration.fromJson(value, 'configuration');
    checkConfiguration(read);
    return read;
  });
  if (configuration === undefined) throw new PublicFileError(`${path}: there is no such file`);
  return configuration;
}

/** @throws PublicFileError */
export async function writeConfigurationFile(
  path: string,
  configuration: CeremonyConfiguration,
): Promise<void> {
  const json: unknown = JSON.parse(meshCodecs.CeremonyConfiguration.toJson(configuration));
  await writePublicFile(path, `${JSON.stringify(json, null, 2)}\n`);
}
