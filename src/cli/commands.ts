import type { CliCommand, CommandContext } from './cli-command.js';

interface CommandEntry {
  /** What it does, for help: a phrase without a capital and a full stop. */
  readonly description: string;
  /** Loads the function that adds the command, with its options and subcommands, to a program. */
  readonly load: () => Promise<(program: CliCommand, context: CommandContext) => void>;
}

/** Commands by name, in help order, each loaded on demand: loading dominates the startup of a short command. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  start: {
    description: 'run a node; without --genesis a development chain with ten funded accounts',
    load: async () => (await import('./node/start.js')).registerStartCommand,
  },
  send: {
    description: 'send a transfer from a key file or a development account',
    load: async () => (await import('./send.js')).registerSendCommand,
  },
  balance: {
    description: 'show the native balance of an account, or its balance of a token',
    load: async () => (await import('./read/state.js')).registerBalanceCommand,
  },
  account: {
    description: "show an account: balance, next nonces, pending transactions, whether it is a contract's",
    load: async () => (await import('./read/state.js')).registerAccountCommand,
  },
  block: {
    description: 'show a block',
    load: async () => (await import('./read/chain.js')).registerBlockCommand,
  },
  tx: {
    description: 'show a transaction: where it is, who sent it, what it does',
    load: async () => (await import('./read/chain.js')).registerTxCommand,
  },
  receipt: {
    description: "show an included transaction's outcome, gas, fee and events",
    load: async () => (await import('./read/chain.js')).registerReceiptCommand,
  },
  logs: {
    description: 'print events, oldest first',
    load: async () => (await import('./read/logs.js')).registerLogsCommand,
  },
  storage: {
    description: "show the value in a slot of a contract's storage",
    load: async () => (await import('./read/state.js')).registerStorageCommand,
  },
  pool: {
    description: 'show the pool and its pending transactions, newest first',
    load: async () => (await import('./read/pool.js')).registerPoolCommand,
  },
  estimate: {
    description: 'tell the gas, fee and outcome of a transaction without sending it; needs no key',
    load: async () => (await import('./estimate.js')).registerEstimateCommand,
  },
  bundle: {
    description: 'send transactions that a block includes completely and in order, or not at all',
    load: async () => (await import('./bundle.js')).registerBundleCommand,
  },
  contract: {
    description: 'create, build, test, deploy, call and inspect contracts',
    load: async () => (await import('./contract/contract.js')).registerContractCommands,
  },
  console: {
    description: 'run JavaScript line by line with a connected client, accounts and contracts',
    load: async () => (await import('./repl/repl.js')).registerConsoleCommand,
  },
  genesis: {
    description: 'make the genesis of a chain of your own',
    load: async () => (await import('./validators/genesis.js')).registerGenesisCommands,
  },
  init: {
    description: 'create a validator, or the configuration of a chain with several validators',
    load: async () => (await import('./validators/init.js')).registerInitCommand,
  },
  dkg: {
    description: 'make the group key of a new chain together with its other validators',
    load: async () => (await import('./validators/dkg.js')).registerDkgCommand,
  },
  validator: {
    description: 'add and remove validators, as the operator of one',
    load: async () => (await import('./validators/validator.js')).registerValidatorCommands,
  },
  localnet: {
    description: 'run several validators on this machine, each in a process of its own',
    load: async () => (await import('./validators/localnet.js')).registerLocalnetCommand,
  },
  doctor: {
    description: 'check this machine, the data directory and the keys for a node with these options',
    load: async () => (await import('./node/doctor.js')).registerDoctorCommand,
  },
  status: {
    description: 'watch a node: height, throughput, pool, finality (Ctrl-C ends it)',
    load: async () => (await import('./node/status.js')).registerStatusCommand,
  },
  trace: {
    description: 'execute an included transaction again and show what it did',
    load: async () => (await import('./load/trace.js')).registerTraceCommand,
  },
  replay: {
    description: 'trace every transaction of a range of blocks and check it against its receipt',
    load: async () => (await import('./load/replay.js')).registerReplayCommand,
  },
  light: {
    description: 'query nodes without trusting them: accept only answers proved under a key or genesis',
    load: async () => (await import('./light/light.js')).registerLightCommand,
  },
  load: {
    description: 'put a chain under load and report its performance (Ctrl-C ends it with the report so far)',
    load: async () => (await import('./load/load.js')).registerLoadCommand,
  },
  simulate: {
    description: 'put calls from a file to a node, many at a time, and write their results',
    load: async () => (await import('./load/simulate.js')).registerSimulateCommand,
  },
  farm: {
    description: 'spread simulations and traces over many machines, with a queue on Redis',
    load: async () => (await import('./farm/farm.js')).registerFarmCommands,
  },
  'simulate-consensus': {
    description: 'run consensus among many validators in virtual time, with faults, and check its guarantees',
    load: async () => (await import('./simulate-consensus.js')).registerSimulateConsensusCommand,
  },
  token: {
    description: 'issue, inspect and revoke access tokens, while the node runs or is stopped',
    load: async () => (await import('./token/token.js')).registerTokenCommands,
  },
  keys: {
    description: 'create and inspect private keys',
    load: async () => (await import('./keys.js')).registerKeysCommands,
  },
  verify: {
    description: 'execute a stored chain again and compare every signature, receipt, root and hash',
    load: async () => (await import('./node/verify.js')).registerVerifyCommand,
  },
  dev: {
    description:
      'control a development chain: blocks, time, balances, contracts, snapshots; run deployment scripts',
    load: async () => (await import('./dev/dev.js')).registerDevCommands,
  },
  'dev-state': {
    description: 'make a development chain with many accounts, with many blocks, or both',
    load: async () => (await import('./node/dev-state.js')).registerDevStateCommand,
  },
  snapshot: {
    description: 'make, export, import and verify snapshots of the state',
    load: async () => (await import('./node/snapshot.js')).registerSnapshotCommands,
  },
  idl: {
    description: 'check interface definitions, generate code and documentation from them',
    load: async () => (await import('./idl.js')).registerIdlCommands,
  },
  completion: {
    description: 'print a script that completes commands and options in a shell',
    load: async () => (await import('./completion.js')).registerCompletionCommand,
  },
};
