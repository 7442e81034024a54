import { createRequire } from 'node:module';

/** Parts of `@chainsafe/hashtree` used here. Loaded by `require`: a failing static import would break the module. */
interface Hashtree {
  hashInto(input: Uint8Array, output: Uint8Array): void;
}

/** SHA-256 of many 64-byte inputs with vector instructions. @throws if the package or its binary is missing */
export function loadHashtreePairs(): (input: Uint8Array, output?: Uint8Array) => Uint8Array {
  const hashtree = createRequire(import.meta.url)('@chainsafe/hashtree') as Hashtree;
  return (input, output = new Uint8Array(input.length / 2)) => {
    if (output.length > 0) hashtree.hashInto(input, output);
    return output;
  };
}
