import { t } from '../../../language/translate.ts'
import { LOST } from '../../../pipeline/rows.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import { eachRow, type Trace } from '../../../trace/trace.ts'
import { drainedWhere, inPercent, measureOf } from './evidence.ts'
import { type Lesson, pressRun, rangeChoices } from './lesson.ts'

const roomRun = drainedWhere(({ trace }) => trace.engine === 'room')

export const roomLesson: Lesson = {
  key: 'room',
  title: 'A room of workers',
  about: 'What do messages to phones cost, and what if somebody leaves?',
  inRoom: true,
  initialScenario: () =>
    scenarioOf({
      stages: [
        stage('A', t('Pick'), constant(200_000)),
        stage('B', t('Pack'), constant(600_000)),
        stage('C', t('Label'), constant(100_000)),
      ],
      source: { kind: 'batch', jobs: 40 },
      workers: 4,
    }),
  steps: [
    {
      task: 'Ask everyone to scan the code in the tab Room. When all have joined, press the button there that uses all workers.',
      hint: 'Without phones, open the link in another window.',
      byOthers: true,
      measure: ({ scenario, room }) =>
        room !== null && room.seats > 0 && scenario.workers === room.seats ? room.seats : null,
      conclusion: 'Workers in the room: {was, number}.',
    },
    {
      text: 'Forty parcels are picked (200 ms), packed (600 ms) and labelled (100 ms). The room guesses what will happen.',
      task: 'Choose a question in the tab Room, under In class, press Ask the room, and wait for an answer.',
      byOthers: true,
      measure: ({ room }) => (room !== null && room.answers > 0 ? room.answers : null),
      conclusion: 'Devices that answered: {was, number}.',
    },
    {
      text: 'A message to a phone and back takes a few milliseconds. How much of the time will the workers be busy?',
      question: rangeChoices('{n}%', 50, 90),
      ...pressRun,
      measure: measureOf(roomRun, ({ metrics }) => inPercent(metrics.utilisation)),
      conclusion: '{was, number}% of the time.',
    },
    {
      task: 'Press Run again. During the run, ask one person to press Leave the room.',
      byOthers: true,
      measure: measureOf(roomRun, ({ trace, metrics }) => workersLost(trace) > 0 && metrics.completed),
      conclusion: 'All {was, number} parcels are done: other workers took over.',
    },
  ],
}

function workersLost(trace: Trace): number {
  let lost = 0
  eachRow(trace, 0, trace.length, ({ kind }, i) => {
    if (kind[i] === LOST) lost++
  })
  return lost
}
