import { PlainRun } from '../../src/engine/simulation/plain.ts'
import { isPlain } from '../../src/engine/simulation/simulatedRun.ts'
import { beginAnyRun } from '../../src/engine/simulation/simulation.ts'
import type { Ending } from '../../src/pipeline/journal.ts'
import { isFact, rowAt } from '../../src/pipeline/rows.ts'
import { countJobs } from '../../src/scenario/model/sources.ts'
import { createServices } from '../../src/workload/service.ts'
import { createChance } from '../fixtures/chance.ts'
import { claim } from './claim.ts'
import { NaiveClock } from './naiveClock.ts'
import { workloadIsAsSaid } from './naiveWorkload.ts'
import { draw, type Plan } from './plans.ts'
import { Referee } from './referee.ts'
import { drawForSimulation } from './simulatedPlans.ts'
import type { Game } from './world.ts'

/** Ticks and phases come on top of what jobs cause. */
const OTHER_INSTANTS = 20_000

/**
 * Plays one game with the simulation, or with its core for plain scenarios, instant by instant. Stop may come between any two. Throws at the first
 * broken rule.
 */
export function playSimulated(plan: Plan, watch: (game: Game) => void = () => {}): Game {
  const scenario = plan.plain ? draw(plan).scenario : drawForSimulation(plan)
  const chance = createChance(plan.seed ^ 0x2e11)
  const { at: cost } = createServices(scenario)
  const referee = new Referee(scenario, cost, chance, plan)
  const game = { scenario, referee }
  watch(game)
  const jobs = countJobs(scenario.source)
  workloadIsAsSaid(scenario, jobs)
  claim(!plan.plain || isPlain(scenario), () => 'a plain game is not plain')
  const listener = { journal: () => {}, failure: () => {}, ended: () => {} }
  const any = plan.plain ? null : beginAnyRun(scenario, listener)
  const run = any ?? new PlainRun(scenario, listener)
  const core = any?.core ?? null
  const clock = new NaiveClock(referee.books, scenario, cost)
  const { rows } = run.journal
  const stopAfter = plan.faults > 0 && chance.percent(15) ? chance.below(chance.pick([4, 40, 200])) : Infinity
  const most = 10 + 2 * jobs * (scenario.stages.length + 1) + (plan.plain ? 0 : OTHER_INSTANTS)
  let ending: Ending | null = null
  for (let n = 0; ending === null; n++) {
    claim(n < most, () => 'the run does not come to an end')
    const from = rows.length
    // Any row fills the journal, so one instant is played.
    ending = n < stopAfter ? run.play(from + 1) : run.stop()
    let facts = from
    while (facts < rows.length && isFact(rows.kind[facts])) facts++
    const instant = Array.from({ length: rows.length - from }, (_, i) => rowAt(rows, from + i))
    clock.facts(instant.slice(0, facts - from))
    clock.orders(instant.slice(facts - from))
    if (rows.length > from) referee.see(core, run.journal, from, facts)
    clock.settled(referee.books.time)
    if (ending === null) referee.keep(core, run.journal)
  }
  referee.review(core, run.journal)
  referee.end(core, ending)
  return game
}
