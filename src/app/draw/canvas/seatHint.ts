import { isolated, t } from '../../../language/translate.ts'
import { type Decision, decisionAt } from '../../../measures/decisions/decision.ts'
import { estimateHistoryOf } from '../../../measures/decisions/estimateHistory.ts'
import { isPresent } from '../../../measures/frame/frame.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import { kindName } from '../../../scenario/model/policies.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { scenarioAtPhase } from '../../../scenario/model/schedule.ts'
import { count } from '../../../views/drawing/format.ts'
import { quotientScale } from '../../../views/drawing/scale.ts'
import type { SeatAt } from '../../../views/parliament/parliament.ts'
import type { Scene } from '../../session/page/painter.ts'

/**
 * Returns the lines of a tooltip about a seat of the half circle: its number and stage, what won it, and where its worker is. Seats that
 * were won round by round have the number of their round, as in the table of the decision; others count from the left.
 */
export function seatHint(scene: Scene | null, { stage: place, at, nth, each, filled, from }: SeatAt): string[] {
  if (scene === null) return [t('No stage has it.')]
  const { run, frame } = scene
  const { scenario } = run
  const all = frame.workers.filter(isPresent).length
  const title = (first: number, last: number) =>
    t('Seat {n} of {all}', { n: first < last ? `${count(first)}–${count(last)}` : count(first), all: count(all) })
  const dots = title(at + 1, Math.min(all, at + each))
  if (place < 0) return [dots, t('No stage has it.')]
  const order = stageNumbers(scenario)
  const stage = order[place]
  const name = isolated(scenario.stages[stage].name)
  if (each > 1) {
    // A dot stands for several seats, which are not named one by one.
    const { seats, staffed, busy } = frame.stages[stage]
    const counts = { seats: count(seats), staffed: count(staffed), busy: count(busy) }
    return [dots, t('{name}: target {seats}, {staffed} workers, {busy} busy', { name, ...counts })]
  }
  const decision = frame.decision < 0 ? null : decisionAt(run.trace, estimateHistoryOf(run.trace), frame.decision)
  const round = decision === null ? -1 : roundOf(decision, stage, nth)
  const number = (round < 0 ? at : round) + 1
  const lines = [`${title(number, number)}: ${name}`]
  if (decision !== null) lines.push(wonBy(decision, round, scenarioAtPhase(scenario, decision.phase)))
  if (!filled && from < 0) lines.push(t('No worker has come yet.'))
  else if (!filled)
    lines.push(t('Its worker is still at {stage}.', { stage: isolated(scenario.stages[order[from]].name) }))
  return lines
}

/** Returns the round in which a stage won its `nth` seat; -1 if there was none. */
function roundOf({ rounds }: Decision, stage: number, nth: number): number {
  let won = -1
  return rounds.findIndex(({ winner }) => {
    if (winner === stage) won++
    return winner === stage && won === nth
  })
}

function wonBy(decision: Decision, round: number, scenario: Scenario): string {
  if (round < 0) return t('Target set by: {policy}', { policy: kindName(decision.policy, scenario.policy) })
  const { winner, quotients, tied } = decision.rounds[round]
  const { text, unit } = quotientScale(scenario, decision)
  const quotient = `${text(quotients[winner])} ${unit}`.trim()
  return tied.length > 0 ? t('Won a tie at {quotient}', { quotient }) : t('Quotient {quotient}', { quotient })
}
