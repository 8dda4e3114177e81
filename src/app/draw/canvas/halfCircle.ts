import { t } from '../../../language/translate.ts'
import { isPresent } from '../../../measures/frame/frame.ts'
import { longestHeld } from '../../../measures/series/steps.ts'
import { unplacedIn } from '../../../measures/workers/ways.ts'
import { isElastic } from '../../../scenario/model/defaults.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import { policyName } from '../../../scenario/model/policies.ts'
import { clock } from '../../../views/drawing/format.ts'
import type { ParliamentData } from '../../../views/parliament/parliament.ts'
import type { Scene } from '../../session/page/painter.ts'
import { playback, shownLength } from '../../session/run/playback.ts'
import type { Session } from '../../session/session.ts'

type Seats = Pick<ParliamentData, 'seats' | 'staffed' | 'note'>

/** Nobody can follow targets that change more than once in this time. */
const STEADY_MS = 333
/** How long a change of policy stays in the half circle of a picture in motion. */
const POLICY_NOTE_MS = 2000

/** Returns what the half circle shows of a run; `timed`: with the time. */
export function halfCircleOf(session: Session, scene: Scene, timed: boolean): Omit<ParliamentData, 'palette'> {
  const { run, frame } = scene
  const order = stageNumbers(run.scenario)
  const workers = frame.workers.filter(isPresent).length
  const exact: Seats = {
    seats: order.map((s) => frame.stages[s].seats),
    staffed: order.map((s) => frame.stages[s].staffed),
    note: '',
  }
  const steady = steadySeats(session, scene, order, exact)
  return {
    ...(steady ?? exact),
    workers,
    colourIndex: order,
    unplaced: unplacedIn(frame).map((w) => w + 1),
    note: policyNote(session, scene) ?? steady?.note ?? '',
    caption: t('{n, plural, one {worker} other {workers}}', { n: workers }) + (timed ? ` · ${clock(frame.time)}` : ''),
  }
}

/** Returns the targets that held longest in a third of a second of the screen, if several held in that time; else null. */
function steadySeats(
  session: Session,
  { run, frame, live, end }: Scene,
  order: readonly number[],
  { staffed }: Seats,
): Seats | null {
  if (!playback(session).playing || isElastic(run.scenario.policy)) return null
  const length = shownLength(session, STEADY_MS)
  // A growing record lacks the rest of the current third, so the third before is used.
  const from = (Math.floor(frame.time / length) - (live ? 1 : 0)) * length
  const to = Math.min(from + length, end)
  if (from < 0 || to <= from) return null
  const { values, changes } = longestHeld(
    order.map((s) => run.chart.seats[s]),
    from,
    to,
  )
  if (changes < 2) return null
  // While workers have no stage yet, the same seats stay empty.
  let missing = unplacedIn(frame).length
  const filled = values.map((seats, k) => {
    const missingHere = Math.min(missing, Math.max(0, seats - staffed[k]))
    missing -= missingHere
    return seats - missingHere
  })
  return { seats: values, staffed: filled, note: t('longest targets in ⅓ s') }
}

/** Returns the policy that took over a short while ago; null: none did. */
function policyNote(session: Session, { run, frame }: Scene): string | null {
  if (frame.phase === 0) return null
  const { at, policy } = run.scenario.later[frame.phase - 1]
  const { playing } = playback(session)
  if (playing && frame.time > at + shownLength(session, POLICY_NOTE_MS)) return null
  return policy === undefined
    ? t('new settings since {time}', { time: clock(at) })
    : t('{policy} since {time}', { policy: policyName(policy), time: clock(at) })
}
