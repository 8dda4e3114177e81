import { t } from '../../../language/translate.ts'
import type { Condition } from '../../../measures/decisions/breakpoints.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { count } from '../../../views/drawing/format.ts'
import { ruleName } from '../../base/ui/Translated.tsx'

/** Returns a condition in a few words. */
export function chipText(condition: Condition, { stages }: Scenario): string {
  const at = (stage: number | null) => (stage !== null && stage < stages.length ? stages[stage].name : t('any stage'))
  switch (condition.kind) {
    case 'deserted':
      return t('{stage} loses its last worker', { stage: at(condition.stage) })
    case 'queue':
      return t('more than {above} wait at {stage}', { above: count(condition.above), stage: at(condition.stage) })
    case 'disagree':
      return t('{condition} would differ', { condition: ruleName(condition) })
    case 'moves':
      return t('{times, plural, one {# move} other {# moves}} in 1 s', { times: condition.times })
  }
}
