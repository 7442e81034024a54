// The tests of whole nodes that depend on the native parts, with nodes made of the fallbacks.
const FILES = [
  'bundles',
  'calls-in-place.slow',
  'front-threads',
  'interface',
  'metrics',
  'mistakes.slow',
  'old-block-hash',
];

// A suite without native parts runs these files itself.
if (process.env['HEDDLE_NATIVE'] !== 'off') {
  process.env['HEDDLE_NATIVE'] = 'off';
  for (const name of FILES) await import(`./${name}.test.js`);
}
