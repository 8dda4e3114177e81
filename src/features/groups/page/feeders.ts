import { study } from '../../../app/session/study/study.ts'
import { runJobs } from '../../../runs/remote/jobThreads.ts'
import { comparisonKey } from '../../../scenario/model/compact.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { emptyPoints, type FeederPoint, feederTasks, withAnswer, withFeederTask } from '../study/feederSweep.ts'

/** Plays the scenario with each number of feeders. The key leaves out the present number: all of them are played. */
export const feederStudy = study<Scenario, readonly FeederPoint[]>({
  key: feederKey,
  async work(scenario, { show, ...control }) {
    let points = emptyPoints(scenario)
    show(points)
    const inputs = feederTasks(scenario).map((task) => ({ scenario, task }))
    await runJobs('feeders', inputs, {
      ...control,
      answer(_, answer) {
        points = withAnswer(points, answer)
        show(points)
      },
    })
    return points
  },
})

/** Returns a key of all that the study depends on: not the number of feeders, nor where a card stands. */
export function feederKey(scenario: Scenario): string {
  return comparisonKey(withFeederTask(scenario, { feeders: 1, whenTaken: 'wait' }))
}
