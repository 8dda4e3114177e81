import { ARRIVED, FINISHED, kinds, RELEASED, STARTED } from '../../src/pipeline/rows.ts'
import { readTraceJson } from '../../src/trace/formats/readTraceJson.ts'
import { writeTraceJson } from '../../src/trace/formats/traceJson.ts'
import type { Trace } from '../../src/trace/trace.ts'
import type { Chance } from '../fixtures/chance.ts'
import { digestOf } from '../trace/digestOf.ts'
import { claim } from './claim.ts'

/** A trace file as a tree. */
interface Tree {
  readonly kinds: readonly string[]
  readonly events: Readonly<Record<string, number[]>>
}

/** A record reads back exactly as it was written. A record in which a row cannot follow the earlier ones is refused. */
export function recordIsKept(trace: Trace, chance: Chance): void {
  const text = [...writeTraceJson(trace)].join('')
  const read = readTraceJson(text)
  claim(
    'trace' in read,
    () =>
      `its own record is refused: ${'problems' in read && read.problems[0].path} ${'problems' in read && read.problems[0].message}`,
  )
  claim(
    read.trace.length === trace.length && digestOf(read.trace) === digestOf(trace),
    () => 'a record that is read back is another',
  )
  for (const { name, alter } of lies) {
    const tree: Tree = JSON.parse(text)
    const rows = (kind: number) => tree.events.kind.flatMap((each, i) => (tree.kinds[each] === kinds[kind] ? [i] : []))
    if (!alter(tree.events, rows, chance)) continue
    claim('problems' in readTraceJson(JSON.stringify(tree)), () => `a record is taken in which ${name}`)
  }
}

/** Ways to make a record impossible. `rows`: the indexes of the rows of a kind. They return false if they change nothing. */
interface Lie {
  readonly name: string
  alter(events: Tree['events'], rows: (kind: number) => number[], chance: Chance): boolean
}

/** Applies `change` to a random row of a kind. */
const atSome =
  (kind: number, change: (events: Tree['events'], i: number) => boolean | undefined): Lie['alter'] =>
  (events, rows, chance) => {
    const places = rows(kind)
    return places.length > 0 && change(events, chance.pick(places)) !== false
  }

function again(events: Tree['events'], i: number): undefined {
  for (const column of Object.values(events)) column.splice(i, 0, column[i])
}

function without(events: Tree['events'], i: number): undefined {
  for (const column of Object.values(events)) column.splice(i, 1)
}

/** The row that gave the job of a finished row to its worker. */
function givenBefore({ kind, stage, worker, job }: Tree['events'], i: number): number {
  return lastBefore(
    i,
    (k) => kind[k] !== kind[i] && worker[k] === worker[i] && job[k] === job[i] && stage[k] === stage[i],
  )
}

/** The row where the last service of a released job ended: no worker gets the job after it. */
function finishedBefore({ stage, worker, job }: Tree['events'], i: number): number {
  return lastBefore(i, (k) => job[k] === job[i] && stage[k] >= 0 && worker[k] >= 0)
}

function lastBefore(i: number, fits: (k: number) => boolean): number {
  let k = i - 1
  while (k >= 0 && !fits(k)) k--
  return k
}

const lies: readonly Lie[] = [
  { name: 'a job arrives twice', alter: atSome(ARRIVED, again) },
  { name: 'a job is given to a worker twice', alter: atSome(STARTED, again) },
  { name: 'a job is finished twice', alter: atSome(FINISHED, again) },
  { name: 'a job leaves twice', alter: atSome(RELEASED, again) },
  {
    name: 'a job that leaves was not finished',
    alter: atSome(RELEASED, (events, i) => without(events, finishedBefore(events, i))),
  },
  {
    name: 'a job was never given to the worker that has finished it',
    alter: atSome(FINISHED, (events, i) => without(events, givenBefore(events, i))),
  },
  {
    name: 'somebody else has finished the job',
    alter: atSome(FINISHED, ({ worker }, i) => {
      worker[i] += worker[i] === 0 ? 1 : -1
    }),
  },
  {
    name: 'a service begins before the job was given to the worker',
    alter: atSome(FINISHED, (events, i) => {
      events.began[i] = events.time[givenBefore(events, i)] - 1
      return events.began[i] >= 0
    }),
  },
  {
    name: 'a service ends after it was reported',
    alter: atSome(FINISHED, ({ time, ended }, i) => {
      ended[i] = time[i] + 1
    }),
  },
  {
    name: 'time runs back',
    alter: atSome(STARTED, ({ time }, i) => {
      if (time[i] === 0) return false
      time.fill(time[i] - 1, i + 1)
      return i + 1 < time.length
    }),
  },
]
