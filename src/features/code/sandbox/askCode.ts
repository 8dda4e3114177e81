import { createSimulation } from '../../../engine/simulation/simulation.ts'
import type { Journal } from '../../../pipeline/journal.ts'
import { record } from '../../../runs/play/record.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { askCodeOnce, type CodeView, type CodeWords, needsCode, overhearing, type StartedCode } from '../../../scheduler/codePolicy.ts'
import { createReplayer, takePiece } from '../../replay/study/replay.ts'
import { loadCode } from './loadCode.ts'

/** What code answers that is asked about one decision, with an empty memory. */
export interface CodeAnswer {
  readonly view: CodeView
  /** By stage; null if something is wrong. */
  readonly seats: readonly number[] | null
  readonly problem: string | null
  readonly words: CodeWords | null
}

/** Asks the code of a scenario about a decision; null: the first of a run of the scenario. Returns null where a run takes no decision. */
export async function askAboutDecision(scenario: Scenario, decision: CodeView | null): Promise<CodeAnswer | null> {
  const { policy } = scenario
  const view = decision ?? (await firstView(scenario))
  if (view === null || policy.kind !== 'code') return null
  const code = (await loadCode())(policy, scenario)
  const answer = askCodeOnce(view, code)
  if (typeof answer === 'string') return { view, seats: null, problem: answer, words: null }
  return { view, seats: answer, problem: null, words: code.describe(view.workers) }
}

/** Returns what code would be told first: plays the scenario up to its first decision. */
async function firstView(scenario: Scenario): Promise<CodeView | null> {
  let seen: CodeView | null = null
  const watch = overhearing((view) => {
    seen = view
  })
  await record(
    createSimulation(undefined, undefined, async () => watch),
    'simulation',
    scenario,
    0,
  )
  return seen
}

/**
 * Returns what code says of decision `d` of a run; null if it says nothing. `journal` is the record up to that decision, and is played again,
 * since the memory of the code is that of all decisions before.
 */
export async function wordsOnDecision(scenario: Scenario, journal: Journal, d: number): Promise<CodeWords | null> {
  const start = needsCode(scenario) ? await loadCode() : undefined
  if (start === undefined) return null
  let words: CodeWords | null = null
  const overheard = (code: StartedCode): StartedCode => ({
    ...code,
    decide() {
      const workers = code.numbers[0]
      const problem = code.decide()
      if (problem === null && replayer.decisions === d) words = code.describe(workers)
      return problem
    },
  })
  const replayer = createReplayer(scenario, undefined, (policy, at) => overheard(start(policy, at)))
  takePiece(replayer, journal)
  return words
}
