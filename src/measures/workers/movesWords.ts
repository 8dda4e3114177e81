import { isolated } from '../../language/isolated.ts'
import { t } from '../../language/translate.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import type { Chart } from '../series/chart.ts'
import { firstMark } from '../series/marks.ts'

const SECOND = 1e6

/** The moves of workers at the time of a frame. */
interface Moved {
  readonly time: Micros
  readonly workers: readonly { readonly movedFrom: number; readonly movedAt: Micros; readonly stage: number }[]
}

/** Returns how many workers have moved in the last second, and the last move, in one line: all that one can read while a run plays. */
export function movesLine({ trace, moves }: Chart, { time, workers }: Moved): string {
  const moved = workers.flatMap(({ movedFrom, movedAt }, worker) => (movedFrom < 0 ? [] : [{ worker, movedAt }]))
  if (moved.length === 0) return t('No worker has moved yet.')
  const { worker } = moved.reduce((last, each) => (each.movedAt >= last.movedAt ? each : last))
  const { movedFrom, stage } = workers[worker]
  const nameOf = (s: number) => isolated(trace.scenario.stages[s].name)
  return t('{n, plural, one {# move} other {# moves}} in the last second. Last: worker {worker}, {from} → {to}.', {
    n: firstMark(moves, time, 0, 0, true) - firstMark(moves, time - SECOND, 0, 0, true),
    worker: worker + 1,
    from: nameOf(movedFrom),
    to: nameOf(stage),
  })
}
