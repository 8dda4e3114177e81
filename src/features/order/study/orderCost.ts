import type { Metrics } from '../../../measures/figures/metrics.ts'
import { partDefaults } from '../../../scenario/model/defaults.ts'
import type { Order, Problem, Scenario } from '../../../scenario/model/scenario.ts'
import { parse } from '../../../scenario/parse/parse.ts'
import type { Trace } from '../../../trace/trace.ts'
import { count, duration } from '../../../views/drawing/format.ts'
import { createOrderLog, extendOrderLog, orderCost } from '../measure/orderLog.ts'

/** The figures of a scenario whose jobs leave in this order; or why the scenario cannot be played so. */
export type OrderTrial = { readonly order: Order } & ({ readonly figures: Metrics } | { readonly problem: Problem })

/** Plays all scenarios in the simulation, on this thread or on others, and tells the figures of each. */
export type PlayAll = (scenarios: readonly Scenario[], answer: (k: number, figures: Metrics) => void) => Promise<void>

const orders: readonly Order[] = [{ kind: 'none' }, { kind: 'buffer', slots: partDefaults.slots }, { kind: 'shard' }]

/** Returns the orders that a scenario is played in: its own, then the others. */
export function ordersBeside({ order }: Scenario): readonly Order[] {
  return [order, ...orders.filter(({ kind }) => kind !== order.kind)]
}

/** Returns the figures of a scenario in every order (see `ordersBeside`), always in the simulation. */
export async function compareOrders(scenario: Scenario, playAll: PlayAll): Promise<readonly OrderTrial[]> {
  const trials: OrderTrial[] = []
  const playable: { readonly scenario: Scenario; readonly at: number }[] = []
  ordersBeside(scenario).forEach((order, at) => {
    const parsed = parse({ ...scenario, order, branches: [] })
    if ('scenario' in parsed) playable.push({ scenario: parsed.scenario, at })
    else trials[at] = { order, problem: parsed.problems[0] }
  })
  await playAll(
    playable.map((each) => each.scenario),
    (k, figures) => {
      const { scenario, at } = playable[k]
      trials[at] = { order: scenario.order, figures }
    },
  )
  return trials
}

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
