import { createSimulation } from '../engine/simulation/simulation.ts'
import { type Figures, figuresOf } from '../measures/figures.ts'
import { countJobs } from '../scenario/limits.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { append, catchUp, createTrace } from '../trace/trace.ts'

/** The same jobs with the same luck, once leaving in order and once as they come. */
export interface OrderComparison {
  readonly ordered: Figures
  readonly free: Figures
}

/** What may interrupt it, for a thread that has to hear Stop: see the simulation's `breathe`. */
export interface ComparisonOptions {
  readonly breathe?: () => Promise<void>
  /** Called now and then with the share of the work that is done, 0 to 1. */
  progress?(share: number): void
}

/** Plays a scenario in the simulation as it stands and with `order: none`. Both are what the simulation foretells, whatever engine a run was on. */
export async function compareOrder(scenario: Scenario, { breathe, progress }: ComparisonOptions = {}): Promise<OrderComparison> {
  const ordered = await figuresFor(scenario, breathe, (share) => progress?.(share / 2))
  const free = await figuresFor({ ...scenario, order: { kind: 'none' } }, breathe, (share) => progress?.(0.5 + share / 2))
  return { ordered, free }
}

async function figuresFor(scenario: Scenario, breathe: (() => Promise<void>) | undefined, progress: (share: number) => void): Promise<Figures> {
  const trace = createTrace(scenario, 'simulation', 0)
  const services = countJobs(scenario.source) * scenario.stages.length
  await createSimulation(breathe).start(scenario, {
    journal(journal) {
      append(trace, journal)
      catchUp(trace)
      const served = trace.head.tally.finished.reduce((sum, jobs) => sum + jobs, 0)
      progress(services > 0 ? Math.min(1, served / services) : 1)
    },
    failure: () => {},
    ended: () => {},
  })
  return figuresOf(trace)
}
