import type { NodeProcess } from '../../test/support/nodes/node-process.js';
import type { EthereumNode } from './ethereum/ethereum-node.js';
import type { LoadOptions } from './options.js';
import type { Work } from './work/work.js';

/** Work for all nodes, and its preparation. */
export interface Comparison {
  readonly options: LoadOptions;
  /** Brings Heddle to the state of the comparison and returns the work. */
  prepareHeddle(node: NodeProcess): Promise<readonly Work[]>;
  prepareEthereum(node: EthereumNode): Promise<void>;
}
