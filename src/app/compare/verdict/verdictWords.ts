import { t } from '../../../language/translate.ts'
import type { PolicyKind } from '../../../scenario/model/scenario.ts'
import { fixed, percent } from '../../../views/drawing/format.ts'
import type { Baseline } from './judging.ts'

/** A smaller difference counts as none. */
const SAME = 0.005
/** From here on a run is so many times faster; below, it takes so much less time. */
const TIMES = 1.5

/** Returns in words how a run compares with its baseline. */
export function baselineWords({ kind, times }: Baseline): string {
  const baseline = baselineName(kind)
  if (times >= TIMES) return t('{times} times faster than {baseline}', { times: fixed(times, 1), baseline })
  if (times > 1 + SAME) return t('{share} less time than {baseline}', { share: percent(1 - 1 / times), baseline })
  if (times >= 1 - SAME) return t('as fast as {baseline}', { baseline })
  return t('{share} more time than {baseline}', { share: percent(1 / times - 1), baseline })
}

/** Returns how far a makespan lies above the lower bound. */
export function boundWords(distance: number): string {
  return distance < SAME / 10 ? t('no run can be faster') : t('{share} above the lower bound', { share: percent(distance) })
}

function baselineName(kind: PolicyKind): string {
  return kind === 'onePerStage' ? t('one worker per stage') : t('one worker who does it all')
}
