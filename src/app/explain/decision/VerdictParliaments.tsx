import { useMemo } from 'react'
import { isolated } from '../../../language/isolated.ts'
import { t } from '../../../language/translate.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import { count } from '../../../views/drawing/format.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import { type ParliamentLayout, parliamentLayout, seatDots, smallParliament } from '../../../views/parliament/seats.ts'
import { currentPalette } from '../../base/page/theme.ts'
import type { DecisionProps } from './decisionProps.ts'

const WIDTH = 92
const HEIGHT = 46

interface Props extends DecisionProps {
  /** The rules with their names; the decision's own comes first. */
  readonly verdicts: readonly { readonly name: string; readonly seats: readonly number[] }[]
}

/** The same votes under one rule after another: a small half circle each, marked with how many seats would move. */
export function VerdictParliaments({ scenario, decision: { stages, workers }, verdicts }: Props) {
  const order = stageNumbers(scenario)
  const { dots, each } = seatDots(Math.max(1, workers), [])
  const layout = useMemo(() => parliamentLayout(dots, WIDTH, HEIGHT), [dots])
  return (
    <>
      <ul className="parliaments">
        {verdicts.map(({ name, seats }) => {
          const apart = stages.reduce((sum, { seatsAfter }, s) => sum + Math.abs(seatsAfter - seats[s]), 0)
          const moved = Math.ceil(apart / 2)
          const said = order.map((s) => `${isolated(scenario.stages[s].name)} ${seats[s]}`).join(', ')
          return (
            <li key={name} className={apart > 0 ? 'differs' : undefined}>
              <SmallHalfCircle
                layout={layout}
                seats={seatDots(Math.max(1, workers), seats).seats}
                order={order}
                apart={moved}
                label={`${name}: ${said}; ${moved === 0 ? t('the same') : t('{moved} elsewhere', { moved })}`}
              />
              <span aria-hidden="true">{name}</span>
            </li>
          )
        })}
      </ul>
      {each > 1 && <p className="soft">{t('A dot is {each} workers.', { each: count(each) })}</p>}
    </>
  )
}

interface HalfCircle {
  readonly layout: ParliamentLayout
  readonly seats: readonly number[]
  readonly order: readonly number[]
  readonly apart: number
  readonly label: string
}

function SmallHalfCircle({ layout, seats, order, apart, label }: HalfCircle) {
  const palette = currentPalette()
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT}>
      {smallParliament(layout, seats, order).map(({ stage, path }) => (
        <path key={stage} d={path} {...(stage < 0 ? { fill: 'none', stroke: palette.soft } : { fill: stageColour(palette, stage).fill })} />
      ))}
      {apart > 0 && (
        <text x={WIDTH / 2} y={HEIGHT - 4} textAnchor="middle" fontSize="13" fontWeight="700" fill={palette.accent}>
          {apart}
        </text>
      )}
    </svg>
  )
}
