import { t } from '../../../language/translate.ts'
import type { ToBeat } from '../../../scenario/link/opening.ts'
import { exactDuration } from '../../../views/drawing/format.ts'

/** What somebody else has reached. */
export function Target({ toBeat: { goal, score } }: { readonly toBeat: ToBeat }) {
  return (
    <p className="beat-target">
      {goal === 'makespan'
        ? t('The score to beat: all done after {score}.', { score: exactDuration(score) })
        : t('The score to beat: {score} a job on average.', { score: exactDuration(score) })}
    </p>
  )
}
