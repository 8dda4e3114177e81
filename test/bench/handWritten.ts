import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { createArrivals } from '../../src/workload/arrivals.ts'
import { createServices } from '../../src/workload/service.ts'

/** The spans of a run in columns, and how often the loop decided. */
export interface HandWritten {
  readonly length: number
  readonly decisions: number
  readonly makespan: number
  readonly stage: Uint8Array
  readonly worker: Uint8Array
  readonly job: Int32Array
  readonly began: Float64Array
  readonly ended: Float64Array
}

/**
 * What somebody would write who needed just this one figure: a line of stages under least total time, batches of one,
 * FIFO queues, no faults, no order, nothing recorded but the spans. Typed arrays, one loop, no calls but for the luck and
 * the decision. It is the yardstick for the engine, and its spans must be the engine's.
 */
export function playByHand(scenario: Scenario): HandWritten {
  const stages = scenario.stages.length
  const { workers } = scenario
  const services = createServices(scenario)
  const arrivals = createArrivals(scenario)
  const source = scenario.source
  const jobs = 'jobs' in source && source.jobs !== null ? source.jobs : 0
  const queue = Array.from({ length: stages }, () => new Int32Array(jobs))
  const head = new Int32Array(stages)
  const tail = new Int32Array(stages)
  const busy = new Int32Array(stages)
  const served = new Int32Array(stages)
  const sum = new Float64Array(stages)
  const votes = new Float64Array(stages)
  const seats = new Int32Array(stages)
  const done = new Uint8Array(stages)
  const drawn = new Int32Array(stages)
  const post = new Int32Array(workers)
  const taker = new Int32Array(workers)
  const at = new Float64Array(workers).fill(Infinity)
  const began = new Float64Array(workers)
  const where = new Int32Array(workers).fill(-1)
  const what = new Int32Array(workers)
  const out = {
    stage: new Uint8Array(jobs * stages),
    worker: new Uint8Array(jobs * stages),
    job: new Int32Array(jobs * stages),
    began: new Float64Array(jobs * stages),
    ended: new Float64Array(jobs * stages),
  }
  let spans = 0
  let decisions = 0
  let idle = workers
  let arrival = arrivals.next()
  let arrived = 0
  let now = 0
  for (;;) {
    now = arrival < 0 ? Infinity : arrival
    for (let w = 0; w < workers; w++) if (at[w] < now) now = at[w]
    if (now === Infinity) break
    for (let w = 0; w < workers; w++) {
      if (at[w] !== now) continue
      const s = where[w]
      out.stage[spans] = s
      out.worker[spans] = w
      out.job[spans] = what[w]
      out.began[spans] = began[w]
      out.ended[spans++] = now
      sum[s] += now - began[w]
      served[s]++
      busy[s]--
      at[w] = Infinity
      idle++
      if (s + 1 < stages) queue[s + 1][tail[s + 1]++] = what[w]
    }
    while (arrival === now) {
      queue[0][tail[0]++] = arrived++
      arrival = arrivals.next()
    }
    let waiting = 0
    for (let s = 0; s < stages; s++) waiting += tail[s] - head[s]
    if (idle === 0 || waiting === 0) continue
    decisions++
    let known = 0
    let means = 0
    for (let s = 0; s < stages; s++) {
      if (served[s] === 0) continue
      known++
      means += sum[s] / served[s]
    }
    let over = arrival < 0
    for (let s = 0; s < stages; s++) {
      votes[s] = (tail[s] - head[s]) * (served[s] > 0 ? sum[s] / served[s] : known > 0 ? means / known : 1)
      over = over && tail[s] === head[s] && busy[s] === 0
      done[s] = over ? 1 : 0
      seats[s] = 0
    }
    for (let seat = 0; seat < workers; seat++) {
      let best = -1
      let most = -1
      for (let s = 0; s < stages; s++) {
        if (done[s] === 1) continue
        const quotient = votes[s] / ((seats[s] + 1) * (seats[s] + 2))
        if (quotient > most) {
          most = quotient
          best = s
        }
      }
      seats[best]++
    }
    let posts = 0
    while (posts < idle) {
      let best = -1
      let lacking = 0
      let claim = 0
      for (let s = 0; s < stages; s++) {
        if (tail[s] - head[s] === drawn[s]) continue
        const manned = busy[s] + drawn[s]
        const short = seats[s] - manned
        const quotient = votes[s] / ((manned + 1) * (manned + 2))
        if (best >= 0 && (short < lacking || (short === lacking && quotient <= claim))) continue
        best = s
        lacking = short
        claim = quotient
      }
      if (best < 0) break
      drawn[best]++
      post[posts] = best
      taker[posts++] = -1
    }
    // Those who stand there already go first; whoever is matched has a time of NaN until the work begins.
    for (let p = 0; p < posts; p++) {
      for (let w = 0; w < workers && taker[p] < 0; w++) if (at[w] === Infinity && where[w] === post[p]) taker[p] = w
      if (taker[p] >= 0) at[taker[p]] = Number.NaN
    }
    for (let p = 0; p < posts; p++) {
      for (let w = 0; w < workers && taker[p] < 0; w++) if (at[w] === Infinity) taker[p] = w
      at[taker[p]] = Number.NaN
    }
    for (let p = 0; p < posts; p++) {
      const s = post[p]
      const worker = taker[p]
      const job = queue[s][head[s]++]
      where[worker] = s
      what[worker] = job
      began[worker] = now
      at[worker] = now + services.at(s, job)
      busy[s]++
      drawn[s]--
    }
    idle -= posts
  }
  let makespan = 0
  for (let k = 0; k < spans; k++) if (out.ended[k] > makespan) makespan = out.ended[k]
  return { ...out, length: spans, decisions, makespan }
}
