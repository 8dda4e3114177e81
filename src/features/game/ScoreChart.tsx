import { t } from '../../language/translate.ts'
import type { Goal } from '../../scenario/link/opening.ts'
import { duration } from '../../views/drawing/format.ts'
import type { Rivals } from './scores.ts'

interface Props {
  readonly goal: Goal
  readonly mine: number
  readonly rivals: Rivals
}

/** A bar for each score, the best first, and the lower bound below. */
export function ScoreChart({ goal, mine, rivals: { scores, bounds } }: Props) {
  const bars = [
    { key: 'you', name: t('You'), score: mine },
    ...scores.map(({ kind, name, scores: its }) => ({ key: kind as string, name, score: its[goal] })),
  ].sort((a, b) => a.score - b.score)
  if (bounds[goal] > 0) bars.push({ key: 'bound', name: t('Lower bound'), score: bounds[goal] })
  const most = Math.max(1, ...bars.map(({ score }) => score))
  return (
    <ol className="beat-chart" aria-label={goal === 'makespan' ? t('When all was done') : t('How long a job was under way, on average')}>
      {bars.map(({ key, name, score }) => (
        <li key={key} className={key}>
          <span className="beat-name">{name}</span>
          <span className="beat-score">{duration(score)}</span>
          <span className="beat-bar" style={{ width: `${(100 * score) / most}%` }} aria-hidden="true" />
        </li>
      ))}
    </ol>
  )
}
