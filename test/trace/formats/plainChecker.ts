import { kinds, NONE, type Row } from '../../../src/pipeline/rows.ts'
import { SINK, topologyOf, workersEver } from '../../../src/pipeline/topology.ts'
import { initialWorkerCount, isElastic } from '../../../src/scenario/model/defaults.ts'
import { MAX_BATCH } from '../../../src/scenario/model/limits.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { phasesOf } from '../../../src/scenario/model/schedule.ts'
import { countJobs } from '../../../src/scenario/model/sources.ts'

interface Worker {
  there: boolean
  leaving: boolean
  stage: number
  /** The jobs in hand; the last `second` of them are prefetched. When the batch in front began; both batches, when they were given. */
  hand: number[]
  second: number
  prefetching: boolean
  since: number
  given: number
  secondGiven: number
  batch: number
  services: { began: number; ended: number; batch: number }[]
}

/** The rules of the checker of rows, read off a plain picture: who has which job, and where each part of a job is. */
export function createPlainChecker(scenario: Scenario) {
  const topology = topologyOf(scenario)
  const present = isElastic(scenario.policy) ? 0 : initialWorkerCount(scenario)
  const workers = Array.from({ length: workersEver(scenario) }, (_, w): Worker => {
    const times = { since: 0, given: NONE, secondGiven: NONE, batch: 0, services: [] }
    return { there: w < present, leaving: false, stage: NONE, hand: [], second: 0, prefetching: false, ...times }
  })
  const parts = new Map<string, 'waiting' | 'held' | 'routing'>()
  const gathered = new Map<string, number>()
  const jobs = new Map<number, { is: 'under way' | 'at the sink' | 'away' | 'failed'; parts: number }>()
  let exhausted = false
  let stopped = false
  let phase = 0
  /** Whose second batch the row before has announced. */
  let announced = NONE

  const whole = (job: number) => jobs.get(job)?.is
  const come = (stage: number, job: number) => {
    const place = `${stage}/${job}`
    if (topology.joins[stage] > 0) gathered.set(place, (gathered.get(place) ?? 0) + 1)
    else parts.set(place, 'waiting')
  }
  const free = (worker: Worker, time: number) => {
    worker.since = time
    if (worker.leaving) Object.assign(worker, { leaving: false, there: false, stage: NONE })
  }
  /** The front batch is over: the second one is next, or the worker is free. */
  const next = (worker: Worker, time: number) => {
    if (worker.hand.length === 0) free(worker, time)
    else if (worker.hand.length === worker.second) Object.assign(worker, { second: 0, prefetching: false, since: time })
  }
  const layDown = (worker: Worker, count: number) => {
    for (const job of worker.hand.splice(0, count)) parts.set(`${worker.stage}/${job}`, 'waiting')
  }

  function refusal({ time, kind, stage, worker, job, began, ended }: Row): string | null {
    const place = `${stage}/${job}`
    const at = parts.get(place)
    const who = workers[worker]
    if (stopped) return `kind: nothing can be ${kinds[kind]} after the run was stopped`
    const notWaiting = at === 'waiting' ? null : `job: job ${job} is not waiting at stage ${stage}`
    const notInHand = `job: job ${job} is not in the hands of worker ${worker} at stage ${stage}`
    const notFailed = whole(job) === 'failed' ? null : `job: job ${job} has not failed`
    const notThere = who === undefined || who.there ? null : `worker: worker ${worker} is not there`
    if (announced !== NONE && (kinds[kind] !== 'started' || worker !== announced))
      return `${kinds[kind] === 'started' ? 'worker' : 'kind'}: worker ${announced} is to get its second batch here; allowed: a started row of this worker`
    switch (kinds[kind]) {
      case 'arrived': {
        const most = countJobs(scenario.source)
        if (job >= most) return `job: job ${job} arrives; allowed: below ${most}, the number of jobs of the source`
        if (exhausted) return 'kind: no job can arrive after the source ran dry'
        return job === jobs.size ? null : `job: job ${job} arrives; allowed: ${jobs.size}, since jobs arrive in order of their numbers`
      }
      case 'started': {
        const most = phasesOf(scenario)[phase].batch.size ?? MAX_BATCH
        const room = who.prefetching ? who.secondGiven === time && who.second < most : who.since === time && who.hand.length < most
        if (notWaiting ?? notThere) return notWaiting ?? notThere
        if (who.hand.length === 0 || (who.stage === stage && room)) return null
        return `worker: worker ${worker} is given job ${job} while it has job ${who.hand[0]} in hand`
      }
      case 'finished': {
        if (who.stage !== stage || !who.hand.includes(job)) return notInHand
        const given = who.hand.indexOf(job) >= who.hand.length - who.second ? who.secondGiven : who.given
        if (began < given) return `began: the work on job ${job} begins at ${began}, before it was given to worker ${worker} at ${given}`
        const meets = who.services.some((one) => began < one.ended && (one.batch < who.batch || ended > one.began))
        return meets ? `began: worker ${worker} cannot serve job ${job} from ${began} to ${ended}: it serves another then` : null
      }
      case 'threw':
        if (notThere) return notThere
        if (who.stage !== stage || who.hand.length === 0) return `worker: worker ${worker} has no job of stage ${stage} in hand`
        return job === NONE || who.hand.slice(0, who.hand.length - who.second).includes(job) ? null : notInHand
      case 'lost':
        return notThere
      case 'second':
        if (who.hand.length > 0 && !who.prefetching && who.stage === stage) return null
        return `worker: worker ${worker} is not at one batch of stage ${stage}, so it cannot get a second`
      case 'failed':
        return whole(job) === 'under way' ? notWaiting : `job: job ${job} is not waiting at stage ${stage}`
      case 'released':
        return whole(job) === 'at the sink' ? null : `job: job ${job} has not been through all stages, or has left already`
      case 'routed': {
        const comes = [...topology.before[stage]].some((each) => parts.get(`${each}/${job}`) === 'routing')
        return comes && whole(job) === 'under way' ? null : `job: job ${job} is not on its way to stage ${stage}`
      }
      case 'gathered': {
        const here = gathered.get(place) ?? 0
        if (stage === NONE)
          return whole(job) === 'under way' && jobs.get(job)?.parts === 0 && topology.leavesInParts
            ? null
            : `job: not all parts of job ${job} have been through all stages, or it has left already`
        const all = topology.joins[stage]
        if (all > 0 && here === all && whole(job) === 'under way') return null
        return `job: ${here} parts of job ${job} have come to stage ${stage}; allowed: all of them, ${all}`
      }
      case 'withdrawn':
        return notWaiting ?? notFailed
      case 'discarded':
        return (gathered.get(place) ?? 0) > 0 ? notFailed : `job: no part of job ${job} waits for others at stage ${stage}`
      case 'exhausted':
        return exhausted ? 'kind: the source has run dry already' : null
      case 'joined':
      case 'hired':
        return who.there ? `worker: worker ${worker} is there already` : null
      case 'dismissed':
        if (who.leaving || who.stage !== stage || !who.there) return `worker: worker ${worker} is not in the pool of stage ${stage}`
        return job === NONE || who.hand.includes(job) ? null : notInHand
      case 'turned': {
        const turn = scenario.later[job]
        if (job !== phase || turn === undefined) return `job: the scenario turns ${scenario.later.length} times, and has ${phase} times so far`
        return time >= turn.at ? null : `time: the scenario turns at ${turn.at}, not before`
      }
      default:
        return null
    }
  }

  function take({ time, kind, stage, worker, job, began, ended }: Row): void {
    const place = `${stage}/${job}`
    const who = workers[worker]
    const before = who?.prefetching
    announced = kinds[kind] === 'second' ? worker : NONE
    switch (kinds[kind]) {
      case 'arrived':
        jobs.set(job, { is: 'under way', parts: topology.firsts.length })
        for (const first of topology.firsts) parts.set(`${first}/${job}`, 'waiting')
        break
      case 'started':
        parts.set(place, 'held')
        if (who.hand.length === 0) Object.assign(who, { stage, since: time, given: time })
        else if (who.prefetching) who.second++
        who.hand.push(job)
        break
      case 'finished': {
        const of = jobs.get(job)
        who.services.push({ began, ended, batch: who.batch })
        who.hand.splice(who.hand.indexOf(job), 1)
        parts.delete(place)
        const ways = [...topology.ways[stage]]
        if (topology.next[stage] === SINK && of) of.is = 'at the sink'
        else if (topology.routes[stage] === 1) parts.set(place, 'routing')
        else if (topology.next[stage] >= 0) parts.set(`${topology.next[stage]}/${job}`, 'waiting')
        else {
          if (of) of.parts += ways.length - 1
          for (const way of ways) come(way, job)
        }
        next(who, time)
        break
      }
      case 'threw':
        layDown(who, who.hand.length - who.second)
        next(who, time)
        break
      case 'lost':
        layDown(who, who.hand.length)
        Object.assign(who, { there: false, leaving: false, second: 0, prefetching: false, since: time })
        break
      case 'second':
        Object.assign(who, { prefetching: true, secondGiven: time })
        break
      case 'failed':
      case 'withdrawn':
        parts.delete(place)
        jobs.set(job, { is: 'failed', parts: jobs.get(job)?.parts ?? 0 })
        break
      case 'released':
        jobs.set(job, { is: 'away', parts: 0 })
        break
      case 'routed':
        parts.delete(`${[...topology.before[stage]].find((each) => parts.get(`${each}/${job}`) === 'routing')}/${job}`)
        come(stage, job)
        break
      case 'gathered': {
        const of = jobs.get(job)
        if (of === undefined) break
        if (stage === NONE) of.is = 'at the sink'
        else {
          gathered.delete(place)
          of.parts -= topology.joins[stage] - 1
          parts.set(place, 'waiting')
        }
        break
      }
      case 'discarded':
        gathered.set(place, (gathered.get(place) ?? 0) - 1)
        break
      case 'exhausted':
        exhausted = true
        break
      case 'stopped':
        stopped = true
        break
      case 'joined':
      case 'hired':
        Object.assign(who, { there: true, stage: kinds[kind] === 'joined' ? NONE : stage, since: time })
        break
      case 'dismissed':
        who.leaving = true
        if (job !== NONE) layDown(who, who.hand.length)
        if (who.hand.length === 0) free(who, time)
        break
      case 'turned':
        phase++
    }
    if (who === undefined) return
    const movedUp = before === true && !who.prefetching
    if (movedUp) who.given = who.secondGiven
    if (movedUp || who.hand.length === 0) who.batch++
  }

  /** Takes a row in, or returns why it cannot follow the rows before it: the column and the message. */
  return (row: Row): string | null => {
    const reason = refusal(row)
    if (reason === null) take(row)
    return reason
  }
}
