import type { Figures } from '../measures/figures.ts'
import type { Scenario } from '../scenario/scenario.ts'

/** The same jobs with the same luck, once leaving in order and once as they come. */
export interface OrderComparison {
  readonly ordered: Figures
  readonly free: Figures
}

/** Who plays a scenario in the simulation: on this thread or on others. */
export type PlayFigures = (scenario: Scenario, options: { progress(share: number): void }) => Promise<Figures>

/**
 * Plays a scenario in the simulation as it stands and with `order: none`. Both are what the simulation foretells, whatever
 * engine a run was on. `progress` is told the share of the work that is done, 0 to 1.
 */
export async function compareOrder(scenario: Scenario, play: PlayFigures, progress: (share: number) => void = () => {}): Promise<OrderComparison> {
  const shares = [0, 0]
  const played = (k: number, each: Scenario) =>
    play(each, {
      progress(share) {
        shares[k] = share
        progress((shares[0] + shares[1]) / 2)
      },
    })
  const [ordered, free] = await Promise.all([played(0, scenario), played(1, { ...scenario, order: { kind: 'none' } })])
  return { ordered, free }
}
