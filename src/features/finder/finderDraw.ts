import { removeStage, setStage, setWorkers } from '../../scenario/edit/edits.ts'
import { scenarioDefaults, stageDefaults } from '../../scenario/model/defaults.ts'
import { scaledService, serviceMean } from '../../scenario/model/distributions.ts'
import { isLinear, linearLinks, linearOrder } from '../../scenario/model/linearStages.ts'
import { SCENARIO_VERSION, type Scenario, type Service, type Source, type Stage } from '../../scenario/model/scenario.ts'
import { countJobs } from '../../scenario/model/sources.ts'
import { createArrivals } from '../../workload/arrivals.ts'
import { createRandom, randomKey } from '../../workload/random.ts'

/** What a scenario of the search has at most, so that a trial is quick. */
export const MAX_FOUND_STAGES = 8
export const MAX_FOUND_WORKERS = 16
const MAX_FOUND_JOBS = 48
/** Service times stay between these means, in microseconds, so that no policy fails because of unrealistic times. */
const MIN_MEAN = 1000
const MAX_MEAN = 1_000_000
const MAX_TIME = 10_000_000
const MAX_FOUND_BATCH = 8

export type Dice = ReturnType<typeof createDice>

/** Returns the random numbers of one chain, after the first `from` of them. */
export function createDice(seed: number, chain: number, from: number) {
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
export function drawScenario(dice: Dice): Scenario {
  const ids = 'ABCDEFGH'.slice(0, 1 + dice.below(MAX_FOUND_STAGES)).split('')
  const jobs = 1 + dice.below(dice.pick([6, 12, 24, MAX_FOUND_JOBS]))
  const workers = 1 + dice.below(dice.pick([4, 8, MAX_FOUND_WORKERS]))
  const stages = ids.map((id): Stage => ({ ...stageDefaults, id, name: id, service: drawService(dice) }))
  return {
    ...scenarioDefaults,
    ...{ version: SCENARIO_VERSION, seed: 1 + dice.below(1000), stages, links: linearLinks(ids), workers, cores: workers },
    batch: { size: dice.pick([1, 1, 2, MAX_FOUND_BATCH]), inHand: 1 },
    source: timesOf(dice.next() < 0.5 ? Array(jobs).fill(0) : Array.from({ length: jobs }, () => dice.pick([1, 10, 100]) * 10_000 * dice.next())),
  }
}

/** Returns the scenario with arrivals as a list of times, cut to a number of jobs that can be tried quickly. Jobs of groups and tiles stay what they are. */
export function startAround(scenario: Scenario): Scenario {
  const { source } = scenario
  if (source.kind === 'groups' || source.kind === 'image' || source.kind === 'lines') return scenario
  const arrivals = createArrivals(scenario)
  const at: number[] = []
  for (let time = arrivals.next(); time >= 0 && at.length < MAX_FOUND_JOBS; time = arrivals.next()) at.push(time)
  return at.length === 0 ? scenario : { ...scenario, source: { kind: 'times', at } }
}

/** Returns a source of jobs at these times, in whole microseconds and in order. */
export function timesOf(times: readonly number[]): Source {
  return { kind: 'times', at: times.map((time) => Math.max(0, Math.min(MAX_TIME, Math.round(time)))).sort((a, b) => a - b) }
}

function drawService(dice: Dice): Service {
  const mean = dice.pick([1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000]) * MIN_MEAN
  return dice.next() < 0.6 ? { kind: 'constant', mean } : shaped(mean, dice)
}

function shaped(mean: number, dice: Dice): Service {
  const kind = dice.pick(['constant', 'exponential', 'uniform', 'bimodal'] as const)
  if (kind === 'uniform') return { kind, min: Math.round(mean / 2), max: Math.round(mean * 1.5) }
  if (kind === 'bimodal') return { kind, fast: mean, slow: Math.min(MAX_MEAN, mean * dice.pick([3, 10, 30])), pSlow: dice.pick([0.1, 0.2, 0.5]) }
  return { kind, mean }
}

type Change = (scenario: Scenario, dice: Dice) => Scenario

/** What a mutation may change of any scenario: its numbers, arrivals and faults. */
const numbers: readonly Change[] = [
  stretchService,
  stretchService,
  (scenario, dice) => withStage(scenario, dice, ({ service }) => ({ service: shaped(Math.round(serviceMean(service)), dice) })),
  changeLaterJobs,
  (scenario, dice) => resized(scenario, scenario.workers + dice.pick([-2, -1, 1, 2])),
  (scenario, dice) => resized(scenario, 1 + dice.below(MAX_FOUND_WORKERS)),
  moveArrivals,
  moveArrivals,
  otherJobs,
  (scenario, dice) => ({ ...scenario, seed: 1 + dice.below(1000) }),
  (scenario, dice) => ({ ...scenario, batch: { size: dice.pick([1, 1, 2, 3, MAX_FOUND_BATCH]), inHand: 1 } }),
  changeSwitchCost,
  moveFault,
]

/** What it may change besides of a scenario that was drawn here: its stages. */
const shapes: readonly Change[] = [addStageLike, (scenario, dice) => removeStage(scenario, dice.pick(scenario.stages).id), swapStages]

/** Returns the scenario with one to three random changes. `parse` says whether it can be played. */
export function mutated(scenario: Scenario, dice: Dice, keepsStages: boolean): Scenario {
  let next = scenario
  const changes = keepsStages ? numbers : [...numbers, ...shapes]
  for (let left = dice.pick([1, 1, 2, 3]); left > 0; left--) next = dice.pick(changes)(next, dice)
  return next
}

function withStage(scenario: Scenario, dice: Dice, patch: (stage: Stage) => Partial<Stage>): Scenario {
  const stage = dice.pick(scenario.stages)
  return setStage(scenario, stage.id, patch(stage))
}

function stretchService(scenario: Scenario, dice: Dice): Scenario {
  const factor = dice.pick([0.1, 0.5, 0.8, 0.95, 1.05, 1.25, 2, 10])
  return withStage(scenario, dice, ({ service }) => ({ service: bounded(scaledService(service, factor)) }))
}

function bounded(service: Service): Service {
  const mean = serviceMean(service)
  return scaledService(service, Math.max(MIN_MEAN, Math.min(MAX_MEAN, mean)) / mean)
}

/** Adds a change of service time from some job on, or removes one. */
function changeLaterJobs(scenario: Scenario, dice: Dice): Scenario {
  return withStage(scenario, dice, ({ changes }) => {
    if (changes.length > 0 && dice.next() < 0.5) return { changes: changes.slice(0, -1) }
    const from = 1 + dice.below(Math.max(1, countJobs(scenario.source)))
    const others = changes.filter((change) => change.from !== from).slice(0, 3)
    return { changes: [...others, { from, service: drawService(dice) }].sort((a, b) => a.from - b.from) }
  })
}

function resized(scenario: Scenario, workers: number): Scenario {
  return setWorkers(scenario, Math.max(1, Math.min(Math.max(MAX_FOUND_WORKERS, scenario.workers), workers)))
}

/** Moves one arrival, gathers all, or stretches the time between them. */
function moveArrivals(scenario: Scenario, dice: Dice): Scenario {
  const { source } = scenario
  if (source.kind !== 'times') return scenario
  const { at } = source
  const k = dice.below(at.length)
  const until = at[at.length - 1]
  const near = serviceMean(dice.pick(scenario.stages).service)
  const kind = dice.below(5)
  const share = kind === 2 ? dice.pick([0.5, 0.8, 1.25, 2]) : kind < 4 ? dice.next() : 0
  const moved = at.map((time, i) => {
    if (kind === 0) return i === k ? time + (share - 0.5) * near : time
    if (kind === 1) return i === k ? share * (until + near) : time
    if (kind === 2) return time * share
    // All from this one on come earlier or later, or all after it come with it.
    if (kind === 3) return i >= k ? time + (share - 0.5) * 2 * near : time
    return i > k ? at[k] : time
  })
  return { ...scenario, source: timesOf(moved) }
}

function otherJobs(scenario: Scenario, dice: Dice): Scenario {
  const { source } = scenario
  if (source.kind !== 'times') return scenario
  const { at } = source
  const k = dice.below(at.length)
  if (at.length > 1 && dice.next() < 0.5) return { ...scenario, source: timesOf(at.filter((_, i) => i !== k)) }
  const more = Array<number>(dice.pick([1, 1, 4])).fill(at[k])
  return { ...scenario, source: timesOf([...at, ...more].slice(0, MAX_FOUND_JOBS)) }
}

/** A change of stage costs at most a tenth of the mean service: with more, changing stage at all would be the mistake, not the policy. */
function changeSwitchCost(scenario: Scenario, dice: Dice): Scenario {
  const mean = scenario.stages.reduce((sum, { service }) => sum + serviceMean(service), 0) / scenario.stages.length
  return { ...scenario, switchCost: dice.next() < 0.5 ? 0 : Math.round(mean * dice.pick([0.01, 0.05, 0.1])) }
}

/** One fault comes at another time. */
function moveFault(scenario: Scenario, dice: Dice): Scenario {
  const { workerEvents } = scenario
  if (workerEvents.length === 0) return scenario
  const k = dice.below(workerEvents.length)
  const moved = workerEvents.map((event, i) => (i === k ? { ...event, at: Math.round(event.at * dice.pick([0.5, 0.8, 0.95, 1.05, 1.25, 2])) } : event))
  return { ...scenario, workerEvents: moved.sort((a, b) => a.at - b.at) }
}

function addStageLike(scenario: Scenario, dice: Dice): Scenario {
  const { stages } = scenario
  const id = 'ABCDEFGH'.split('').find((each) => stages.every((stage) => stage.id !== each))
  if (id === undefined || stages.length >= MAX_FOUND_STAGES || !isLinear(scenario)) return scenario
  const order = linearOrder(scenario)
  const place = dice.below(order.length + 1)
  const added = { ...dice.pick(stages), id, name: id }
  return { ...scenario, stages: [...stages, added], links: linearLinks([...order.slice(0, place), id, ...order.slice(place)]) }
}

function swapStages(scenario: Scenario, dice: Dice): Scenario {
  const [one, other] = [dice.pick(scenario.stages), dice.pick(scenario.stages)]
  const changed = setStage(scenario, one.id, { service: other.service, changes: other.changes })
  return setStage(changed, other.id, { service: one.service, changes: one.changes })
}
