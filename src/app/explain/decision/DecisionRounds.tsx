import { useState } from 'react'
import { t } from '../../../language/translate.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { count } from '../../../views/drawing/format.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import { numberScale, quotientScale } from '../../../views/drawing/scale.ts'
import { Button } from '../../base/controls/Button.tsx'
import { Fold } from '../../base/controls/Fold.tsx'
import { currentPalette } from '../../base/page/theme.ts'
import { StageTable } from '../../base/ui/Table.tsx'
import type { DecisionProps } from './decisionProps.ts'

/** The most rounds, and cells in them, that are shown at first. All rounds of a large parliament are shown on request. */
const ROUNDS = 32
const CELLS = 2048

/** How the seats were given: round by round, or by quotas or pressures. Nothing if the policy sets targets without a vote. */
export function DecisionRounds({ scenario, decision }: DecisionProps) {
  if (decision.quotas !== null) return <Quotas scenario={scenario} decision={decision} quotas={decision.quotas} />
  if (decision.pressures !== null) return <Pressures scenario={scenario} decision={decision} pressures={decision.pressures} />
  if (decision.rounds.length > 0) return <Rounds scenario={scenario} decision={decision} />
  return null
}

function Rounds({ scenario, decision }: DecisionProps) {
  const [all, setAll] = useState(false)
  const palette = currentPalette()
  const { rounds } = decision
  const { unit, text } = quotientScale(scenario, decision)
  const most = Math.min(ROUNDS, Math.ceil(CELLS / scenario.stages.length))
  const shown = all ? rounds : rounds.slice(0, most)
  const line = stageNumbers(scenario)
  return (
    <Fold
      id="rounds"
      head={
        <h3>
          {t('How the seats were given')} <span className="unit">{unit}</span>
        </h3>
      }
    >
      <StageTable label={t('How the seats were given')} scenario={scenario} head={t('Seat')} className="rounds">
        {shown.map(({ quotients, winner, tied }, seat) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a round is its seat's number
          <tr key={seat}>
            <th scope="row">{seat + 1}</th>
            {line.map((s) => {
              const colour = stageColour(palette, s)
              const style = s === winner ? { background: colour.fill, color: colour.on } : undefined
              const label = s === winner ? (tied.length > 0 ? t('wins a tie') : t('wins')) : undefined
              return (
                <td key={s} style={style} className={s === winner ? 'won' : tied.includes(s) ? 'tied' : undefined}>
                  {text(quotients[s])}
                  {label !== undefined && <span className="unseen"> {label}</span>}
                </td>
              )
            })}
          </tr>
        ))}
      </StageTable>
      {rounds.length > most && (
        <Button className="link" onClick={() => setAll(!all)} text={all ? t('Fewer rounds') : t('All {length} rounds', { length: count(rounds.length) })} />
      )}
    </Fold>
  )
}

/** Hamilton's rule: the whole parts first, then a seat each for the largest remainders. */
function Quotas({ scenario, decision: { stages, workers }, quotas }: DecisionProps & { readonly quotas: readonly number[] }) {
  const { text } = numberScale(quotas)
  // A little is added: a quota of exactly three may come out as 2.9999999999999996.
  const wholes = quotas.map((quota, s) => Math.min(stages[s].seatsAfter, Math.floor(quota + 1e-9)))
  const more = stages.map(({ seatsAfter }, s) => seatsAfter - wholes[s])
  return (
    <Lines
      title={t('Quotas')}
      unit={t('of {workers, plural, one {# seat} other {# seats}}', { workers })}
      scenario={scenario}
      lines={[
        [t('Quota'), quotas.map(text)],
        [t('Whole'), wholes.map(count)],
        [t('Rest'), more.map((seats) => (seats > 0 ? `+${seats}` : ''))],
      ]}
      won={more.map((seats) => seats > 0)}
    />
  )
}

/** Backpressure: seats go to the greatest pressure until that stage is served, then to the next. */
function Pressures({ scenario, decision: { stages }, pressures }: DecisionProps & { readonly pressures: readonly number[] }) {
  const perSecond = pressures.map((pressure) => pressure * 1e6)
  const { text } = numberScale(perSecond.map(Math.abs))
  return (
    <Lines
      title={t('Pressure upon the next queue')}
      unit={t('jobs × rate')}
      scenario={scenario}
      lines={[
        [t('Longer by'), pressures.map((pressure, s) => count(Math.round(pressure * stages[s].mean)))],
        [t('Times rate'), perSecond.map(text)],
      ]}
      won={stages.map(({ seatsAfter }) => seatsAfter > 0)}
    />
  )
}

interface LinesProps {
  readonly title: string
  readonly unit: string
  readonly scenario: Scenario
  readonly lines: readonly (readonly [name: string, cells: readonly string[]])[]
  /** By stage, whether its cell in the last row has its colour. */
  readonly won: readonly boolean[]
}

/** A table with a column for each stage and a row for each figure. */
function Lines({ title, unit, scenario, lines, won }: LinesProps) {
  const palette = currentPalette()
  const order = stageNumbers(scenario)
  return (
    <Fold
      id="rounds"
      head={
        <h3>
          {title} <span className="unit">{unit}</span>
        </h3>
      }
    >
      <StageTable label={title} scenario={scenario} head={<span className="unseen">{t('Figure')}</span>} className="rounds">
        {lines.map(([name, cells], line) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {order.map((s) => {
              const marked = line === lines.length - 1 && won[s]
              const { fill, on } = stageColour(palette, s)
              return (
                <td key={s} className={marked ? 'won' : undefined} style={marked ? { background: fill, color: on } : undefined}>
                  {cells[s]}
                </td>
              )
            })}
          </tr>
        ))}
      </StageTable>
    </Fold>
  )
}
