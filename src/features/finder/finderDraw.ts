import { removeStage, setStage, setWorkers } from '../../scenario/edit/edits.ts'
import { scenarioDefaults, stageDefaults } from '../../scenario/model/defaults.ts'
import { scaledService, serviceMean } from '../../scenario/model/distributions.ts'
import { isLinear, linearLinks, linearOrder } from '../../scenario/model/linearStages.ts'
import {
  SCENARIO_VERSION,
  type Scenario,
  type Service,
  type Source,
  type Stage,
} from '../../scenario/model/scenario.ts'
import { countJobs } from '../../scenario/model/sources.ts'
import { createArrivals } from '../../workload/arrivals.ts'
import { createRandom, randomKey } from '../../workload/random.ts'

/** The limits of a scenario of the search, so that a trial is quick. */
export const MAX_FOUND_STAGES = 8
export const MAX_FOUND_WORKERS = 16
const MAX_FOUND_JOBS = 48
/** Service times stay between these means, in microseconds, so that no policy fails because of unrealistic times. */
const MIN_MEAN = 1000
const MAX_MEAN = 1_000_000
const MAX_TIME = 10_000_000
const MAX_FOUND_BATCH = 8

export type ChainDraws = ReturnType<typeof createChainDraws>

/** Returns the random numbers of one chain, after the first `from` of them. */
export function createChainDraws(seed: number, chain: number, from: number) {
  const random = createRandom(seed, randomKey('finder'))
  let drawn = from
  /** Returns a number in (0, 1). */
  const next = () => random(chain, drawn++)
  /** Returns a whole number from 0 to n - 1. */
  const below = (n: number) => Math.floor(next() * n)
  return {
    /** How many have been drawn. */
    get drawn() {
      return drawn
    },
    next,
    below,
    pick: <T>(items: readonly T[]): T => items[below(items.length)],
  }
}

/** Returns a random small scenario: a line of stages, and jobs at times of their own. */
export function drawScenario(draw: ChainDraws): Scenario {
  const ids = 'ABCDEFGH'.slice(0, 1 + draw.below(MAX_FOUND_STAGES)).split('')
  const jobs = 1 + draw.below(draw.pick([6, 12, 24, MAX_FOUND_JOBS]))
  const workers = 1 + draw.below(draw.pick([4, 8, MAX_FOUND_WORKERS]))
  const stages = ids.map((id): Stage => ({ ...stageDefaults, id, name: id, service: drawService(draw) }))
  return {
    ...scenarioDefaults,
    ...{
      version: SCENARIO_VERSION,
      seed: 1 + draw.below(1000),
      stages,
      links: linearLinks(ids),
      workers,
      cores: workers,
    },
    batch: { size: draw.pick([1, 1, 2, MAX_FOUND_BATCH]), inHand: 1 },
    source: timesOf(
      draw.next() < 0.5
        ? Array(jobs).fill(0)
        : Array.from({ length: jobs }, () => draw.pick([1, 10, 100]) * 10_000 * draw.next()),
    ),
  }
}

/** Returns the scenario with arrivals as a list of times, cut to a number of jobs that can be tried quickly. Jobs of groups, tiles and values stay what they are. */
export function startAround(scenario: Scenario): Scenario {
  const { source } = scenario
  if (source.kind === 'groups' || source.kind === 'image' || source.kind === 'lines' || source.kind === 'values')
    return scenario
  const arrivals = createArrivals(scenario)
  const at: number[] = []
  for (let time = arrivals.next(); time >= 0 && at.length < MAX_FOUND_JOBS; time = arrivals.next()) at.push(time)
  return at.length === 0 ? scenario : { ...scenario, source: { kind: 'times', at } }
}

/** Returns a source of jobs at these times, in whole microseconds and in order. */
export function timesOf(times: readonly number[]): Source {
  return {
    kind: 'times',
    at: times.map((time) => Math.max(0, Math.min(MAX_TIME, Math.round(time)))).sort((a, b) => a - b),
  }
}

function drawService(draw: ChainDraws): Service {
  const mean = draw.pick([1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000]) * MIN_MEAN
  return draw.next() < 0.6 ? { kind: 'constant', mean } : shaped(mean, draw)
}

function shaped(mean: number, draw: ChainDraws): Service {
  const kind = draw.pick(['constant', 'exponential', 'uniform', 'bimodal'] as const)
  if (kind === 'uniform') return { kind, min: Math.round(mean / 2), max: Math.round(mean * 1.5) }
  if (kind === 'bimodal')
    return {
      kind,
      fast: mean,
      slow: Math.min(MAX_MEAN, mean * draw.pick([3, 10, 30])),
      pSlow: draw.pick([0.1, 0.2, 0.5]),
    }
  return { kind, mean }
}

type Change = (scenario: Scenario, draw: ChainDraws) => Scenario

/** The changes that a mutation may make to any scenario: numbers, arrivals and faults. */
const numbers: readonly Change[] = [
  stretchService,
  stretchService,
  (scenario, draw) =>
    withStage(scenario, draw, ({ service }) => ({ service: shaped(Math.round(serviceMean(service)), draw) })),
  changeLaterJobs,
  (scenario, draw) => resized(scenario, scenario.workers + draw.pick([-2, -1, 1, 2])),
  (scenario, draw) => resized(scenario, 1 + draw.below(MAX_FOUND_WORKERS)),
  moveArrivals,
  moveArrivals,
  otherJobs,
  (scenario, draw) => ({ ...scenario, seed: 1 + draw.below(1000) }),
  (scenario, draw) => ({ ...scenario, batch: { size: draw.pick([1, 1, 2, 3, MAX_FOUND_BATCH]), inHand: 1 } }),
  changeSwitchCost,
  moveFault,
]

/** Further changes to a scenario that was drawn here: stages. */
const shapes: readonly Change[] = [
  addStageLike,
  (scenario, draw) => removeStage(scenario, draw.pick(scenario.stages).id),
  swapStages,
]

/** Returns the scenario with one to three random changes. `parse` says whether it can be played. */
export function mutated(scenario: Scenario, draw: ChainDraws, keepsStages: boolean): Scenario {
  let next = scenario
  const changes = keepsStages ? numbers : [...numbers, ...shapes]
  for (let left = draw.pick([1, 1, 2, 3]); left > 0; left--) next = draw.pick(changes)(next, draw)
  return next
}

function withStage(scenario: Scenario, draw: ChainDraws, patch: (stage: Stage) => Partial<Stage>): Scenario {
  const stage = draw.pick(scenario.stages)
  return setStage(scenario, stage.id, patch(stage))
}

function stretchService(scenario: Scenario, draw: ChainDraws): Scenario {
  const factor = draw.pick([0.1, 0.5, 0.8, 0.95, 1.05, 1.25, 2, 10])
  return withStage(scenario, draw, ({ service }) => ({ service: bounded(scaledService(service, factor)) }))
}

function bounded(service: Service): Service {
  const mean = serviceMean(service)
  return scaledService(service, Math.max(MIN_MEAN, Math.min(MAX_MEAN, mean)) / mean)
}

/** Adds a change of service time from some job on, or removes one. */
function changeLaterJobs(scenario: Scenario, draw: ChainDraws): Scenario {
  return withStage(scenario, draw, ({ changes }) => {
    if (changes.length > 0 && draw.next() < 0.5) return { changes: changes.slice(0, -1) }
    const from = 1 + draw.below(Math.max(1, countJobs(scenario.source)))
    const others = changes.filter((change) => change.from !== from).slice(0, 3)
    return { changes: [...others, { from, service: drawService(draw) }].sort((a, b) => a.from - b.from) }
  })
}

function resized(scenario: Scenario, workers: number): Scenario {
  return setWorkers(scenario, Math.max(1, Math.min(Math.max(MAX_FOUND_WORKERS, scenario.workers), workers)))
}

/** Moves one arrival, gathers all, or stretches the time between them. */
function moveArrivals(scenario: Scenario, draw: ChainDraws): Scenario {
  const { source } = scenario
  if (source.kind !== 'times') return scenario
  const { at } = source
  const k = draw.below(at.length)
  const until = at[at.length - 1]
  const near = serviceMean(draw.pick(scenario.stages).service)
  const kind = draw.below(5)
  const share = kind === 2 ? draw.pick([0.5, 0.8, 1.25, 2]) : kind < 4 ? draw.next() : 0
  const moved = at.map((time, i) => {
    if (kind === 0) return i === k ? time + (share - 0.5) * near : time
    if (kind === 1) return i === k ? share * (until + near) : time
    if (kind === 2) return time * share
    // Either all jobs from this one on are shifted, or all jobs after it arrive with it.
    if (kind === 3) return i >= k ? time + (share - 0.5) * 2 * near : time
    return i > k ? at[k] : time
  })
  return { ...scenario, source: timesOf(moved) }
}

function otherJobs(scenario: Scenario, draw: ChainDraws): Scenario {
  const { source } = scenario
  if (source.kind !== 'times') return scenario
  const { at } = source
  const k = draw.below(at.length)
  if (at.length > 1 && draw.next() < 0.5) return { ...scenario, source: timesOf(at.filter((_, i) => i !== k)) }
  const more = Array<number>(draw.pick([1, 1, 4])).fill(at[k])
  return { ...scenario, source: timesOf([...at, ...more].slice(0, MAX_FOUND_JOBS)) }
}

/** A change of stage costs at most a tenth of the mean service: with more, changing stage at all would be the mistake, not the policy. */
function changeSwitchCost(scenario: Scenario, draw: ChainDraws): Scenario {
  const mean = scenario.stages.reduce((sum, { service }) => sum + serviceMean(service), 0) / scenario.stages.length
  return { ...scenario, switchCost: draw.next() < 0.5 ? 0 : Math.round(mean * draw.pick([0.01, 0.05, 0.1])) }
}

function moveFault(scenario: Scenario, draw: ChainDraws): Scenario {
  const { workerEvents } = scenario
  if (workerEvents.length === 0) return scenario
  const k = draw.below(workerEvents.length)
  const moved = workerEvents.map((event, i) =>
    i === k ? { ...event, at: Math.round(event.at * draw.pick([0.5, 0.8, 0.95, 1.05, 1.25, 2])) } : event,
  )
  return { ...scenario, workerEvents: moved.sort((a, b) => a.at - b.at) }
}

function addStageLike(scenario: Scenario, draw: ChainDraws): Scenario {
  const { stages } = scenario
  const id = 'ABCDEFGH'.split('').find((each) => stages.every((stage) => stage.id !== each))
  if (id === undefined || stages.length >= MAX_FOUND_STAGES || !isLinear(scenario)) return scenario
  const order = linearOrder(scenario)
  const place = draw.below(order.length + 1)
  const added = { ...draw.pick(stages), id, name: id }
  return {
    ...scenario,
    stages: [...stages, added],
    links: linearLinks([...order.slice(0, place), id, ...order.slice(place)]),
  }
}

function swapStages(scenario: Scenario, draw: ChainDraws): Scenario {
  const [one, other] = [draw.pick(scenario.stages), draw.pick(scenario.stages)]
  const changed = setStage(scenario, one.id, { service: other.service, changes: other.changes })
  return setStage(changed, other.id, { service: one.service, changes: one.changes })
}
