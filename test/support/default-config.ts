import { type Config, loadConfig } from '../../src/config/config.js';

/** The configuration of a node without options, with some members replaced. */
export function defaultConfig(replaced: Partial<Config> = {}): Config {
  return { ...loadConfig({ flags: {}, environment: {}, workingDirectory: '/' }), ...replaced };
}
