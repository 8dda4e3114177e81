import { t } from '../../../language/translate.ts'
import { leastTotalTimeCode } from '../../../scenario/model/policies.ts'

const seatBySeat = (divisor: string, first: string) => `export default function allocate(view) {
  const seats = view.stages.map(() => 0)
  let left = view.workers
${first}  for (; left > 0; left--) seats[next(view.stages, seats)]++
  return seats
}

// The stage with the greatest claim to one more worker.
function next(stages, seats) {
  const claims = stages.map(({ done, waiting, mean }, s) => (done ? -1 : (waiting * mean) / ${divisor}))
  return claims.indexOf(Math.max(...claims))
}
`

const jefferson = `// Each worker goes where the most work waits for each worker.
${seatBySeat('(seats[s] + 1)', '')}`

const oneEverywhere = `// One worker for each stage with work to come, then the least total time.
${seatBySeat(
  '((seats[s] + 1) * (seats[s] + 2))',
  `  view.stages.forEach(({ done }, s) => {
    if (done || left === 0) return
    seats[s] = 1
    left--
  })
`,
)}`

const sinkFirst = `// The last stages first, each as many workers as it can keep busy.
export default function allocate(view) {
  const seats = view.stages.map(() => 0)
  let left = view.workers
  for (let s = seats.length - 1; s >= 0; s--) {
    const { waiting, busy } = view.stages[s]
    seats[s] = Math.min(left, waiting + busy)
    left -= seats[s]
  }
  return seats
}
`

const ifItPays = `// The least total time, but the workers stay unless a change saves a tenth of it.
${seatBySeat('((seats[s] + 1) * (seats[s] + 2))', '').replace(
  '  return seats\n',
  `  const { memory, workers } = view
  const stays = memory.workers === workers && cost(view.stages, memory.seats) < 1.1 * cost(view.stages, seats)
  if (!stays) Object.assign(memory, { workers, seats })
  return memory.seats
`,
)}
function cost(stages, seats) {
  return stages.reduce((sum, { waiting, mean }, s) => sum + (waiting * mean) / (seats[s] + 1), 0)
}
`

/** Code to begin with, by a name for people. */
export const startingPoints = (): readonly (readonly [name: string, code: string])[] => [
  [t('Least total time'), leastTotalTimeCode],
  [t('Jefferson'), jefferson],
  [t('Nearest the sink first'), sinkFirst],
  [t('Switch only if it pays'), ifItPays],
  [t('Keep one worker everywhere'), oneEverywhere],
]
