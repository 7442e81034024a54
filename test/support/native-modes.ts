const { arch, env, platform, versions } = process;
const [MAJOR = ''] = versions.node.split('.');

/** The reason that some native part cannot load here, or false if all have binaries. */
export const NATIVE_LACKING = lacking();

export const NATIVE = NATIVE_LACKING === false ? 'require' : 'auto';

function lacking(): string | false {
  if (platform !== 'linux' || arch !== 'x64') return `not all have binaries for ${platform} ${arch}`;
  if (['20', '22'].includes(MAJOR)) return false;
  if (!['24', '26'].includes(MAJOR)) return `uWebSockets.js has no binary for Node ${MAJOR}`;
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  const glibc = header.glibcVersionRuntime ?? '0';
  if (glibc.localeCompare('2.38', 'en', { numeric: true }) >= 0) return false;
  return `uWebSockets.js for Node ${MAJOR} needs glibc 2.38, and this machine has ${glibc}`;
}

const SET = env['HEDDLE_NATIVE'];

/** The native modes to test. HEDDLE_NATIVE limits them to one, for a suite that runs once for each. */
export const NATIVE_MODES: readonly (typeof NATIVE | 'off')[] =
  SET === undefined ? [NATIVE, 'off'] : [SET === 'off' ? 'off' : NATIVE];
