import { checkAnswerSize } from '../../base/answer-limit.js';
import type { TxSimulatePipelineArgs, ViewCallArgs } from '../../generated/node-rpc-v1.js';
import type { BatchHead } from '../views/batched-calls.js';
import { expectEntries, invalidParams } from '../views/call-error.js';
import { resultJson } from '../views/call-result.js';
import { runViewCall } from '../views/run-view-call.js';
import { viewCallOf } from '../views/view-runner.js';
import { WorldState } from '../world-state.js';
import type { SimulationContext } from './simulation-context.js';
import type { Simulator } from './simulator.js';

interface StepEnd {
  /** The PipelineStepResult. */
  readonly json: string;
  readonly isSuccess: boolean;
  readonly gasUsed: bigint;
}

/**
 * Runs steps one after another; returns the JSON of the TxSimulatePipelineResult. A step sees the writes of earlier
 * transactions, but not of view calls, and the overrides of itself and of earlier steps.
 * @throws AnswerTooLongError at the step that makes the result too long
 */
export function pipelineJson(args: TxSimulatePipelineArgs, simulator: Simulator, head: BatchHead): string {
  const { steps, stop_on_failure: stops = false } = args;
  if (steps.length === 0) throw invalidParams('params.steps', 'at least one step', 'none');
  expectEntries('pipeline_steps', steps.length, simulator.parts.maxPipelineSteps);
  const scene = simulator.open(args, head);
  const results: string[] = [];
  let length = 0;
  let gasUsed = 0n;
  let failed: number | undefined;
  for (const [index, step] of steps.entries()) {
    const path = `params.steps[${index}].${step.type}`;
    if (step.value.at !== undefined) {
      const none =
        'none: a step runs on what the steps before it left; params.at says where the first begins';
      throw invalidParams(`${path}.at`, none, step.value.at.type);
    }
    if (failed !== undefined && stops) {
      results.push(`{"type":"skipped","value":"step ${failed} did not succeed"}`);
      continue;
    }
    scene.override(step.value, path);
    const end =
      step.type === 'tx'
        ? transactionStep(step.value, scene, simulator, path)
        : viewStep(step.value, scene, path);
    results.push(end.json);
    length += end.json.length;
    checkAnswerSize(length);
    gasUsed += end.gasUsed;
    simulator.parts.gas.deduct(end.gasUsed);
    if (!end.isSuccess) failed ??= index;
  }
  return `{"steps":[${results.join(',')}],"gas_used":${gasUsed},"height":${scene.block.env.height},"completed":${failed === undefined}}`;
}

function transactionStep(
  args: Parameters<Simulator['simulate']>[0],
  scene: SimulationContext,
  simulator: Simulator,
  path: string,
): StepEnd {
  const { simulated, json } = simulator.simulate(args, scene, {}, path);
  const { outcome, state } = simulated;
  scene.include(state, outcome.gasUsed);
  return {
    json: `{"type":"tx","value":${json}}`,
    isSuccess: outcome.outcome === 'success',
    gasUsed: outcome.gasUsed,
  };
}

function viewStep(args: ViewCallArgs, scene: SimulationContext, path: string): StepEnd {
  const { block, env, parts } = scene;
  const { machine, interfaces, gas } = parts;
  const gasLimit = gas.limitOf(args.gas_limit);
  const state = new WorldState(scene.source);
  const abiOf = (address: Uint8Array) => scene.abiOf(address, state);
  const context = { state, block, env, abiOf, interfaces, machine, gas };
  const ended = runViewCall(viewCallOf(args, gasLimit, path), context);
  return {
    json: `{"type":"view","value":${resultJson(ended)}}`,
    isSuccess: ended.outcome.status === 'success',
    gasUsed: ended.outcome.gasUsed,
  };
}
