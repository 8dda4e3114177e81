import type { Divergence, SeatsApart } from '../measures/divergence.ts'
import { lineNumbers } from '../scenario/line.ts'
import type { Micros, Scenario } from '../scenario/scenario.ts'
import { clock, count } from '../views/format.ts'
import { goTo } from './keys.ts'

/** The instants at which two runs part, in order of time: of the seats, and of the jobs that have left. */
export function instantsOf({ seats, out }: Divergence): readonly Micros[] {
  return [seats, out].flatMap((parting) => (parting === null ? [] : [parting.time])).sort((a, b) => a - b)
}

/** Where a real run and its simulation part, in words, each with its number in the plot and a way there. */
export function DivergenceNote({ scenario, divergence }: { readonly scenario: Scenario; readonly divergence: Divergence }) {
  const { seats, out, tolerance } = divergence
  const places = [
    ...(seats === null ? [] : [{ time: seats.time, said: seatsSaid(scenario, seats) }]),
    ...(out === null
      ? []
      : [
          {
            time: out.time,
            said: `${jobsSaid(out.real)} out, ${count(out.simulated)} foretold: for the first time more than ${count(tolerance)} apart.`,
          },
        ]),
  ].sort((a, b) => a.time - b.time)
  return (
    <>
      <ol className="divergence" aria-label="Where they part">
        {places.map(({ time, said }) => (
          <li key={said}>
            <span>{said}</span>{' '}
            <button type="button" className="link" onClick={() => goTo(time)}>
              Go to {clock(time)}
            </button>
          </li>
        ))}
      </ol>
      <p className="soft">
        {seats === null && 'Their decisions give the same seats, one after the other. '}
        {out === null && `At no time has one of them let out over ${count(tolerance)} more jobs than the other. `}
        The limit of {jobsSaid(tolerance)} is what the workers of the simulation had in hand at most: further apart they are by more than a moment’s delay.
      </p>
    </>
  )
}

function seatsSaid(scenario: Scenario, { real, simulated }: SeatsApart): string {
  const differing = lineNumbers(scenario).filter((s) => real?.seats[s] !== simulated?.seats[s])
  const said = (seats: readonly number[]) =>
    differing
      .slice(0, 4)
      .map((s) => `${scenario.stages[s].name} ${count(seats[s])}`)
      .join(', ')
  if (real === null) return 'The simulation moves seats once more than the real run.'
  const now = `Decision ${count(real.decision + 1)} gives ${said(real.seats)}`
  return simulated === null ? `${now}; the simulation moves no seat any more.` : `${now}; foretold next was ${said(simulated.seats)}.`
}

function jobsSaid(jobs: number): string {
  return `${count(jobs)} ${jobs === 1 ? 'job' : 'jobs'}`
}
