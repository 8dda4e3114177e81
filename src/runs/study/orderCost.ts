import type { Metrics } from '../../measures/figures/metrics.ts'
import { partDefaults } from '../../scenario/model/defaults.ts'
import type { Order, Problem, Scenario } from '../../scenario/model/scenario.ts'
import { parse } from '../../scenario/parse/parse.ts'

/** What the same jobs with the same luck amount to where they leave in this order; where the scenario does not go with it, why. */
export type OrderTrial = { readonly order: Order } & ({ readonly figures: Metrics } | { readonly problem: Problem })

/** Who plays a scenario in the simulation: on this thread or on others. */
export type PlayFigures = (scenario: Scenario, options: { progress(share: number): void }) => Promise<Metrics>

const orders: readonly Order[] = [{ kind: 'none' }, { kind: 'buffer', slots: partDefaults.slots }, { kind: 'shard' }]

/** The orders that a scenario is played in: its own, then the others. */
export function ordersBeside({ order }: Scenario): readonly Order[] {
  return [order, ...orders.filter(({ kind }) => kind !== order.kind)]
}

/**
 * Plays a scenario in the simulation in every order (see `ordersBeside`). All are what the simulation
 * foretells, whatever engine a run was on. `progress` is told the share of the work that is done, 0 to 1.
 */
export async function compareOrders(scenario: Scenario, play: PlayFigures, progress: (share: number) => void = () => {}): Promise<readonly OrderTrial[]> {
  const all = ordersBeside(scenario)
  const shares = all.map(() => 0)
  return Promise.all(
    all.map(async (order, k): Promise<OrderTrial> => {
      const tell = (share: number) => {
        shares[k] = share
        progress(shares.reduce((sum, each) => sum + each) / shares.length)
      }
      const parsed = parse({ ...scenario, order, branches: [] })
      if ('scenario' in parsed) return { order, figures: await play(parsed.scenario, { progress: tell }) }
      tell(1)
      return { order, problem: parsed.problems[0] }
    }),
  )
}
