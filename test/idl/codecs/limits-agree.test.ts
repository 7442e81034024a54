// Two aliases of one primitive with different limits: each method keeps its own, in generated and in run-time codecs.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { MethodCodec } from '../../../src/idl/codecs/method-codecs.js';
import { generateUserFiles } from '../../../src/idl/compiler/user-files.js';
import { UserProject } from '../../support/contracts/user-project.js';
import { compileInterface } from '../../support/runtime-codecs.js';
import { SAMPLE_IDL, sampleManifest } from '../../support/sample-idl.js';

const project = new UserProject();
after(() => project.remove());

test('results that are aliases keep the limit of their alias', async () => {
  for (const { name, text } of generateUserFiles([{ name: 'sample.idl', text: SAMPLE_IDL }], 'sample')) {
    project.write(name, text);
  }
  assert.deepEqual(project.compile(), []);
  const generated = await project.load('sample-codecs.ts');
  for (const codecs of [
    generated['sampleMethodCodecs'] as ReadonlyMap<string, MethodCodec>,
    compileInterface(sampleManifest(), 'Sample'),
  ]) {
    assert.equal(codecs.get('long_name')?.encodeResult('ninechars'), '"ninechars"');
    assert.throws(() => codecs.get('long_name')?.encodeResult('ten chars!'), /at most 9/);
    assert.throws(() => codecs.get('short_name')?.encodeResult('five!'), /at most 4/);
  }
});
