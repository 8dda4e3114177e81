import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { countJobs } from '../../src/scenario/model/sources.ts'
import { createArrivals } from '../../src/workload/arrivals.ts'
import { createServices } from '../../src/workload/service.ts'

/** The work of a run in columns, in the order in which it ended. */
export interface Spans {
  length: number
  readonly stage: Uint8Array
  readonly worker: Uint8Array
  readonly job: Int32Array
  readonly began: Float64Array
  readonly ended: Float64Array
}

/**
 * Plays a line of stages under least total time by a loop for just one run: batches of one, FIFO queues, no faults, no
 * order, and no record but the spans. The engine is measured against it and has the same spans.
 */
export function playPlainLoop(scenario: Scenario): Spans {
  const stages = scenario.stages.length
  const { workers } = scenario
  const services = createServices(scenario)
  const arrivals = createArrivals(scenario)
  const jobs = countJobs(scenario.source)
  const queue = Array.from({ length: stages }, () => new Int32Array(jobs))
  const [head, tail, busy, served, seats, drawn] = Array.from({ length: 6 }, () => new Int32Array(stages))
  const [sum, votes, offer] = Array.from({ length: 3 }, () => new Float64Array(stages))
  const at = new Float64Array(workers).fill(Infinity)
  const began = new Float64Array(workers)
  const where = new Int32Array(workers).fill(-1)
  const [what, place, taker] = Array.from({ length: 3 }, () => new Int32Array(workers))
  const many = jobs * stages
  const spans: Spans = {
    length: 0,
    stage: new Uint8Array(many),
    worker: new Uint8Array(many),
    job: new Int32Array(many),
    began: new Float64Array(many),
    ended: new Float64Array(many),
  }
  let idle = workers
  let waiting = 0
  let arrived = 0
  let arrival = arrivals.next()
  for (;;) {
    let now = arrival < 0 ? Infinity : arrival
    for (let w = 0; w < workers; w++) if (at[w] < now) now = at[w]
    if (now === Infinity) return spans
    for (let w = 0; w < workers; w++) {
      if (at[w] !== now) continue
      const s = where[w]
      const n = spans.length++
      spans.stage[n] = s
      spans.worker[n] = w
      spans.job[n] = what[w]
      spans.began[n] = began[w]
      spans.ended[n] = now
      sum[s] += now - began[w]
      served[s]++
      busy[s]--
      at[w] = Infinity
      idle++
      if (s + 1 === stages) continue
      queue[s + 1][tail[s + 1]++] = what[w]
      waiting++
    }
    for (; arrival === now; arrival = arrivals.next(), waiting++) queue[0][tail[0]++] = arrived++
    if (idle === 0 || waiting === 0) continue
    let known = 0
    let means = 0
    for (let s = 0; s < stages; s++) {
      if (served[s] === 0) continue
      known++
      means += sum[s] / served[s]
    }
    let over = arrival < 0
    for (let s = 0; s < stages; s++) {
      const queued = tail[s] - head[s]
      votes[s] = queued * (served[s] > 0 ? sum[s] / served[s] : known > 0 ? means / known : 1)
      over = over && queued === 0 && busy[s] === 0
      offer[s] = over ? -1 : votes[s] / 2
      seats[s] = 0
    }
    for (let seat = 0; seat < workers; seat++) {
      let best = 0
      for (let s = 1; s < stages; s++) if (offer[s] > offer[best]) best = s
      seats[best]++
      offer[best] = votes[best] / ((seats[best] + 1) * (seats[best] + 2))
    }
    // Each seat goes to the stage that lacks most workers.
    let assigned = 0
    for (; assigned < idle && assigned < waiting; assigned++) {
      let best = -1
      for (let s = 0; s < stages; s++) {
        if (tail[s] - head[s] === drawn[s]) continue
        const more = best < 0 ? 1 : seats[s] - busy[s] - (seats[best] - busy[best])
        if (more > 0 || (more === 0 && claim(votes[s], busy[s]) > claim(votes[best], busy[best]))) best = s
      }
      busy[best]++
      drawn[best]++
      place[assigned] = best
    }
    // It takes a worker that is at the stage already, else the first; a matched worker has time NaN until its work begins.
    for (let p = 0; p < assigned; p++) {
      taker[p] = -1
      for (let w = 0; w < workers && taker[p] < 0; w++) if (at[w] === Infinity && where[w] === place[p]) taker[p] = w
      if (taker[p] >= 0) at[taker[p]] = Number.NaN
    }
    for (let p = 0; p < assigned; p++) {
      for (let w = 0; taker[p] < 0; w++) if (at[w] === Infinity) taker[p] = w
      const s = place[p]
      const w = taker[p]
      where[w] = s
      what[w] = queue[s][head[s]++]
      began[w] = now
      at[w] = now + services.at(s, what[w])
      drawn[s]--
    }
    idle -= assigned
    waiting -= assigned
  }
}

function claim(votes: number, workers: number): number {
  return votes / ((workers + 1) * (workers + 2))
}
