import { CORE_MUTATIONS } from './core-mutations.js';
import type { Mutation } from './mutation.js';
import { RESHARING_MUTATIONS } from './resharing-mutations.js';
import { SHELL_MUTATIONS } from './shell-mutations.js';

export const MUTATIONS: readonly Mutation[] = [...CORE_MUTATIONS, ...SHELL_MUTATIONS, ...RESHARING_MUTATIONS];
