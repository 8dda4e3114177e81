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
  if (scene === null)
    return [
      t('Seat {n}', { n: each > 1 ? `${count(at + 1)}–${count(at + each)}` : count(at + 1) }),
      t('No stage has it.'),
    ]
  const { run, frame } = scene
  const { scenario } = run
  const order = stageNumbers(scenario)
  const nameOf = (stage: number) => isolated(scenario.stages[order[stage]].name)
  const all = count(frame.workers.filter(isPresent).length)
  if (each > 1) return dotHint(scene, place, at, each)
  if (place < 0) return [t('Seat {n} of {all}', { n: count(at + 1), all }), t('No stage has it.')]
  const decision = frame.decision < 0 ? null : decisionAt(run.trace, estimateHistoryOf(run.trace), frame.decision)
  const round = decision === null ? -1 : roundOf(decision, order[place], nth)
  const named = `${t('Seat {n} of {all}', { n: count((round < 0 ? at : round) + 1), all })}: ${nameOf(place)}`
  const comes = filled
    ? []
    : [from < 0 ? t('No worker has come yet.') : t('Its worker is still at {stage}.', { stage: nameOf(from) })]
  return [
    named,
    ...(decision === null ? [] : [wonBy(decision, round, scenarioAtPhase(scenario, decision.phase))]),
    ...comes,
  ]
}

/** Returns the same for a dot that stands for several seats. They are not named one by one. */
function dotHint({ run, frame }: Scene, place: number, at: number, each: number): string[] {
  const workers = frame.workers.filter(isPresent).length
  const dot = t('Seat {n} of {all}', {
    n: `${count(at + 1)}–${count(Math.min(workers, at + each))}`,
    all: count(workers),
  })
  if (place < 0) return [dot, t('No stage has it.')]
  const stage = stageNumbers(run.scenario)[place]
  const { seats, staffed, busy } = frame.stages[stage]
  const name = isolated(run.scenario.stages[stage].name)
  return [
    dot,
    t('{name}: target {seats}, {staffed} workers, {busy} busy', {
      name,
      seats: count(seats),
      staffed: count(staffed),
      busy: count(busy),
    }),
  ]
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
