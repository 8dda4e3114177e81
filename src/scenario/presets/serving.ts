import type { Source } from '../model/scenario.ts'
import { constant, exponential, type PresetScenario, presetsOf, stage, stagesOf } from './preset.ts'

/** Failures, batches, few cores, order at the exit, and workers that are far away. */
export const serving = presetsOf({
  'failing-jobs': {
    title: 'Failing jobs',
    about: 'Three jobs always fail; the ordered exit skips them.',
    stages: [
      stage('A', 'Decode', exponential(6000)),
      { ...stage('B', 'Charge', exponential(12_000)), fails: { jobs: [7, 42, 43], tries: 3 } },
      stage('C', 'Notify', exponential(4000)),
    ],
    source: { kind: 'poisson', rate: 150, jobs: 120 },
    workers: 4,
    order: { kind: 'buffer', slots: 32 },
  },
  'batches-and-switches': {
    title: 'Batches and switches',
    about: 'A change of stage costs 3 ms. Batches of ten save most.',
    stages: stagesOf({ Pick: exponential(1000), Pack: exponential(2000), Label: exponential(1000) }),
    source: { kind: 'poisson', rate: 600, jobs: 1500 },
    workers: 4,
    batch: { size: 10, inHand: 1 },
    switchCost: 3000,
  },
  'single-wins': {
    title: 'One worker a job',
    about: 'Four workers on one core are no faster than one.',
    stages: stagesOf({ Cut: constant(5000), Sew: constant(5000), Iron: constant(5000), Fold: constant(5000) }, 'burn'),
    source: { kind: 'batch', jobs: 200 },
    workers: 4,
    cores: 1,
    policy: { kind: 'single', lend: false },
  },
  'green-threads': {
    title: 'Green threads',
    about: 'Threads that share one core let short jobs overtake long ones.',
    seed: 4,
    stages: stagesOf({ Answer: { kind: 'bimodal', fast: 4000, slow: 150_000, pSlow: 0.05 } }, 'burn'),
    source: { kind: 'poisson', rate: 60, jobs: 400 },
    workers: 32,
    cores: 1,
    policy: { kind: 'fixed', allocation: { A: 32 }, lend: false },
  },
  'price-of-order': {
    title: 'The price of order',
    about: 'Finished jobs wait behind a long one.',
    seed: 3,
    stages: stagesOf({ Unpack: constant(2000), Convert: { kind: 'bimodal', fast: 8000, slow: 400_000, pSlow: 0.01 } }),
    source: { kind: 'regular', rate: 200, jobs: 600 },
    workers: 4,
    order: { kind: 'buffer', slots: 32 },
  },
  'ten-thousand-workers': {
    title: 'A room of 10,000 workers',
    about: 'A dot is 50 workers, a lane 500; press a lane.',
    stages: stagesOf({ Parse: exponential(200_000), Enrich: exponential(600_000), Write: exponential(200_000) }),
    source: { kind: 'poisson', rate: 9000, jobs: 30_000 },
    workers: 10_000,
    network: { roundTrip: 40_000, loss: 0.01 },
  },
})

/** Bookings of twelve accounts of different sizes. One account allows one booking at a time. */
const accounts: PresetScenario = {
  seed: 4,
  stages: [
    stage('A', 'Read', exponential(4000)),
    { ...stage('B', 'Book', exponential(12_000)), resource: 'group' },
    stage('C', 'Confirm', exponential(4000)),
  ],
  source: {
    kind: 'groups',
    groups: [36, 32, 28, 26, 22, 20, 18, 16, 14, 12, 10, 6],
    order: 'asProduced',
    feeders: 8,
    window: 100,
  },
  workers: 6,
}
const spreadAccounts = { ...accounts.source, order: 'spread' } as Source

/** Jobs of one group exclude each other: one source in several orders, and what it costs to change group. */
export const contentionPresets = presetsOf({
  'jobs-contend': {
    title: 'Jobs that contend',
    about: 'Each account takes one booking at a time: workers wait in line.',
    ...accounts,
  },
  'jobs-spread': {
    title: 'The same jobs, spread',
    about: 'The same bookings over eight accounts: less than half the time.',
    ...accounts,
    source: spreadAccounts,
  },
  'skip-the-taken': {
    title: 'Skip what is taken',
    about: 'A worker takes the next job whose account is free.',
    ...accounts,
    stages: accounts.stages.map((each) => ({ ...each, whenTaken: 'skip' })),
  },
  'cache-locality': {
    title: 'Cache locality',
    about: 'A change of account costs 6 ms: spread, nearly every job pays it.',
    ...accounts,
    source: spreadAccounts,
    stages: accounts.stages.map((each) => ({ ...each, resource: null })),
    groupSwitchCost: 6000,
  },
})

/** Stages that really work, on threads: on lines of a file, and on the tiles of a picture. */
export const realWork = presetsOf({
  'log-lines': {
    title: 'Log lines, for real',
    about: 'Drop a file of JSON lines for real workers.',
    engine: 'threads',
    stages: [
      stage('parse', 'Parse JSON', constant(20), 'parseJson'),
      stage('validate', 'Validate', constant(10), 'validate'),
      stage('hash', 'SHA-256', constant(60), 'sha256'),
      stage('compress', 'Compress', constant(120), 'gzip'),
    ],
    source: { kind: 'lines', jobs: 0, digest: '' },
    workers: 4,
    batch: { size: 64, inHand: 1 },
    order: { kind: 'buffer', slots: 4096 },
  },
  mandelbrot: {
    title: 'A picture, tile by tile',
    about: 'Real workers compute, colour and smooth it.',
    engine: 'threads',
    stages: [
      stage('compute', 'Compute', { kind: 'bimodal', fast: 500, slow: 48_000, pSlow: 0.28 }, 'mandelbrot'),
      stage('colour', 'Colour', constant(250), 'colour'),
      stage('smooth', 'Smooth', { kind: 'bimodal', fast: 100, slow: 20_000, pSlow: 0.17 }, 'antialias'),
      stage('pack', 'Pack', constant(100), 'qoi'),
    ],
    source: { kind: 'image', width: 1152, height: 768, tile: 48, x: -0.6, y: 0, span: 3.2, iterations: 10_000 },
    workers: 4,
    policy: { kind: 'sinkFirst', lend: true },
  },
  seahorses: {
    title: 'A picture from the depth',
    about: 'Enlarged five hundred times: smoothing gets most seats.',
    engine: 'threads',
    stages: [
      stage('compute', 'Compute', { kind: 'lognormal', mean: 2200, cv: 1 }, 'mandelbrot'),
      stage('colour', 'Colour', constant(350), 'colour'),
      stage('smooth', 'Smooth', { kind: 'lognormal', mean: 16_000, cv: 1 }, 'antialias'),
      stage('pack', 'Pack', constant(100), 'qoi'),
    ],
    source: {
      kind: 'image',
      width: 1152,
      height: 768,
      tile: 48,
      x: -0.7453,
      y: 0.1127,
      span: 0.0065,
      iterations: 2000,
    },
    workers: 4,
    policy: { kind: 'proportional', lend: true },
  },
})
