import { longestHeld } from '../../../measures/series/steps.ts'
import { isElastic } from '../../../scenario/model/defaults.ts'
import type { Scene } from '../../session/page/painter.ts'
import { playback, shownLength } from '../../session/run/playback.ts'
import type { Session } from '../../session/session.ts'

/** Nobody can follow targets that change more than once in this time. */
const STEADY_MS = 333

/** Returns the target of each stage: in motion those that held longest in a third of a second of the screen, if several held in that time. */
export function steadyTargets(session: Session, { run, frame, live, end }: Scene): readonly number[] {
  const exact = frame.stages.map(({ seats }) => seats)
  if (!playback(session).playing || isElastic(run.scenario.policy)) return exact
  const length = shownLength(session, STEADY_MS)
  // A growing record lacks the rest of the current third, so the third before is used.
  const from = (Math.floor(frame.time / length) - (live ? 1 : 0)) * length
  const to = Math.min(from + length, end)
  if (from < 0 || to <= from) return exact
  const { values, changes } = longestHeld(run.chart.seats, from, to)
  return changes < 2 ? exact : values
}
