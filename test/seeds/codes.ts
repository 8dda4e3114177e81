import { leastTotalTimeCode } from '../../src/scenario/model/policies.ts'
import type { Policy } from '../../src/scenario/model/scenario.ts'
import type { Books } from './books.ts'

/** The result of a code, computed without it: a policy of the list, or the seats by stage at a given decision. */
type Equivalent = Policy | ((books: Books, decision: number) => number[])

/** Codes for the games, by name, each with an equivalent policy. */
export const codes: Readonly<Record<string, { readonly source: string; readonly equivalent: Equivalent }>> = {
  'least total time': { source: leastTotalTimeCode, equivalent: { kind: 'leastScore', lend: true } },
  'last listed first': {
    source: `export default ({ workers, stages }) => {
      const seats = {}
      for (const { id, waiting, busy, done } of [...stages].reverse()) {
        if (done) continue
        seats[id] = Math.min(workers, waiting + busy)
        workers -= seats[id]
      }
      return seats
    }`,
    equivalent(books) {
      let left = books.alive()
      const seats = books.scenario.stages.map(() => 0)
      for (let s = seats.length - 1; s >= 0; s--) {
        if (books.done(s)) continue
        seats[s] = Math.min(left, books.waiting(s) + books.busy(s))
        left -= seats[s]
      }
      return seats
    },
  },
  'by what it remembers': {
    source: `let calls = 0
    export default ({ workers, stages, memory }) => {
      memory.turn = (memory.turn ?? -1) + 1
      if (calls++ !== memory.turn) throw new Error('it has been asked elsewhere')
      const open = stages.filter(({ done }) => !done)
      const best = open[memory.turn % open.length]
      const others = open.find(({ finished }) => finished % 3 === 1) ?? best
      return stages.map((stage) => (stage === best ? Math.ceil(workers / 2) : 0) + (stage === others ? Math.floor(workers / 2) : 0))
    }`,
    equivalent(books, decision) {
      const workers = books.alive()
      const open = [...books.scenario.stages.keys()].filter((s) => !books.done(s))
      const best = open[decision % open.length]
      const others = open.find((s) => books.measured[s].length % 3 === 1) ?? best
      const seats = books.scenario.stages.map(() => 0)
      seats[best] += Math.ceil(workers / 2)
      seats[others] += Math.floor(workers / 2)
      return seats
    },
  },
}

/** Returns the equivalent of a code. */
export function equivalentOf(source: string): Equivalent {
  const known = Object.values(codes).find((code) => code.source === source)
  if (known === undefined) throw new Error('code without an equivalent policy')
  return known.equivalent
}
