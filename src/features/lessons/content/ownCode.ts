import { t } from '../../../language/translate.ts'
import { setWorkers } from '../../../scenario/edit/edits.ts'
import { codeOf, type Scenario } from '../../../scenario/model/scenario.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import { drainedWhere, type MeasuredRun, MS, measureOf } from './evidence.ts'
import { choiceOf, type Lesson, rangeChoices, setAndRun } from './lesson.ts'

const read = `// Takes a moment of a core.
export default (n) => ({ n, root: Math.sqrt(n) })
`
const lookUp = `// Waits for an answer, as of a database: 16 ms without a core.
export default async (value, { sleep }) => {
  await sleep(16)
  return { ...value, found: true }
}
`
const write = `// Waits too: 4 ms. One worker at a time may write.
export default async (value, { sleep }) => {
  await sleep(4)
  return value
}
`
const quickly = write.replace('4 ms', '1 ms').replace('sleep(4)', 'sleep(1)')

const coded = (id: string, name: string, code: string, mean: number) => ({
  ...stage(id, name, constant(mean)),
  work: { code },
})

/** Its stages wait, so that eight workers show the same on two cores. */
export const ownCodeLesson: Lesson = {
  key: 'own-code',
  title: 'Your code is the bottleneck',
  about: 'Which of three functions is slow, and what do more workers bring?',
  onThreads: true,
  initialScenario: () =>
    scenarioOf({
      stages: [
        coded('A', t('Read'), read, 50),
        coded('B', t('Look up'), lookUp, 16 * MS),
        { ...coded('C', t('Write'), write, 4 * MS), resource: 'group', whenTaken: 'skip' },
      ],
      source: { kind: 'groups', groups: [60], order: 'asProduced', feeders: 1, window: 1 },
      workers: 1,
    }),
  steps: [
    {
      text: 'Each stage runs a function: select a stage and read its code. One worker takes 60 jobs through all three. Which function is the bottleneck?',
      question: choiceOf(['Read', (was) => was === 1], ['Look up', (was) => was === 2], ['Write', (was) => was === 3]),
      task: 'Choose Web Workers and press Run.',
      measure: measureOf(
        runOn(1),
        ({ metrics: { stages } }) => 1 + stages.findIndex(({ utilisation }) => utilisation === longest(stages)),
      ),
      conclusion: 'Function {was, number} of three, Look up: it takes four fifths of the time.',
    },
    {
      text: 'Look up waits and needs no core, so a second worker can wait at the same time. How much work do two workers do?',
      question: rangeChoices('{n}×', 1.4),
      task: setAndRun(['Workers', '{n}', 2]),
      solution: { edit: (scenario) => setWorkers(scenario, 2) },
      measure: measureOf(runOn(2), atOnce),
      conclusion: '{was, number} times as much. Messages and the end of the run take the rest.',
    },
    {
      text: 'All jobs belong to one account, so only one at a time may be written. Write takes 4 of the 20 ms of a job. How much work do eight workers do?',
      question: rangeChoices('{n}×', 2.5, 6),
      task: setAndRun(['Workers', '{n}', 8]),
      solution: { edit: (scenario) => setWorkers(scenario, 8) },
      measure: measureOf(
        drainedWhere(({ scenario }) => scenario.workers === 8 && takes(scenario, 'sleep(4)')),
        atOnce,
      ),
      conclusion:
        '{was, number} times as much. By Amdahl’s law, the fifth that is done one by one limits the rest to 5 times.',
    },
    {
      text: 'Now Write takes 1 ms instead of 4. How much work do eight workers do then?',
      question: rangeChoices('{n}×', 3),
      task: 'In the code of Write change sleep(4) to sleep(1) and press Run.',
      solution: { edit: (scenario) => writing(scenario, quickly, MS) },
      measure: measureOf(
        drainedWhere(({ scenario }) => scenario.workers === 8 && takes(scenario, 'sleep(1)')),
        atOnce,
      ),
      conclusion: '{was, number} times as much: 1 of 17 ms is done one by one, so the limit is 17 times.',
    },
  ],
  source: 'Amdahl, 1967',
}

function runOn(workers: number) {
  return drainedWhere(({ scenario }) => scenario.workers === workers && takes(scenario, 'sleep(4)'))
}

function takes({ stages }: Scenario, words: string): boolean {
  return stages.length === 3 && (codeOf(stages[2]) ?? '').includes(words)
}

function writing(scenario: Scenario, code: string, mean: number): Scenario {
  return {
    ...scenario,
    stages: scenario.stages.map((one) => (one.id === 'C' ? { ...one, work: { code }, service: constant(mean) } : one)),
  }
}

/** Returns how many workers were at work on average, to one decimal. */
function atOnce({ scenario, metrics }: MeasuredRun): number {
  return Math.round(metrics.utilisation * scenario.workers * 10) / 10
}

const longest = (stages: readonly { readonly utilisation: number }[]) =>
  Math.max(...stages.map(({ utilisation }) => utilisation))
