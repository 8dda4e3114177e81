import { useState } from 'react'
import type { Decision } from '../measures/decision.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { policies } from '../scheduler/policies.ts'
import { count } from '../views/format.ts'
import { stageColour } from '../views/palette.ts'
import { type NumberScale, numberScale, scaleFor } from '../views/scale.ts'
import { Swatch } from './Swatch.tsx'
import { currentPalette } from './theme.ts'

/** Rounds shown at once; a parliament of 256 has its table on request. */
const ROUNDS = 32

interface Shown {
  readonly scenario: Scenario
  readonly decision: Decision
}

/** How the seats were given out: round by round, or by quotas, or by no vote at all. */
export function DecisionRounds({ scenario, decision }: Shown) {
  if (decision.quotas !== null) return <Quotas scenario={scenario} decision={decision} quotas={decision.quotas} />
  if (decision.rounds.length > 0) return <Rounds scenario={scenario} decision={decision} />
  return <p className="soft note">{policies[decision.policy].name} shares seats without a vote: there are no rounds.</p>
}

function Rounds({ scenario, decision: { rounds, rule } }: Shown) {
  const [all, setAll] = useState(false)
  const palette = currentPalette()
  const { unit, text } = quotientScale(rule, rounds)
  const shown = all ? rounds : rounds.slice(0, ROUNDS)
  return (
    <section>
      <h3>
        Round by round <span className="unit">{unit}</span>
      </h3>
      <div className="wide-table">
        <table className="rounds">
          <thead>
            <tr>
              <th scope="col">Seat</th>
              <StageHeads scenario={scenario} />
            </tr>
          </thead>
          <tbody>
            {shown.map(({ quotients, winner, tied }, seat) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a round is its seat's number
              <tr key={seat}>
                <th scope="row">{seat + 1}</th>
                {scenario.stages.map(({ id }, s) => {
                  const colour = stageColour(palette, s)
                  const style = s === winner ? { background: colour.fill, color: colour.on } : undefined
                  const label = s === winner ? (tied.length > 0 ? 'wins a tie' : 'wins') : undefined
                  return (
                    <td key={id} style={style} className={s === winner ? 'won' : tied.includes(s) ? 'tied' : undefined}>
                      {text(quotients[s])}
                      {label !== undefined && <span className="unseen"> {label}</span>}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rounds.length > ROUNDS && (
        <button type="button" className="link" onClick={() => setAll(!all)}>
          {all ? 'Fewer rounds' : `All ${count(rounds.length)} rounds`}
        </button>
      )}
    </section>
  )
}

/** Quotients are times where they divide votes; jobs for the longest queue; and of powers only the ratio to the first seat's says anything. */
function quotientScale(rule: Decision['rule'], rounds: Decision['rounds']): NumberScale {
  const quotients = rounds.flatMap((round) => round.quotients)
  if (rule === 'longestQueue') return { ...numberScale(quotients), unit: 'jobs' }
  if (rule !== 'power') return scaleFor(quotients)
  const first = Math.max(...rounds[0].quotients.filter((quotient) => quotient >= 0))
  return { unit: 'of the first', text: (quotient) => numberScale([1]).text(first > 0 ? quotient / first : quotient) }
}

/** Under Hamilton's rule: whole parts first, then a seat each for the largest remainders. */
function Quotas({ scenario, decision: { stages, workers }, quotas }: Shown & { readonly quotas: readonly number[] }) {
  const { text } = numberScale(quotas)
  const seated = scenario.stages.map(({ id }, s) => ({ id, quota: quotas[s], seats: stages[s].seatsAfter }))
  return (
    <section>
      <h3>
        Quotas <span className="unit">of {count(workers)} seats</span>
      </h3>
      <div className="wide-table">
        <table className="rounds">
          <thead>
            <tr>
              <th scope="col">
                <span className="unseen">Step</span>
              </th>
              <StageHeads scenario={scenario} />
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">Quota</th>
              {seated.map(({ id, quota }) => (
                <td key={id}>{text(quota)}</td>
              ))}
            </tr>
            <tr>
              <th scope="row">Whole</th>
              {seated.map(({ id, quota, seats }) => (
                <td key={id}>{Number.isNaN(quota) ? '–' : Math.min(seats, Math.floor(quota + 1e-9))}</td>
              ))}
            </tr>
            <tr>
              <th scope="row">Rest</th>
              {seated.map(({ id, quota, seats }, s) => {
                const more = Number.isNaN(quota) ? 0 : seats - Math.min(seats, Math.floor(quota + 1e-9))
                const colour = stageColour(currentPalette(), s)
                return (
                  <td key={id} className={more > 0 ? 'won' : undefined} style={more > 0 ? { background: colour.fill, color: colour.on } : undefined}>
                    {more > 0 ? `+${more}` : ''}
                  </td>
                )
              })}
            </tr>
          </tbody>
        </table>
      </div>
    </section>
  )
}

function StageHeads({ scenario }: { readonly scenario: Scenario }) {
  return scenario.stages.map(({ id, name }, s) => (
    <th scope="col" key={id} title={name}>
      <Swatch stage={s} />
      <span className="unseen">{name}</span>
    </th>
  ))
}
