import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { jobsForIntervals } from '../../../../src/features/theory/measure/forecast.ts'
import { theoryOf } from '../../../../src/features/theory/measure/theory.ts'
import { explainForecast, laws } from '../../../../src/features/theory/measure/theoryWords.ts'
import type { Scenario } from '../../../../src/scenario/model/scenario.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'
import { blocked, cases, fork, lines, ordered, queue, shared } from '../../../theory/cases.ts'

const FILE = 'test/golden/forecasts.json'

const exponential = (mean: number) => ({ kind: 'exponential', mean })
const constant = (mean: number) => ({ kind: 'constant', mean })
const general = { kind: 'uniform', min: 200, max: 1800 }
const poisson = (rate: number) => ({ kind: 'poisson', rate, jobs: 5000 })
const regular = (rate: number) => ({ kind: 'regular', rate, jobs: 5000 })
const batch = (jobs: number) => ({ kind: 'batch', jobs })

/** Two stages with one worker each, or with these parts instead: of the scenario, of both stages, of the second. */
function two(rest: object = {}, both: object = {}, second: object = {}): Scenario {
  const stage = (id: string, name: string, service: object) => ({ id, name, service, work: 'wait', ...both })
  return scenarioWith({
    source: poisson(400),
    stages: [stage('A', 'Parse', exponential(1000)), { ...stage('B', 'Write', exponential(1500)), ...second }],
    workers: 2,
    policy: { kind: 'onePerStage' },
    ...rest,
  })
}

/** Stages with these links, each with one worker. */
function graph(links: string, rest: object = {}, parts: Readonly<Record<string, object>> = {}): Scenario {
  const ids = [...new Set(links.match(/\b[A-Z]\b/g))].sort()
  return scenarioWith({
    source: poisson(300),
    stages: ids.map((id) => ({ id, service: exponential(1000), work: 'wait', ...parts[id] })),
    links: links.split(' ').map((link) => link.split('-')),
    workers: ids.length,
    policy: { kind: 'onePerStage' },
    ...rest,
  })
}

const single = { policy: { kind: 'single' }, workers: 1 }
const routed = { A: { fanOut: { route: { B: 2, C: 3 } } } }
const diamond = 'source-A A-B A-C B-sink C-sink'
const threads = (perStage: number) => ({ policy: { kind: 'greenThreads', perStage }, cores: 1 })
const one = (load: number, workers: number, service: object, rest: object = {}) => queue(load, workers, service, rest)
const paced = (load: number, workers: number, service: object, rest: object = {}) =>
  queue(load, workers, service, { source: { kind: 'regular', rate: 1000 * load * workers, jobs: 60_000 }, ...rest })

const more: Readonly<Record<string, Scenario>> = {
  'several workers, constant services': one(0.7, 3, constant(1000)),
  'several workers, uniform services': one(0.7, 3, general),
  'one worker, uniform services': one(0.7, 1, general),
  'one worker, exactly as much work as it can do': one(1, 1, exponential(1000)),
  'three workers, more work than they can do': one(1.01, 3, exponential(1000)),
  'heavy tails': one(0.5, 1, { kind: 'pareto', mean: 1000, alpha: 1.9 }),
  'the shortest first at one worker': ordered(0.7, { discipline: 'shortest' }),
  'the shortest first, uniform services': ordered(0.7, { discipline: 'shortest', service: general }),
  'the shortest first at two workers': one(0.5, 2, exponential(1000), {
    stages: [{ id: 'A', service: exponential(1000), work: 'wait', discipline: 'shortest' }],
  }),
  'the shortest first at the last stage': two({}, {}, { discipline: 'shortest' }),
  'the shortest first at the first stage': two({}, { discipline: 'shortest' }, { discipline: 'fifo' }),
  'the shortest first at a steady pace': paced(0.7, 1, exponential(1000), {
    stages: [{ id: 'A', service: exponential(1000), work: 'wait', discipline: 'shortest' }],
  }),
  'last come, first served at several workers': one(0.7, 2, exponential(1000), {
    stages: [{ id: 'A', service: exponential(1000), work: 'wait', discipline: 'lifo' }],
  }),
  'a bounded queue of several workers': one(0.6, 3, exponential(1000), {
    stages: [{ id: 'A', service: exponential(1000), work: 'wait', capacity: 2 }],
  }),
  'a bounded queue of uniform services': ordered(0.6, { service: general, capacity: 2 }),
  'a bounded queue, the shortest first': ordered(0.6, { capacity: 2, discipline: 'shortest' }),
  'a bounded queue, last come first served': ordered(0.6, { capacity: 2, discipline: 'lifo' }),
  'a bounded queue at a steady pace': paced(0.6, 1, exponential(1000), {
    stages: [{ id: 'A', service: exponential(1000), work: 'wait', capacity: 2 }],
  }),
  'a bounded queue at the first of two stages': two({}, { capacity: 4 }, { capacity: null }),
  'bounded queues at both stages': two({}, { capacity: 4 }),
  'a bounded queue in between': two({}, {}, { capacity: 4 }),
  'a bounded queue in between and a slow first stage': blocked(450, 3, 1700),
  'a bounded queue in between, the first stage last come first served': two(
    {},
    { discipline: 'lifo' },
    { capacity: 4 },
  ),
  'a bounded queue in between, the shortest first': two({}, {}, { capacity: 4, discipline: 'shortest' }),
  'a bounded queue in between, constant services': two({}, {}, { capacity: 4, service: constant(900) }),
  'a bounded queue in between, two workers behind it': two(
    { policy: { kind: 'fixed', allocation: { A: 1, B: 2 } }, workers: 3 },
    {},
    { capacity: 4 },
  ),
  'a bounded queue in between, just too short': blocked(2000 / 3, 1),
  'a bounded queue at one of two ways': graph(diamond, {}, { ...routed, C: { capacity: 3 } }),
  'a bounded queue at the end of three stages': graph('source-A A-B B-C C-sink', {}, { C: { capacity: 3 } }),
  'a steady pace, exponential services': paced(0.7, 1, exponential(1000)),
  'a steady pace, exponential services, three workers': paced(0.7, 3, exponential(1000)),
  'a steady pace, uniform services': paced(0.7, 1, general),
  'a steady pace, uniform services, two workers': paced(0.7, 2, general),
  'a steady pace, constant services': paced(0.7, 1, constant(1000)),
  'a steady pace, constant services, two workers': paced(0.7, 2, constant(1000)),
  'a steady pace and too much work': paced(1.2, 1, exponential(1000)),
  'a steady pace at two stages': two({ source: regular(300) }),
  'a steady pace at two stages, constant services': two(
    { source: regular(300) },
    { service: constant(2000) },
    { service: constant(3500) },
  ),
  'a steady pace that nobody waits at': two(
    { source: regular(100) },
    { service: constant(2000) },
    { service: constant(3500) },
  ),
  'a steady pace that the slowest stage just keeps': two(
    { source: regular(250) },
    { service: constant(2000) },
    { service: constant(4000) },
  ),
  'a steady pace, constant services, a bounded queue': two(
    { source: regular(300) },
    { service: constant(2000) },
    { service: constant(3500), capacity: 2 },
  ),
  'all at once, three stages of which two are equal': scenarioWith({
    source: batch(7),
    stages: [3000, 5000, 5000].map((mean, s) => ({ id: 'ABC'[s], service: constant(mean), work: 'wait' })),
    workers: 3,
    policy: { kind: 'onePerStage' },
  }),
  'all at once, one job': two({ source: batch(1) }, { service: constant(2000) }),
  'all at once, exponential services': two({ source: batch(9) }),
  'all at once, one of the services exponential': two(
    { source: batch(9) },
    { service: constant(2000) },
    { service: exponential(900) },
  ),
  'all at once, copies': graph(
    'source-A source-B A-sink B-sink',
    { source: batch(9) },
    { A: { service: constant(1) }, B: { service: constant(1) } },
  ),
  'lines of a text': two({ source: { kind: 'lines', jobs: 12 } }, { service: constant(2000) }),
  'tiles of a picture': two(
    { source: { kind: 'image', width: 64, height: 32, tile: 16 } },
    { service: constant(2000) },
  ),
  groups: two({ source: { kind: 'groups', groups: [5, 4] } }, { service: constant(2000) }),
  'no jobs at a steady pace': two({ source: { kind: 'regular', rate: 5, jobs: 0 } }, { service: constant(2000) }),
  'one worker for all stages': two(single),
  'one worker for all stages, constant services': two(single, { service: constant(900) }, { service: constant(400) }),
  'one worker for all stages, one of them constant': two(
    single,
    { service: constant(900) },
    { service: exponential(400) },
  ),
  'one worker for all stages, the last one the shortest first': two(single, {}, { discipline: 'shortest' }),
  'one worker for all stages, the first last come first served': two(
    single,
    { discipline: 'lifo' },
    { discipline: 'fifo' },
  ),
  'one worker for all stages, a bounded queue at the second': two(single, {}, { capacity: 4 }),
  'one worker for all stages that are a graph': graph(diamond, single, routed),
  'one worker for all stages, a cost of changing stage': two({ ...single, switchCost: 7 }),
  'one worker for one stage, a cost of changing stage': scenarioWith({
    source: poisson(300),
    stages: [{ id: 'A', service: exponential(1000) }],
    ...single,
    switchCost: 7,
  }),
  'a cost of changing stage that nobody pays': two({ switchCost: 7 }),
  'a cost of changing group without groups': two({ groupSwitchCost: 7 }),
  'two stages': two(),
  'two stages, the first constant': two({}, { service: constant(800) }, { service: exponential(800) }),
  'two stages, the last uniform': two({}, {}, { service: general }),
  'two stages behind each other, two workers at the last': two(
    { policy: { kind: 'fixed', allocation: { A: 1, B: 2 } }, workers: 3 },
    {},
    { service: general },
  ),
  'a fixed allocation with nobody at the first stage': two({ policy: { kind: 'fixed', allocation: { B: 2 } } }),
  routes: graph(diamond, {}, routed),
  'routes that meet again': graph(
    'source-A A-B A-C B-D C-D D-sink',
    {},
    { ...routed, C: { service: exponential(2500) } },
  ),
  'routes, all at once': graph(diamond, { source: batch(5) }, routed),
  'routes at a steady pace': graph(diamond, { source: regular(300) }, routed),
  'routes and an exit in order': graph(diamond, { order: { kind: 'buffer', slots: 4 } }, routed),
  'routes and shards': graph(diamond, { order: { kind: 'shard' } }, routed),
  'routes that differ in size': graph(diamond, {}, { ...routed, B: { service: general } }),
  'copies to two stages': fork('AB'),
  'copies to three stages': fork('ABC'),
  'copies behind a stage': graph(diamond),
  'copies behind two stages': graph(
    'source-A A-B B-C B-D B-E C-sink D-sink E-sink',
    {},
    { A: { service: exponential(2000) } },
  ),
  'copies behind a route': graph('source-A A-B A-C B-D B-E D-sink E-sink C-sink', {}, routed),
  'copies of which one goes on': graph('source-A A-B A-C B-D C-sink D-sink'),
  'copies that are joined': graph('source-A A-B A-C B-D C-D D-sink', {}, { D: { join: 'all' } }),
  'copies to stages with other means': graph(diamond, {}, { B: { service: exponential(1100) } }),
  'copies, last come first served': fork('AB', { discipline: 'lifo' }),
  'copies to bounded queues': fork('AB', { capacity: 3 }),
  'copies to a bounded queue': graph(diamond, {}, { B: { capacity: 3 } }),
  'copies to two workers each': graph(diamond, {
    policy: { kind: 'fixed', allocation: { A: 1, B: 2, C: 2 } },
    workers: 5,
  }),
  'copies at a steady pace': graph(diamond, { source: regular(300) }),
  'copies, constant services': graph(diamond, {}, { B: { service: constant(1000) }, C: { service: constant(1000) } }),
  'copies behind a stage with constant services': graph(diamond, {}, { A: { service: constant(1000) } }),
  'copies and too much work': graph(diamond, { source: poisson(1100) }),
  'more burning workers than cores': two({ cores: 1 }, { work: 'burn' }),
  'one stage burns on one core': two({ cores: 1 }, { work: 'wait' }, { work: 'burn' }),
  'as many burning workers as cores': two({ cores: 2 }, { work: 'burn' }),
  'an exit in order behind one worker each': two({ order: { kind: 'buffer', slots: 4 } }),
  'an exit in order behind two workers': two({
    order: { kind: 'buffer', slots: 4 },
    policy: { kind: 'fixed', allocation: { A: 2, B: 1 } },
    workers: 3,
  }),
  'an exit in order behind a queue the shortest first': two(
    { order: { kind: 'buffer', slots: 4 } },
    {},
    { discipline: 'shortest' },
  ),
  'shards behind one worker each': two({ order: { kind: 'shard' } }),
  'shards behind two workers': two({
    order: { kind: 'shard' },
    policy: { kind: 'fixed', allocation: { A: 2, B: 1 } },
    workers: 3,
  }),
  'a message broker far away': two({ network: { roundTrip: 500, loss: 0 } }),
  'a turn midway': two({ later: [{ at: 9, switchCost: 3 }] }),
  'batches that adapt': two({ batch: { adaptive: true } }),
  'a second job in hand': two({ batch: { size: 1, inHand: 2 } }),
  'workers that leave': two({ workerEvents: [{ at: 5, kind: 'leave', worker: 1 }] }),
  'jobs that fail': two({}, {}, { fails: { jobs: [3], tries: 1 } }),
  'no job that fails': two({}, {}, { fails: { jobs: [], tries: 1 } }),
  'services that change midway': two({}, {}, { changes: [{ from: 3, service: constant(9) }] }),
  'groups that exclude each other': two(
    { source: { kind: 'groups', groups: [5, 4] }, groupSwitchCost: 3 },
    {},
    { resource: 'group' },
  ),
  'services of 49 microseconds': two({ source: poisson(4000) }, {}, { service: exponential(49) }),
  'services of 50 microseconds': two({ source: poisson(400) }, {}, { service: exponential(50) }),
  'constant services of 49 microseconds': two({ source: regular(400) }, { service: constant(49) }),
  'a policy that hires': two({ policy: { kind: 'threshold', high: 3, idle: 500, every: 1000 } }),
  'a policy that moves': two({ policy: { kind: 'webster' } }),
  'the longest queue first at one stage': one(0.7, 2, exponential(1000), { policy: { kind: 'longestQueue' } }),
  'workers sent ahead at one stage': one(0.7, 2, exponential(1000), { policy: { kind: 'preallocate' } }),
  'a policy by hand at one stage': one(0.7, 2, exponential(1000), { policy: { kind: 'byHand', allocations: [[2]] } }),
  'a policy in code at one stage': one(0.7, 2, exponential(1000), { policy: { kind: 'code', name: '', source: 'x' } }),
  'threads on one core': shared(0.7, 1, 4),
  'threads on three cores': shared(0.7, 3, 5),
  'threads on three cores, constant services': shared(0.7, 3, 5, constant(1000)),
  'threads on one core, uniform services, too few': shared(0.7, 1, 20, general),
  'threads on one core, uniform services': shared(0.7, 1, 60, general),
  'threads and too much work': shared(1.1, 1, 4),
  'threads on two cores and too much work': shared(1.1, 2, 4),
  'threads on one core, two stages of exponential services': two(
    { ...threads(60), source: poisson(300) },
    { work: 'burn' },
  ),
  'threads on one core, two stages, of whom some wait': two(
    { ...threads(60), source: poisson(300) },
    { work: 'burn' },
    { work: 'wait' },
  ),
  'threads on one core, two stages, a bounded queue': two(
    { ...threads(60), source: poisson(300) },
    { work: 'burn' },
    { capacity: 9 },
  ),
  'threads on one core, an exit in order': shared(0.7, 1, 4, undefined, { order: { kind: 'buffer', slots: 4 } }),
  'threads on one core, all at once': shared(0.7, 1, 4, constant(1000), { source: batch(9) }),
  'threads on one core, a steady pace': shared(0.7, 1, 4, exponential(1000), { source: regular(300) }),
  'threads on one core, services of 499 microseconds': shared(0.7, 1, 60, exponential(499)),
  'threads on one core, services of 500 microseconds': shared(0.7, 1, 60, exponential(500)),
  'as many threads as cores': shared(0.7, 4, 4),
}

const digits = (x: number) => (Number.isFinite(x) ? Number(x.toPrecision(7)) : String(x))
const write = {
  time: (us: number) => `${digits(us)} us`,
  rate: (r: number) => `${digits(r)}/s`,
  number: (x: number) => `${digits(x)}`,
}

/** The whole forecast of theory for a scenario, in words and numbers. */
function sayings(scenario: Scenario): object {
  const theory = theoryOf(scenario)
  if ('reasons' in theory) return { reasons: theory.reasons }
  const {
    law,
    approximate,
    arrivalRate,
    jobs,
    makespan,
    utilisation,
    meanWait,
    meanFlowTime,
    meanJobsInSystem,
    stages,
    stations,
  } = theory
  return {
    law: `${laws()[law].name} (${laws()[law].by})${approximate ? ', nearly' : ''}`,
    words: explainForecast(theory, write),
    whole: [arrivalRate * 1e6, utilisation, meanWait, meanFlowTime, meanJobsInSystem].map(digits).join(' '),
    run: `${jobs} jobs, ${makespan === null ? `${jobsForIntervals(theory)} for intervals` : write.time(makespan)}`,
    stages: stages.map((stage) => [stage.utilisation, stage.meanQueue, stage.meanWait].map(digits).join(' ')),
    stations: stations.map(
      ({ name, law, load, waits, outside, stretch, relaxation }) =>
        `${name}: ${law} ${[load, waits, outside, stretch, relaxation].map(digits).join(' ')}`,
    ),
  }
}

const known: Readonly<Record<string, object>> =
  process.env.UPDATE_DIGESTS === '1' ? {} : JSON.parse(readFileSync(FILE, 'utf8'))
const all = [
  ...[...cases, ...lines].map(({ name, scenario }) => [`table: ${name}`, scenario] as const),
  ...Object.entries(more),
]

// After a change that is meant to change forecasts: UPDATE_DIGESTS=1 npx vitest run --project node test/measures/theory
if (process.env.UPDATE_DIGESTS === '1')
  writeFileSync(
    FILE,
    `${JSON.stringify(Object.fromEntries(all.map(([name, scenario]) => [name, sayings(scenario)])), null, 2)}\n`,
  )

test.each(all)('theory says of %s what the file of known forecasts says', (name, scenario) => {
  if (process.env.UPDATE_DIGESTS !== '1') expect(sayings(scenario)).toEqual(known[name])
})
