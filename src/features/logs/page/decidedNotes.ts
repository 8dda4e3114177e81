import type { TimelineNotes } from '../../../app/session/page/timelineStore.ts'
import type { Run } from '../../../app/session/run/runStore.ts'
import type { Session } from '../../../app/session/session.ts'
import { t } from '../../../language/translate.ts'
import { sentenceText } from '../../../measures/decisions/speech.ts'
import { appendMark, createMarks, type Marks } from '../../../measures/series/marks.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { clock, count } from '../../../views/drawing/format.ts'
import type { TimeRange } from '../../../views/timeline/timelineRange.ts'
import { decisionSentence } from '../measure/openLoop.ts'
import type { OtherDecision } from '../read/decisions.ts'
import { logStore, type ShownLog } from './logStore.ts'

/** The decisions of the system's own scheduler on the axis of a run of its pipeline. */
export interface DecidedDuring {
  readonly decisions: readonly OtherDecision[]
  readonly marks: Marks
}

const found = new WeakMap<Run, { readonly shown: ShownLog; readonly during: DecidedDuring | null }>()

/** Returns the decisions beside the log that is shown, if the run is that of the log or plays a scenario of it; null for other runs. */
export function decidedDuring(session: Session, run: Run): DecidedDuring | null {
  const { shown } = logStore(session).getState()
  if (shown === null || shown.decided === undefined) return null
  const kept = found.get(run)
  if (kept?.shown === shown) return kept.during
  const during = shown.run === run ? shown.decided : inScenario(shown, shown.decided.decisions, run.scenario)
  found.set(run, { shown, during })
  return during
}

/** Returns the decisions on the axis of a scenario that was made of a log: of its stages, from when its part begins. */
function inScenario(
  { log, opened }: ShownLog,
  decisions: readonly OtherDecision[],
  { stages }: Scenario,
): DecidedDuring | null {
  const stageOf = log.points.log.stages.map((name) => stages.findIndex((stage) => stage.name === name))
  if (opened === undefined || stageOf.includes(-1)) return null
  const later = decisions.flatMap((decision) =>
    decision.time < opened ? [] : [{ ...decision, time: decision.time - opened, stage: stageOf[decision.stage] }],
  )
  const marks = createMarks()
  for (const { time } of later) appendMark(marks, time)
  return { decisions: later, marks }
}

/** Returns what the timeline notes at a run: the decisions of the system's own scheduler; null: none are known. */
export function notesOf(session: Session, run: Run): TimelineNotes | null {
  const during = decidedDuring(session, run)
  if (during === null) return null
  const { marks, decisions } = during
  return { name: t('YOUR OWN'), marks, tell: (range) => decisionLines(run.scenario, decisions, range) }
}

/** How many decisions a tooltip tells. */
const MAX_TOLD = 6

/** Returns what was decided in a short time, as the lines of a tooltip; null: nothing. */
export function decisionLines(
  scenario: Pick<Scenario, 'stages'>,
  decisions: readonly OtherDecision[],
  [from, to]: TimeRange,
): string[] | null {
  const there = decisions.filter(({ time }) => time >= from && time <= to)
  const more = there.length > MAX_TOLD ? [t('and {more} more', { more: count(there.length - MAX_TOLD) })] : []
  const lines = there
    .slice(0, MAX_TOLD)
    .map((decision) => `${clock(decision.time)}: ${sentenceText(decisionSentence(scenario, decision))}`)
  return lines.length === 0 ? null : [...lines, ...more]
}
