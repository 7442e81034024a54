// The tests of whole nodes that depend on the native parts, with nodes made of the fallbacks.
const FILES = [
  'bundles',
  'calls-in-place',
  'front-threads',
  'interface',
  'metrics',
  'mistakes',
  'old-block-hash',
];

if (process.env['HEDDLE_NATIVE'] === undefined) {
  process.env['HEDDLE_NATIVE'] = 'off';
  for (const name of FILES) await import(`./${name}.test.js`);
}
