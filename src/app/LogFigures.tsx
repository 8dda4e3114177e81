import type { LogPoints } from '../measures/logPoints.ts'
import type { OpenLoop } from '../measures/openLoop.ts'
import { change, count, duration, percent } from '../views/format.ts'

/** How often and how far the rule and the system differ, over all points. Open loop: none of it says how the system would have fared. */
export function LogFigures({ points, loop }: { readonly points: LogPoints; readonly loop: OpenLoop }) {
  const { length, staffed } = points
  const { differing, elsewhere, moves, score } = loop
  const figures: [name: string, value: string, title?: string][] = staffed
    ? [
        ['Rule and system differ', `${percent(differing.length / length)} of ${count(length)} points`],
        ['Seats elsewhere', `${(elsewhere / length).toFixed(2)} a point`],
        ['Seats that changed hands', `system ${count(moves.had)}, rule ${count(moves.given)}`, 'From one point to the next, all together.'],
        [
          'Mean score, open loop',
          `${duration(score.had)} → ${duration(score.given)}${score.had > 0 ? ` (${change(score.given / score.had - 1)})` : ''}`,
          'The sum of votes / (seats + 1), with the seats of the system and with those of the rule, on the same queues.',
        ],
      ]
    : [
        ['The answer changes', `at ${count(differing.length)} of ${count(length)} points`],
        ['Seats that changed hands', count(moves.given)],
        ['Mean score, open loop', duration(score.given)],
      ]
  return (
    <dl className="log-figures" aria-label="Figures of the log">
      {figures.map(([name, value, title]) => (
        <div key={name} title={title}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
