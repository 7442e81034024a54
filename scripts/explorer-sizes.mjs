// Prints the size of each file of the built explorer, plain and gzipped, in bytes.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DIST } from './build/places.mjs';

const site = join(DIST, 'explorer');
for (const name of readdirSync(site, { recursive: true, encoding: 'utf8' }).sort()) {
  if (!name.endsWith('.gz')) continue;
  const plain = name.slice(0, -'.gz'.length);
  console.log(
    `${plain}  ${statSync(join(site, plain)).size} bytes, ${statSync(join(site, name)).size} gzipped`,
  );
}
