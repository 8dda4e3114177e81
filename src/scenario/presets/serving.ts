import type { Source } from '../model/scenario.ts'
import { constant, exponential, type PresetScenario, presetsOf, stage } from './preset.ts'

/** Failures, batches, few cores, order at the exit, and workers that are far away. */
export const serving = presetsOf({
  'failing-jobs': {
    title: 'Failing jobs',
    about:
      'Three jobs throw at every try: each is tried three times and then failed, and the ordered exit skips its ticket.',
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
    about:
      'A change of stage costs 3 ms, more than a job: with ten jobs to a batch the workers change seldom; set it to one, or let the queue decide.',
    stages: [
      stage('A', 'Pick', exponential(1000)),
      stage('B', 'Pack', exponential(2000)),
      stage('C', 'Label', exponential(1000)),
    ],
    source: { kind: 'poisson', rate: 600, jobs: 1500 },
    workers: 4,
    batch: { size: 10, inHand: 1 },
    switchCost: 3000,
  },
  'single-wins': {
    title: 'One worker a job',
    about:
      'Four workers on one core are no faster than one, who carries each job to its end and has most of them out earlier: try the others.',
    stages: [
      stage('A', 'Cut', constant(5000), 'burn'),
      stage('B', 'Sew', constant(5000), 'burn'),
      stage('C', 'Iron', constant(5000), 'burn'),
      stage('D', 'Fold', constant(5000), 'burn'),
    ],
    source: { kind: 'batch', jobs: 200 },
    workers: 4,
    cores: 1,
    policy: { kind: 'single', lend: false },
  },
  'green-threads': {
    title: 'Green threads',
    about:
      'One job in twenty is long. Threads that share the one core let the short ones out at once; with One worker does it all they queue behind it.',
    seed: 4,
    stages: [stage('A', 'Answer', { kind: 'bimodal', fast: 4000, slow: 150_000, pSlow: 0.05 }, 'burn')],
    source: { kind: 'poisson', rate: 60, jobs: 400 },
    workers: 1,
    policy: { kind: 'greenThreads', perStage: 32, lend: false },
  },
  'price-of-order': {
    title: 'The price of order',
    about:
      'One job in a hundred takes fifty times as long: finished jobs fill the ring behind it, and workers stand idle until it comes.',
    seed: 3,
    stages: [
      stage('A', 'Unpack', constant(2000)),
      stage('B', 'Convert', { kind: 'bimodal', fast: 8000, slow: 400_000, pSlow: 0.01 }),
    ],
    source: { kind: 'regular', rate: 200, jobs: 600 },
    workers: 4,
    order: { kind: 'buffer', slots: 32 },
  },
  'ten-thousand-workers': {
    title: 'A room of 10,000 workers',
    about:
      'They are 40 ms away, and one message in a hundred is lost. A dot is 50 workers and a lane 500: press a lane to see its workers one by one.',
    stages: [
      stage('A', 'Parse', exponential(200_000)),
      stage('B', 'Enrich', exponential(600_000)),
      stage('C', 'Write', exponential(200_000)),
    ],
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
    about:
      'Bookings come account by account, and one account takes one at a time: for most of the run five of six workers stand in line for it.',
    ...accounts,
  },
  'jobs-spread': {
    title: 'The same jobs, spread',
    about:
      'The bookings of Jobs that contend in another order: eight feeders hand out an account each in turn, and all is done in less than half the time.',
    ...accounts,
    source: spreadAccounts,
  },
  'skip-the-taken': {
    title: 'Skip what is taken',
    about:
      'Jobs that contend, as produced. A worker that finds an account taken takes the next job whose account is free, so no worker waits.',
    ...accounts,
    stages: accounts.stages.map((each) => ({ ...each, whenTaken: 'skip' })),
  },
  'cache-locality': {
    title: 'Cache locality',
    about:
      'Accounts are booked side by side, but a worker who changes account loses 6 ms: spread, nearly every job pays; as produced, hardly any does.',
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
    about: 'Drop a file of JSON lines and watch real workers parse, validate, hash and compress it, in input order.',
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
    about:
      'Real workers compute, colour and smooth it, what is nearest the exit first. By least total time it takes as long, and most of it comes at the very end.',
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
    about:
      'Enlarged five hundred times there are edges everywhere: smoothing takes longest here and gets most seats, and any other stage with work keeps one.',
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
