import { t } from '../../../language/translate.ts'
import { count, duration, percent, signedPercent } from '../../../views/drawing/format.ts'
import type { LogPoints } from '../measure/logPoints.ts'
import type { OpenLoop } from '../measure/openLoop.ts'

/** How often and how far the rule and the system differ. As an open loop it does not say how the system would have fared. */
export function LogFigures({ points, loop }: { readonly points: LogPoints; readonly loop: OpenLoop }) {
  const { length, staffed } = points
  const { differing, elsewhere, moves, score } = loop
  const figures: [name: string, value: string, title?: string][] = staffed
    ? [
        [
          t('Policy and system differ'),
          t('{length} of {length2} points', { length: percent(differing.length / length), length2: count(length) }),
          t('Points at which jobs wait and at least one worker would have been at another stage.'),
        ],
        [t('Seats elsewhere'), t('{x} a point', { x: (elsewhere / length).toFixed(2) })],
        [
          t('Seats that changed stage'),
          t('system {had}, policy {given}', { had: count(moves.had), given: count(moves.given) }),
          t('From one point to the next, all together.'),
        ],
        [
          t('Total time, on average'),
          `${duration(score.had)} → ${duration(score.given)}${score.had > 0 ? ` (${signedPercent(score.given / score.had - 1)})` : ''}`,
          t(
            'The sum over the stages of waiting × service time / (workers + 1), which the policy Least total time makes small: with the workers of the system, and with those of the policy, on the same queues.',
          ),
        ],
      ]
    : [
        [t('The answer changes'), t('at {length} of {length2} points', { length: count(differing.length), length2: count(length) })],
        [t('Seats that changed stage'), count(moves.given)],
        [t('Total time, on average'), duration(score.given)],
      ]
  return (
    <dl className="log-figures" aria-label={t('Results of the log')}>
      {figures.map(([name, value, title]) => (
        <div key={name} title={title}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
