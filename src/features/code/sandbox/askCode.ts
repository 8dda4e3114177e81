import { createSimulation } from '../../../engine/simulation/simulation.ts'
import type { Journal } from '../../../pipeline/journal.ts'
import { record } from '../../../runs/play/play.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import {
  askCodeOnce,
  type CodeExplanation,
  type CodeView,
  needsCode,
  recordFirstView,
  type StartedCode,
} from '../../../scheduler/codePolicy.ts'
import { createReplayer, takePiece } from '../../replay/study/replay.ts'
import { loadCode } from './loadCode.ts'

/** The answer of the code to one decision, with an empty memory. */
export interface CodeAnswer {
  readonly view: CodeView
  /** By stage; null if there is a problem. */
  readonly seats: readonly number[] | null
  readonly problem: string | null
  readonly words: CodeExplanation | null
}

/** Runs the code of a scenario on a decision; null: the first of a run. Returns null where a run has no decision. */
export async function askAboutDecision(scenario: Scenario, decision: CodeView | null): Promise<CodeAnswer | null> {
  const { policy } = scenario
  const view = decision ?? (await firstView(scenario))
  if (view === null || policy.kind !== 'code') return null
  const code = (await loadCode())(policy, scenario)
  const answer = askCodeOnce(view, code)
  if (typeof answer === 'string') return { view, seats: null, problem: answer, words: null }
  return { view, seats: answer, problem: null, words: code.describe(view.workers) }
}

/** Returns the first view that the code would get: plays the scenario up to its first decision. */
async function firstView(scenario: Scenario): Promise<CodeView | null> {
  let first: CodeView | null = null
  const watch = recordFirstView((view) => {
    first = view
  })
  const simulation = createSimulation(undefined, undefined, async () => watch)
  await record(simulation, 'simulation', scenario, 0)
  return first
}

/**
 * Returns the explanation that the code gives for decision `d` of a run; null if it gives none. `journal` is the record up to that decision. It is
 * replayed, because the memory of the code depends on all earlier decisions.
 */
export async function explainDecision(
  scenario: Scenario,
  journal: Journal,
  d: number,
): Promise<CodeExplanation | null> {
  const start = needsCode(scenario) ? await loadCode() : undefined
  if (start === undefined) return null
  let words: CodeExplanation | null = null
  const describing = (code: StartedCode): StartedCode => ({
    ...code,
    decide() {
      const workers = code.numbers[0]
      const problem = code.decide()
      if (problem === null && replayer.decisions === d) words = code.describe(workers)
      return problem
    },
  })
  const replayer = createReplayer(scenario, undefined, (policy, at) => describing(start(policy, at)))
  takePiece(replayer, journal)
  return words
}
