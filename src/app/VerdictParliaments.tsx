import type { Decision } from '../measures/decision.ts'
import { lineNumbers } from '../scenario/line.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { stageColour } from '../views/palette.ts'
import { smallParliament } from '../views/smallParliament.ts'
import { currentPalette } from './theme.ts'

const WIDTH = 92
const HEIGHT = 46

interface Props {
  readonly scenario: Scenario
  readonly decision: Decision
  /** The rules, each with what people call it; the decision's own first. */
  readonly verdicts: readonly { readonly name: string; readonly seats: readonly number[] }[]
}

/** The same votes, shared out by one rule after another: a small half circle each, those that differ marked with how many seats they would move. */
export function VerdictParliaments({ scenario, decision: { stages, workers }, verdicts }: Props) {
  const order = lineNumbers(scenario)
  return (
    <ul className="parliaments">
      {verdicts.map(({ name, seats }) => {
        const apart = stages.reduce((sum, { seatsAfter }, s) => sum + Math.abs(seatsAfter - seats[s]), 0)
        const moved = Math.ceil(apart / 2)
        const said = order.map((s) => `${scenario.stages[s].name} ${seats[s]}`).join(', ')
        return (
          <li key={name} className={apart > 0 ? 'differs' : undefined}>
            <SmallHalfCircle
              workers={workers}
              seats={seats}
              order={order}
              apart={moved}
              label={`${name}: ${said}; ${moved === 0 ? 'the same' : `${moved} elsewhere`}`}
            />
            <span aria-hidden="true">{name}</span>
          </li>
        )
      })}
    </ul>
  )
}

interface HalfCircle {
  readonly workers: number
  readonly seats: readonly number[]
  readonly order: readonly number[]
  readonly apart: number
  readonly label: string
}

function SmallHalfCircle({ workers, seats, order, apart, label }: HalfCircle) {
  const palette = currentPalette()
  const { seats: places, radius } = smallParliament(workers, seats, order, WIDTH, HEIGHT)
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT}>
      {places.map(({ x, y, stage }, i) => (
        <circle
          // biome-ignore lint/suspicious/noArrayIndexKey: a seat is its place
          key={i}
          cx={x}
          cy={y}
          r={stage < 0 ? radius * 0.8 : radius}
          fill={stage < 0 ? 'none' : stageColour(palette, stage).fill}
          stroke={stage < 0 ? palette.soft : 'none'}
        />
      ))}
      {apart > 0 && (
        <text x={WIDTH / 2} y={HEIGHT - 4} textAnchor="middle" fontSize="13" fontWeight="700" fill={palette.accent}>
          {apart}
        </text>
      )}
    </svg>
  )
}
