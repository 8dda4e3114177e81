import { t } from '../../../language/translate.ts'
import { LOST } from '../../../pipeline/rows.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import { eachRow, type Trace } from '../../../trace/trace.ts'
import { drainedWhere, inPercent, measureOf } from './evidence.ts'
import { choiceOf, type Lesson, pressRun } from './lesson.ts'

const roomRun = drainedWhere(({ trace }) => trace.engine === 'room')

export const roomLesson: Lesson = {
  key: 'room',
  title: 'A room of workers',
  about: 'The phones in the room do the work: who gets it, what do messages cost, and what if somebody leaves?',
  inRoom: true,
  initialScenario: () =>
    scenarioOf({
      title: t('Parcels'),
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
      text: 'The phones in this room become the workers. This page decides who works where; a phone shows the colour of its stage.',
      task: 'Ask everyone to scan the code in the tab Room. When all have joined, press Use all workers there.',
      hint: 'A laptop can open the link below the code. Without phones, open the link in another window.',
      byOthers: true,
      measure: ({ scenario, room }) =>
        room !== null && room.seats > 0 && scenario.workers === room.seats ? room.seats : null,
      conclusion:
        '{was, plural, one {# worker is} other {# workers are}} in the room. Anyone who joins later waits in reserve.',
    },
    {
      text: 'Forty parcels are picked (200 ms), packed (600 ms) and labelled (100 ms). Before the run the room guesses what will happen.',
      task: 'Choose a question in the tab Room, under In class, and press Ask the room. Wait for an answer.',
      hint: 'The phones show the question. They may change their answers until the run begins.',
      byOthers: true,
      measure: ({ room }) => (room !== null && room.answers > 0 ? room.answers : null),
      conclusion:
        '{was, plural, one {# device has} other {# devices have}} answered. The run closes the question; at its end the guesses are shown beside the result.',
    },
    {
      text: 'A message to a phone and back takes a few milliseconds, and a worker without a batch waits for it.',
      question: choiceOf(
        'How much of the time will the workers be busy?',
        ['Less than half of it', (was) => was < 50],
        ['50% to 89%', (was) => was >= 50 && was < 90],
        ['90% or more', (was) => was >= 90],
      ),
      ...pressRun,
      measure: measureOf(roomRun, ({ metrics }) => inPercent(metrics.utilisation)),
      conclusion:
        '{was, number}% of the time. The rest was lost to messages, and to the end of the run, when fewer parcels than workers are left.',
    },
    {
      text: 'Phones are not reliable: a battery is empty, or somebody goes home. The scheduler must not lose a parcel.',
      task: 'Press Run again. During the run, ask one person to press Leave the room on their phone.',
      hint: 'If there is only one phone, the run waits up to 10 s for another. The person may come back at once.',
      byOthers: true,
      measure: measureOf(roomRun, ({ trace, metrics }) => workersLost(trace) > 0 && metrics.completed),
      conclusion:
        'All {was, number} parcels are done. Other workers took over the parcels of the lost one: the record shows when it was lost, and who did its work.',
    },
  ],
  closing:
    'A scheduler across machines needs no other policy, only patience: it counts each answer once, notices which workers are gone, and gives their work to others. Run the simulation of the same scenario, and Real vs simulated shows what the messages cost.',
}

function workersLost(trace: Trace): number {
  let lost = 0
  eachRow(trace, 0, trace.length, ({ kind }, i) => {
    if (kind[i] === LOST) lost++
  })
  return lost
}
