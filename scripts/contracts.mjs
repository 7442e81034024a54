// Builds the contracts under contracts/: generates code from their IDL, compiles them, and writes NAME/NAME.wasm, the
// list of hashes, and .gas-snapshot, the gas of typical calls. With --check it writes nothing and fails if a file is
// out of date. Arguments select contracts by name.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const contracts = join(root, 'contracts');
const options = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const check = options.includes('--check');
const built = options.find((option) => option.startsWith('--built='))?.slice('--built='.length) ?? 'dist';

const load = (name) => import(pathToFileURL(join(root, built, 'src', 'contract-sdk', name)).href);
const { generateContractFiles, readContractProject } = await load('contract-project.js');
const { buildContract, sdkFolder } = await load('build-contract.js');
const { snapshotText } = await load('gas-snapshot.js');

const sha256 = (data) => createHash('sha256').update(data).digest();
const hashesFile = join(contracts, 'hashes.json');
const hashes = existsSync(hashesFile) ? JSON.parse(readFileSync(hashesFile, 'utf8')) : {};
let stale = 0;

function put(path, contents) {
  const present = existsSync(path) ? readFileSync(path) : undefined;
  if (present?.equals(Buffer.from(contents))) return;
  if (check) {
    stale++;
    console.error(`${relative(root, path)} is out of date; run: npm run contracts`);
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
  console.log(`wrote ${relative(root, path)}, ${Buffer.byteLength(contents)} bytes`);
}

const names = readdirSync(contracts, { recursive: true, encoding: 'utf8' })
  .filter((path) => basename(path) === 'contract.json')
  .map((path) => dirname(path).replaceAll('\\', '/'))
  .filter((name) => wanted.length === 0 || wanted.includes(name))
  .sort();

for (const name of names) {
  try {
    const project = await readContractProject(join(contracts, name));
    for (const file of generateContractFiles(project)) {
      put(join(project.folder, 'generated', file.name), file.text);
    }
    const code = await buildContract(project, { sdk: sdkFolder(), names: true });
    put(join(project.folder, `${project.name}.wasm`), code);
    hashes[name] = sha256(code).toString('hex');
  } catch (error) {
    console.error(`${name}: ${error.message}`);
    process.exitCode = 1;
  }
}
const known = Object.entries(hashes).sort(([a], [b]) => (a < b ? -1 : 1));
put(hashesFile, `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`);
if (wanted.length === 0 && process.exitCode === undefined) {
  const { exampleGas } = await import(
    pathToFileURL(join(root, built, 'test', 'support', 'contracts', 'example-gas.js')).href
  );
  put(join(contracts, '.gas-snapshot'), snapshotText(await exampleGas()));
}
if (stale > 0) process.exitCode = 1;
