import type { Policy, Scenario } from '../../src/scenario/model/scenario.ts'
import { parse } from '../../src/scenario/parse/parse.ts'
import { type Chance, createChance } from '../fixtures/chance.ts'
import { draw, type Plan } from './plans.ts'

/** The scenario of a plan for threads: the same pipeline, with service times, and with workers that leave, crash and hang. */
export function drawForThreads(plan: Plan): Scenario {
  const { scenario } = draw(plan)
  const chance = createChance(plan.seed ^ 0x77a5)
  const mean = () => ({ kind: 'constant', mean: chance.pick([100, 2000, 2000, 15_000, 40_000]) })
  const parsed = parse({
    ...scenario,
    stages: scenario.stages.map((stage) => ({ ...stage, service: mean(), work: chance.pick(['burn', 'wait']) })),
    ...slower(scenario, 50_000),
    later: scenario.later.map((turn) => ({ ...turn, at: turn.at * 40, ...slower(turn, 50_000) })),
    workerEvents: withTroubles(scenario, Math.min(plan.faults, chance.pick([0, 0, 1, 3])), chance, 150_000),
  })
  if ('problems' in parsed)
    throw new Error(`seed ${plan.seed} draws no scenario for threads: ${JSON.stringify(parsed.problems)}`)
  return parsed.scenario
}

/** Returns a policy that hires and dismisses less often, once per `every`; undefined if there is no policy. */
export function slower({ policy }: { readonly policy?: Policy }, every: number): { readonly policy?: Policy } {
  return policy === undefined ? {} : { policy: 'every' in policy ? { ...policy, every } : policy }
}

/** Returns the events of a scenario, delayed, and as many workers that leave, crash or hang until the last event or `until`. */
export function withTroubles(scenario: Scenario, many: number, chance: Chance, until: number) {
  const { workerEvents } = scenario
  const events: { at: number; kind: string; worker: number }[] = workerEvents.map((event) => ({
    ...event,
    at: event.at * 20,
  }))
  const last = events.at(-1)?.at ?? 0
  const troubled = new Set<number>()
  for (let k = 0; k < many; k++) {
    const worker = chance.below(scenario.workers)
    if (troubled.has(worker)) continue
    troubled.add(worker)
    events.push({ at: chance.below(Math.max(last, until)), kind: chance.pick(['crash', 'leave', 'hang']), worker })
  }
  return events.sort((a, b) => a.at - b.at)
}
