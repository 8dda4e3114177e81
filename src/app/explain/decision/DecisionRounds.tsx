import { type ReactNode, useState } from 'react'
import { t } from '../../../language/translate.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import { count } from '../../../views/drawing/format.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import { numberScale, quotientScale } from '../../../views/drawing/scale.ts'
import { Button } from '../../base/controls/Button.tsx'
import { Fold } from '../../base/controls/Fold.tsx'
import { currentPalette } from '../../base/page/theme.ts'
import { StageTable } from '../../base/ui/Table.tsx'
import { Words } from '../../base/words/Words.tsx'
import type { DecisionProps } from './DecisionVotes.tsx'

/** At most this many rounds, and cells in them, are shown at first. All rounds of a large parliament are shown on request. */
const ROUNDS = 32
const CELLS = 2048

/** How the seats were given: round by round, or by quotas or pressures. Nothing if the policy sets targets without a vote. */
export function DecisionRounds({ scenario, decision }: DecisionProps) {
  if (decision.quotas !== null) return <Quotas scenario={scenario} decision={decision} quotas={decision.quotas} />
  if (decision.pressures !== null)
    return <Pressures scenario={scenario} decision={decision} pressures={decision.pressures} />
  if (decision.rounds.length > 0) return <Rounds scenario={scenario} decision={decision} />
  return null
}

function Rounds({ scenario, decision }: DecisionProps) {
  const [all, setAll] = useState(false)
  const { rounds } = decision
  const { unit, text } = quotientScale(scenario, decision)
  const shownRounds = Math.min(ROUNDS, Math.ceil(CELLS / scenario.stages.length))
  const lines = (all ? rounds : rounds.slice(0, shownRounds)).map(({ quotients, winner, tied }, seat) => ({
    name: `${seat + 1}`,
    cells: quotients.map(text),
    won: (s: number) => s === winner,
    label: tied.length > 0 ? t('wins a tie') : t('wins'),
    tied,
  }))
  return (
    <Lines
      title={t('How the seats were given')}
      unit={unit}
      head={<Words text={t('Seat')} />}
      scenario={scenario}
      lines={lines}
    >
      {rounds.length > shownRounds && (
        <Button
          className="link"
          onClick={() => setAll(!all)}
          text={all ? t('Fewer rounds') : t('All {length} rounds', { length: count(rounds.length) })}
        />
      )}
    </Lines>
  )
}

/** Hamilton's rule: the whole parts first, then a seat each for the largest remainders. */
function Quotas({
  scenario,
  decision: { stages, workers },
  quotas,
}: DecisionProps & { readonly quotas: readonly number[] }) {
  const { text } = numberScale(quotas)
  // A little is added: a quota of exactly three may come out as 2.9999999999999996.
  const wholeSeats = quotas.map((quota, s) => Math.min(stages[s].seatsAfter, Math.floor(quota + 1e-9)))
  const more = stages.map(({ seatsAfter }, s) => seatsAfter - wholeSeats[s])
  return (
    <Lines
      title={t('Quotas')}
      unit={t('of {workers, plural, one {# seat} other {# seats}}', { workers })}
      scenario={scenario}
      lines={[
        { name: t('Quota'), cells: quotas.map(text) },
        { name: t('Whole'), cells: wholeSeats.map(count) },
        { name: t('Rest'), cells: more.map((seats) => (seats > 0 ? `+${seats}` : '')), won: (s) => more[s] > 0 },
      ]}
    />
  )
}

/** Backpressure: seats go to the greatest pressure until that stage is served, then to the next. */
function Pressures({
  scenario,
  decision: { stages },
  pressures,
}: DecisionProps & { readonly pressures: readonly number[] }) {
  const perSecond = pressures.map((pressure) => pressure * 1e6)
  const { text } = numberScale(perSecond.map(Math.abs))
  return (
    <Lines
      title={t('Pressure')}
      unit={t('jobs × rate')}
      scenario={scenario}
      lines={[
        { name: t('Longer by'), cells: pressures.map((pressure, s) => count(Math.round(pressure * stages[s].mean))) },
        { name: t('Times rate'), cells: perSecond.map(text), won: (s) => stages[s].seatsAfter > 0 },
      ]}
    />
  )
}

interface LinesProps extends Pick<DecisionProps, 'scenario'> {
  readonly title: string
  readonly unit: string
  /** The heading of the first column. */
  readonly head?: ReactNode
  /** The rows. A cell that is won has the colour of its stage; `label` tells it to screen readers. */
  readonly lines: readonly {
    readonly name: string
    readonly cells: readonly string[]
    readonly won?: (stage: number) => boolean
    readonly tied?: readonly number[]
    readonly label?: string
  }[]
  readonly children?: ReactNode
}

/** A table with a column for each stage and a row for each seat or figure. */
function Lines({ title, unit, head, scenario, lines, children }: LinesProps) {
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
      <StageTable
        label={title}
        scenario={scenario}
        head={head ?? <span className="unseen">{t('Figure')}</span>}
        className="rounds"
      >
        {lines.map(({ name, cells, won, tied, label }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {order.map((s) => {
              const { fill, on } = stageColour(currentPalette(), s)
              const marked = won?.(s) === true
              return (
                <td
                  key={s}
                  style={marked ? { background: fill, color: on } : undefined}
                  className={marked ? 'won' : tied?.includes(s) ? 'tied' : undefined}
                >
                  {cells[s]}
                  {marked && label !== undefined && <span className="unseen"> {label}</span>}
                </td>
              )
            })}
          </tr>
        ))}
      </StageTable>
      {children}
    </Fold>
  )
}
