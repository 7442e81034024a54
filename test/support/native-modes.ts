/** Every native part that there is: uWebSockets.js has binaries only up to Node 20. */
export const NATIVE = Number(process.versions.node.split('.')[0]) <= 20 ? 'require' : 'auto';

/** The modes that a test goes through. A run of the suite without native parts leaves out what the other run has covered. */
export const NATIVE_MODES: readonly (typeof NATIVE | 'off')[] =
  process.env['HEDDLE_NATIVE'] === 'off' ? ['off'] : [NATIVE, 'off'];
