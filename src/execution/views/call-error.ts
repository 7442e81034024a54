/** Why a view call or a simulation has no result. Survives JSON, the form in which workers return it. */
export type CallProblem =
  /** The contract, block or transaction of the call does not exist. */
  | {
      readonly code: 'not_found';
      readonly message: string;
      readonly subject: Readonly<Record<string, string | number>>;
    }
  /** The state at the height is pruned, or does not exist yet. */
  | {
      readonly code: 'state_unavailable';
      readonly height: number;
      readonly oldest: number;
      readonly newest: number;
    }
  | {
      readonly code: 'invalid_params';
      /** Such as `params.args.owner`. */
      readonly path: string;
      readonly expected: string;
      readonly got: string;
    }
  | {
      readonly code: 'limit_exceeded';
      /** Name of the limit in the manifest. */
      readonly subject: string;
      readonly limit: number;
      readonly given?: number;
    }
  /** A transaction that is invalid on every state of this chain. */
  | {
      readonly code: 'transaction_rejected';
      readonly reason: 'bad_signature' | 'wrong_chain';
      readonly message: string;
    }
  /** The thread has no more instances for its nested calls. */
  | { readonly code: 'overloaded' }
  /** A forked chain cannot be read. */
  | { readonly code: 'not_ready'; readonly message: string }
  /** The store is damaged; the message is only for the log. */
  | { readonly code: 'damaged_store'; readonly message: string }
  | { readonly code: 'timeout'; readonly limitMs: number };

/** Thrown for a view call without a result, for a reason that its caller should know. */
export class CallError extends Error {
  override readonly name = 'CallError';

  constructor(readonly problem: CallProblem) {
    super(messageOf(problem));
  }
}

export function invalidParams(path: string, expected: string, got: string): CallError {
  return new CallError({ code: 'invalid_params', path, expected, got });
}

/** @param address 40 hex digits @param path of the call's arguments; `params` if they are the method's own */
export function noContractAt(address: string, path = 'params'): CallError {
  const contract = `0x${address}`;
  return new CallError({
    code: 'not_found',
    message: `${path === 'params' ? '' : `${path}: `}there is no contract at ${contract}`,
    subject: { contract },
  });
}

/** @param subject name of the limit in the manifest @throws CallError limit_exceeded */
export function expectEntries(subject: string, given: number, limit: number): void {
  if (given > limit) throw new CallError({ code: 'limit_exceeded', subject, limit, given });
}

function messageOf(problem: CallProblem): string {
  switch (problem.code) {
    case 'not_found':
    case 'transaction_rejected':
    case 'not_ready':
    case 'damaged_store':
      return problem.message;
    case 'state_unavailable': {
      const { height, oldest, newest } = problem;
      const where = height > newest ? 'is not there yet' : 'is no longer kept';
      return `state at height ${height} ${where}; heights from ${oldest} to ${newest} can be asked`;
    }
    case 'invalid_params':
      return `${problem.path}: expected ${problem.expected}, got ${problem.got}`;
    case 'limit_exceeded':
      if (problem.subject === 'token_gas') {
        return `the token allows at most ${problem.limit} gas for this call, got ${problem.given}; lower gas_limit`;
      }
      return problem.given === undefined
        ? `${problem.subject}: at most ${problem.limit}, and this would be more`
        : `${problem.subject}: at most ${problem.limit}, got ${problem.given}`;
    case 'overloaded':
      return 'the node has no room for so many nested calls right now';
    case 'timeout':
      return `the call ran for more than ${problem.limitMs} ms and was cancelled`;
  }
}
