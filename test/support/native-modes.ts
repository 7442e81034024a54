const { arch, platform, versions } = process;
const [MAJOR = ''] = versions.node.split('.');

/** `require` where all native parts have binaries; uWebSockets.js has none for other versions of Node. */
export const NATIVE =
  platform === 'linux' && arch === 'x64' && ['20', '22', '23', '24', '26'].includes(MAJOR)
    ? 'require'
    : 'auto';

const SET = process.env['HEDDLE_NATIVE'];

/** The modes that a test goes through. HEDDLE_NATIVE leaves it at one, as where the suite is run once for each. */
export const NATIVE_MODES: readonly (typeof NATIVE | 'off')[] =
  SET === undefined ? [NATIVE, 'off'] : [SET === 'off' ? 'off' : NATIVE];
