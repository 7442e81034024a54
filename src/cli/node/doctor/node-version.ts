import { satisfies } from 'semver';
import { supportedNode } from '../../../config/package-info.js';
import { type Finding, ok, problem } from './finding.js';

/** @param version of the running Node, such as `v22.11.0` */
export function checkNodeVersion(version: string = process.version): Finding {
  const expected = `Node ${supportedNode()}`;
  const found = `Node ${version.replace(/^v/, '')} on ${process.platform} ${process.arch}`;
  if (satisfies(version, supportedNode())) return ok('node version', found, expected);
  return problem(
    'node version',
    found,
    expected,
    'install a supported version of Node, then run npm install again',
  );
}
