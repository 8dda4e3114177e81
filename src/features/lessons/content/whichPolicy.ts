import { t } from '../../../language/translate.ts'
import { setPolicy } from '../../../scenario/edit/edits.ts'
import type { Micros, PolicyKind, Scenario, Service, Stage } from '../../../scenario/model/scenario.ts'
import { constant, linksOf, type PresetScenario, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import { drainedWhere, inSeconds, type MeasuredRun, measureOf } from './evidence.ts'
import { choiceOf, type Lesson, type Step } from './lesson.ts'

/** A scenario in which the search found that one policy has a worse figure than another. */
interface FoundScenario {
  readonly worse: PolicyKind
  readonly than: PolicyKind
  readonly measure: 'meanFlowTime' | 'makespan'
  readonly scenario: () => Scenario
}

const ms = (time: number): Service => constant(time * 1000)
/** A stage whose service changes with a job of this number. */
const turning = (
  id: string,
  first: Service,
  ...changes: readonly (readonly [from: number, service: Service])[]
): Stage => ({
  ...stage(id, id, first),
  changes: changes.map(([from, service]) => ({ from, service })),
})
const times = (...groups: readonly (readonly [jobs: number, at: Micros])[]) => ({
  kind: 'times' as const,
  at: groups.flatMap(([jobs, at]) => Array.from({ length: jobs }, () => at)),
})
const found = (
  worse: PolicyKind,
  than: PolicyKind,
  measure: FoundScenario['measure'],
  scenario: Omit<PresetScenario, 'title'>,
): FoundScenario => ({
  worse,
  than,
  measure,
  scenario: () =>
    scenarioOf({ estimator: { kind: 'mean', prior: 'declared' }, ...scenario, title: t('Found by search') }),
})

export const slowAtTheEnd = found('leastScore', 'sinkFirst', 'meanFlowTime', {
  source: times([18, 0]),
  stages: [turning('B', ms(3), [15, ms(1000)]), stage('C', 'C', { kind: 'exponential', mean: 1000 })],
  workers: 1,
})

export const longLine = found('sinkFirst', 'leastScore', 'makespan', {
  seed: 829,
  source: times(
    ...([0, 0, 47_900, 47_900, 70_000, 80_000, 112_000, 140_000, 198_000] as const).map((at) => [1, at] as const),
    ...([200_000, 210_000, 210_000, 300_000, 300_000, 340_000, 350_000, 400_000] as const).map(
      (at) => [1, at] as const,
    ),
  ),
  stages: [
    turning('A', { kind: 'bimodal', fast: 25_000, slow: 70_000, pSlow: 0.5 }, [11, ms(10)]),
    turning('B', ms(5), [5, ms(200)], [6, ms(100)]),
    turning('C', ms(7), [2, ms(100)]),
    turning('D', ms(3), [3, ms(200)]),
  ],
  workers: 7,
  batch: { size: 8, inHand: 1 },
  switchCost: 2000,
})

export const onTheirWay = found('leastScore', 'preallocate', 'meanFlowTime', {
  seed: 111,
  source: times([29, 0]),
  stages: [
    stage('A', 'A', { kind: 'exponential', mean: 24_000 }),
    turning('B', { kind: 'bimodal', fast: 40_000, slow: 130_000, pSlow: 0.2 }, [
      14,
      { kind: 'uniform', min: 500_000, max: 2_000_000 },
    ]),
    turning('C', ms(200), [6, ms(100)], [24, ms(200)]),
    turning('D', ms(20), [3, { kind: 'uniform', min: 1500, max: 5000 }]),
  ],
  workers: 6,
})

export const costlyMoves = found('leastScore', 'switchAware', 'meanFlowTime', {
  seed: 704,
  source: times([11, 0], [8, 400_000], [23, 1_000_000], [2, 2_000_000]),
  stages: [
    stage('A', 'A', { kind: 'uniform', min: 4000, max: 11_400 }),
    turning('B', { kind: 'exponential', mean: 200_000 }, [6, ms(10)], [18, ms(3)]),
  ],
  workers: 1,
  switchCost: 50_000,
})

export const lentWorkers = found('switchAware', 'leastScore', 'meanFlowTime', {
  seed: 281,
  source: times([17, 0]),
  stages: [
    turning('A', ms(90), [3, ms(1000)], [4, ms(1)]),
    turning('B', ms(1000), [1, { kind: 'exponential', mean: 500_000 }], [4, { kind: 'exponential', mean: 20_000 }]),
  ],
  workers: 7,
  switchCost: 70_000,
})

export const oneSlowJob = found('leastScore', 'deadline', 'meanFlowTime', {
  seed: 942,
  source: times([1, 0], [1, 10_000], [1, 40_000], [1, 50_000]),
  stages: [
    stage('D', 'D', ms(10)),
    stage('A', 'A', ms(9.5)),
    turning('E', { kind: 'exponential', mean: 60_000 }, [1, ms(1)]),
    turning('G', ms(2), [3, ms(1000)]),
  ],
  links: linksOf('source>D D>A A>E E>G G>sink'),
  workers: 1,
  batch: { size: 8, inHand: 1 },
  estimator: { kind: 'mean', prior: 'neighbours' },
})

export const whichPolicyLesson: Lesson = {
  key: 'which-policy',
  title: 'Which policy when?',
  about: 'Six scenarios that a search found: in each, one policy does badly and another does well.',
  initialScenario: slowAtTheEnd.scenario,
  steps: [
    {
      text: 'One worker, 18 jobs at once. From the 16th job on, a job takes 1 s at stage B instead of 3 ms. Least total time serves B first, because the most work waits there: a job is in the pipeline for 2.888 s on average.',
      question: choiceOf(
        'How long is a job in the pipeline if the stage nearest the sink comes first?',
        ['About as long', (was) => was > 2],
        ['About half as long', (was) => was > 1 && was <= 2],
        ['Less than a fifth', (was) => was < 0.58],
      ),
      task: 'Choose Hint, then Do it for me: the page opens the scenario and runs it under Nearest the sink first.',
      hint: 'Open Compare afterwards to see both policies side by side.',
      ...under(slowAtTheEnd),
      conclusion:
        '{was, number} s. Each quick job leaves before the slow ones start. Both policies end at 3.063 s: the order changes the mean, not the total.',
    },
    {
      text: 'The other way round: 17 jobs, four stages, seven workers, batches of up to 8. Nearest the sink first takes 3.385 s to finish everything. It ignores the length of a queue and the service times.',
      question: choiceOf(
        'When is everything done under Least total time?',
        ['After about 3 s', (was) => was > 2.5],
        ['After about 2 s', (was) => was > 1.5 && was <= 2.5],
        ['After about 1 s', (was) => was <= 1.5],
      ),
      task: 'Choose Hint, then Do it for me: the page opens the scenario and runs it under Least total time.',
      hint: 'Look at how many workers are busy at once.',
      ...under(longLine),
      conclusion:
        'After {was, number} s. Now the workers are busy 78% of the time, and under Nearest the sink first 26%. So hurrying jobs to the sink can leave workers without work.',
    },
    {
      text: 'Preallocate looks ahead: it also counts the jobs in service at the stage before. 29 jobs at once, four stages, six workers. Under Least total time a job is in the pipeline for 3.594 s on average.',
      question: choiceOf(
        'And under Preallocate?',
        ['About 3.5 s: only waiting jobs matter', (was) => was > 3],
        ['About 1.9 s', (was) => was > 1.5 && was <= 3],
        ['About 0.5 s', (was) => was <= 1.5],
      ),
      task: 'Choose Hint, then Do it for me: the page opens the scenario and runs it under Preallocate.',
      hint: 'In the panel Decision, the column Coming shows what it counts in addition.',
      ...under(onTheirWay),
      conclusion:
        '{was, number} s. Workers go to later stages sooner: half of the jobs leave within 1.341 s instead of 3.626 s. The last one leaves at nearly the same time.',
    },
    {
      text: 'Now a change of stage costs 50 ms, more than most services here. One worker, two stages, 44 jobs. Under Least total time it changes stage 75 times, and a job is in the pipeline for 2.036 s on average.',
      question: choiceOf(
        'How often does it change stage under Switch-aware?',
        ['Never: it costs too much', (was) => was === 0],
        ['About 20 times', (was) => was > 0 && was < 40],
        ['About 70 times', (was) => was >= 40],
      ),
      task: 'Choose Hint, then Do it for me: the page opens the scenario and runs it under Switch-aware.',
      hint: 'The panel Decision says what the best move that was not made would have saved.',
      ...under(costlyMoves, ({ metrics }) => metrics.switches),
      conclusion:
        '{was, number} times, and a job is in the pipeline for 0.572 s. A seat moves only where that saves more than 50 ms, or where work has no worker.',
    },
    {
      text: 'But a policy that considers costs is not always cheaper. 17 jobs at once, two stages, seven workers, 70 ms for each change. Under Switch-aware a job is in the pipeline for 0.421 s, and workers change stage 25 times.',
      question: choiceOf(
        'And under Least total time?',
        ['More often than 25 times', (was) => was > 25],
        ['25 times as well', (was) => was === 25],
        ['Fewer than 25 times', (was) => was < 25],
      ),
      task: 'Choose Hint, then Do it for me: the page opens the scenario and runs it under Least total time.',
      hint: 'Idle workers help other stages even though their seats do not move.',
      ...under(lentWorkers, ({ metrics }) => metrics.switches),
      conclusion:
        '{was, number} times, and a job is in the pipeline for 0.309 s. Seats that stay do not keep workers: idle workers help elsewhere, and each change costs time. Forbid that in Settings, and Switch-aware has 5 changes and 0.298 s.',
    },
    {
      text: 'Deadline gives more votes to a stage whose jobs are old. Four jobs, four stages, one worker; the last job takes 1 s at stage G. Under Least total time a job is in the pipeline for 1.091 s on average.',
      question: choiceOf(
        'And under Deadline?',
        ['About 1 s', (was) => was > 0.8],
        ['About 0.6 s', (was) => was > 0.45 && was <= 0.8],
        ['About 0.3 s', (was) => was <= 0.45],
      ),
      task: 'Choose Hint, then Do it for me: the page opens the scenario and runs it under Deadline.',
      hint: 'In the panel Decision, the column Oldest shows the ages.',
      ...under(oneSlowJob),
      conclusion:
        '{was, number} s. The old jobs leave before the slow one starts. If all jobs come at once, they have the same age, and the policy decides like Least total time.',
    },
  ],
  closing:
    'No policy is best everywhere: each fails because of something that it ignores. Decide what should be short, the mean or the whole run, and what a move costs. Then compare on your own scenario, and let the search in Compare look for a case in which your choice is wrong.',
}

/** Returns the solution of a step, which runs a found scenario under its better policy, and the measure of that run. */
function under(
  { scenario, than, measure }: FoundScenario,
  figure = ({ metrics }: MeasuredRun) => inSeconds(metrics[measure]),
): Pick<Step, 'solution' | 'measure'> {
  const better = drainedWhere((run) => run.scenario.policy.kind === than && sameGame(run.scenario, scenario()))
  return { solution: { edit: () => setPolicy(scenario(), than) }, measure: measureOf(better, figure) }
}

/** Returns whether two scenarios have the same jobs, stages and workers, wherever the cards are. */
function sameGame(a: Scenario, b: Scenario): boolean {
  const [one, other] = [a, b].map(({ seed, source, stages, workers, links, switchCost, batch }) =>
    JSON.stringify([
      seed,
      source,
      stages.map(({ id, service, changes }) => [id, service, changes]),
      workers,
      links,
      switchCost,
      batch,
    ]),
  )
  return one === other
}
