import { DISCARDED, GATHERED, NONE, ROUTED, WITHDRAWN } from '../../../pipeline/rows.ts'
import { eachJob, type SpanFlow } from './stageGraph.ts'

/** Adds a row of a kind at a stage, or at none. */
type Push = (kind: number, stage: number) => void
const WAITS = 1
const HELD = 2

/** Where the parts of jobs are, for the rows that follow from services. */
export function createParts({ graph, stage, threw }: SpanFlow, jobOf: Int32Array, jobs: number) {
  const { next, joins, firsts, routes, weights } = graph
  const leavesInParts = next.filter((ways) => ways.length === 0).length > 1 && !routes
  const at = new Uint8Array(jobs * joins.length)
  const gathered = new Map<number, number>()
  const parts = new Int32Array(jobs)
  const lost = new Uint8Array(jobs)
  const part = (job: number, where: number) => where * jobs + job
  const { follows, again } = nextServices(jobOf, stage)

  function come(job: number, where: number, push: Push): void {
    const key = part(job, where)
    if (lost[job] === 1) {
      push(joins[where] > 1 ? DISCARDED : WITHDRAWN, where)
      return
    }
    if (joins[where] > 1) {
      const here = (gathered.get(key) ?? 0) + 1
      gathered.set(key, here)
      if (here < joins[where]) return
      gathered.delete(key)
      parts[job] -= here - 1
      push(GATHERED, where)
    }
    at[key] = WAITS
  }

  return {
    enter(job: number): void {
      parts[job] = firsts.length
      for (const first of firsts) at[part(job, first)] = WAITS
    },
    take(job: number, where: number): void {
      at[part(job, where)] = HELD
    },
    putBack(job: number, where: number): void {
      at[part(job, where)] = WAITS
    },
    isLost: (job: number): boolean => lost[job] === 1,
    /** Whether a try that failed is followed by another. */
    comesAgain: (i: number): boolean => threw[i] === 1 && again[i] === 1,
    /** Moves a job on behind service `i`. Returns 'out' if it has left, the stage where it waits, or 'parts' if it is in several places. */
    moveOn(job: number, i: number, isLast: boolean, push: Push): 'out' | 'parts' | number {
      const from = stage[i]
      const ways = next[from]
      at[part(job, from)] = 0
      if (ways.length === 0) {
        if (lost[job] === 1 || --parts[job] > 0) return 'parts'
        if (leavesInParts) push(GATHERED, NONE)
        return 'out'
      }
      if (routes && ways.length > 1) {
        const to = isLast ? ways[weights[from].indexOf(Math.max(...weights[from]))] : follows[i]
        push(ROUTED, to)
        come(job, to, push)
        return to
      }
      parts[job] += ways.length - 1
      for (const way of ways) come(job, way, push)
      return ways.length === 1 && joins[ways[0]] === 1 ? ways[0] : 'parts'
    },
    /** A job fails at a stage: its other parts leave, those in hand when they come back. */
    fail(job: number, failedAt: number, push: Push): void {
      lost[job] = 1
      at[part(job, failedAt)] = 0
      for (let where = 0; where < joins.length; where++) {
        const key = part(job, where)
        for (let here = gathered.get(key) ?? 0; here > 0; here--) push(DISCARDED, where)
        gathered.delete(key)
        if (at[key] !== WAITS) continue
        at[key] = 0
        push(WITHDRAWN, where)
      }
    },
  }
}

/** By service: the stage to which its job comes next, and whether it comes to the same stage again. */
function nextServices(jobOf: Int32Array, stage: Int32Array) {
  const follows = new Int32Array(stage.length).fill(NONE)
  const again = new Uint8Array(stage.length)
  eachJob(jobOf, (from, to) => {
    for (let i = from; i < to; i++)
      for (let k = i + 1; k < to; k++) {
        if (stage[k] === stage[i]) again[i] = 1
        else if (follows[i] === NONE) follows[i] = stage[k]
      }
  })
  return { follows, again }
}
