import { Button } from '../../../app/base/controls/Button.tsx'
import { goTo } from '../../../app/session/run/playhead.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { isolated } from '../../../language/isolated.ts'
import { t } from '../../../language/translate.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { clock, count } from '../../../views/drawing/format.ts'
import type { Divergence, SeatsApart } from '../measure/divergence.ts'

/** Returns the instants at which two runs diverge, in order of time: in seats, and in jobs that have left. */
export function instantsOf({ seats, out }: Divergence): readonly Micros[] {
  return [seats, out].flatMap((difference) => (difference === null ? [] : [difference.time])).sort((a, b) => a - b)
}

/** Where a real run and its simulation diverge, in words, each with its number in the plot and a link to it. */
export function DivergenceNote({ scenario, divergence }: { readonly scenario: Scenario; readonly divergence: Divergence }) {
  const session = useSession()
  const { seats, out, tolerance } = divergence
  const places = [
    ...(seats === null ? [] : [{ time: seats.time, said: seatsSaid(scenario, seats) }]),
    ...(out === null
      ? []
      : [
          {
            time: out.time,
            said: t('{real} out, {simulated} predicted: for the first time more than {tolerance} apart.', {
              real: jobsSaid(out.real),
              simulated: count(out.simulated),
              tolerance: count(tolerance),
            }),
          },
        ]),
  ].sort((a, b) => a.time - b.time)
  return (
    <>
      <ol className="divergence" aria-label={t('First difference')}>
        {places.map(({ time, said }) => (
          <li key={said}>
            <span>{said}</span> <Button className="link" onClick={() => goTo(session, time)} text={t('Go to {time}', { time: clock(time) })} />
          </li>
        ))}
      </ol>
      <p className="soft">
        {seats === null && t('Their decisions set the same targets, one after the other. ')}
        {out === null && t('At no time has one of them let out over {tolerance} more jobs than the other. ', { tolerance: count(tolerance) })}
        {t(
          'The limit of {n, plural, one {# job} other {# jobs}} is what the workers of the simulation had in hand at most: further apart they are by more than a moment’s delay.',
          { n: tolerance },
        )}
      </p>
    </>
  )
}

function seatsSaid(scenario: Scenario, { real, simulated }: SeatsApart): string {
  const differing = stageNumbers(scenario).filter((s) => real?.seats[s] !== simulated?.seats[s])
  const said = (seats: readonly number[]) =>
    differing
      .slice(0, 4)
      .map((s) => `${isolated(scenario.stages[s].name)} ${count(seats[s])}`)
      .join(', ')
  if (real === null) return t('The simulation changes targets once more than the real run.')
  const now = t('Decision {decision} sets the targets {seats}', { decision: count(real.decision + 1), seats: said(real.seats) })
  return simulated === null
    ? t('{now}; the simulation changes no more targets.', { now })
    : t('{now}; the simulation had {seats} next.', { now, seats: said(simulated.seats) })
}

function jobsSaid(jobs: number): string {
  return t('{jobs, plural, one {# job} other {# jobs}}', { jobs })
}
