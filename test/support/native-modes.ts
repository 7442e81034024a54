/** Every native part that there is: uWebSockets.js has binaries only up to Node 20. */
export const NATIVE = Number(process.versions.node.split('.')[0]) <= 20 ? 'require' : 'auto';

const SET = process.env['HEDDLE_NATIVE'];

/** The modes that a test goes through. HEDDLE_NATIVE leaves it at one, as where the suite is run once for each. */
export const NATIVE_MODES: readonly (typeof NATIVE | 'off')[] =
  SET === undefined ? [NATIVE, 'off'] : [SET === 'off' ? 'off' : NATIVE];
