import type { Metrics } from '../../../measures/figures/metrics.ts'
import { partDefaults } from '../../../scenario/model/defaults.ts'
import type { Order, Problem, Scenario } from '../../../scenario/model/scenario.ts'
import { parse } from '../../../scenario/parse/parse.ts'

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
