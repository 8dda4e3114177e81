import type { Trace } from '../../../trace/trace.ts'
import { count, duration } from '../../../views/drawing/format.ts'
import { createOrderLog, extendOrderLog, orderCost } from '../measure/orderLog.ts'

/** Returns the cost of keeping the jobs in order, as rows for the terminal; none if they leave in any order. */
export function orderFigures(trace: Trace): readonly (readonly [name: string, value: string])[] {
  if (trace.scenario.order.kind === 'none') return []
  const log = createOrderLog(trace)
  extendOrderLog(log)
  const { meanParked, longest, most } = orderCost(log)
  return [
    ['held for order, on average', duration(meanParked)],
    ['longest hole', longest === null ? 'none' : `${duration(longest.to - longest.from)}, ticket ${longest.ticket}`],
    ['most held', most === null ? 'none' : `${count(most.jobs)}, by ticket ${most.ticket}`],
  ]
}
