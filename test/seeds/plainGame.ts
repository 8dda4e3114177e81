import { PlainRun } from '../../src/engine/simulation/plain.ts'
import { isPlain } from '../../src/engine/simulation/plainScenario.ts'
import type { Ending } from '../../src/pipeline/journal.ts'
import { isFact } from '../../src/pipeline/rows.ts'
import { countJobs } from '../../src/scenario/model/limits.ts'
import { createServices } from '../../src/workload/service.ts'
import { createChance } from '../fixtures/chance.ts'
import { claim } from './claim.ts'
import { draw, type Plan } from './plans.ts'
import { Referee } from './referee.ts'
import type { Game } from './world.ts'

/** Plays one game with the core for plain scenarios, instant by instant. Stop may come between any two. Throws at the first broken rule. */
export function playPlain(plan: Plan, watch: (game: Game) => void = () => {}): Game {
  const { scenario } = draw(plan)
  const chance = createChance(plan.seed ^ 0x2e11)
  const referee = new Referee(scenario, createServices(scenario).at, chance, plan)
  const game = { scenario, referee }
  watch(game)
  claim(isPlain(scenario), () => 'a plain game is not plain')
  const run = new PlainRun(scenario, { journal: () => {}, failure: () => {}, ended: () => {} })
  const { rows } = run.journal
  const stopAfter = plan.faults > 0 && chance.percent(15) ? chance.below(chance.pick([4, 40, 200])) : Infinity
  const most = 10 + 2 * countJobs(scenario.source) * (scenario.stages.length + 1)
  let ending: Ending | null = null
  for (let n = 0; ending === null; n++) {
    claim(n < most, () => 'the run does not come to an end')
    const from = rows.length
    // Any row fills the journal, so one instant is played.
    ending = n < stopAfter ? run.play(from + 1) : run.stop()
    let facts = from
    while (facts < rows.length && isFact(rows.kind[facts])) facts++
    referee.see(null, run.journal, from, facts)
    if (ending === null) referee.keep(null, run.journal)
  }
  referee.review(null, run.journal)
  referee.end(null, ending)
  return game
}
