import { elasticStart, scenarioDefaults, stageDefaults } from './defaults.ts'
import { lineLinks } from './line.ts'
import type { Scenario, Service, Source, Stage, Work } from './scenario.ts'

export interface Preset {
  readonly key: string
  readonly title: string
  /** What there is to see, in one sentence. */
  readonly about: string
  readonly scenario: Scenario
  /** The engine that shows it best; the one that is chosen unless it says. */
  readonly engine?: 'threads'
}

/** The preset on the screen when nothing else is asked for. */
export const DEFAULT_PRESET = 'rush-hour'

/** Bursts through three uneven stages: for controllers that know their own queue alone, and one who knows all. */
const burstyLine: Asked = {
  seed: 5,
  stages: [stage('A', 'Receive', exponential(6000)), stage('B', 'Check', exponential(20_000)), stage('C', 'Store', exponential(10_000))],
  source: { kind: 'bursts', rate: 60, burstRate: 500, on: 500_000, off: 1_500_000, jobs: 1000 },
  workers: 10,
}

/** Bookings of twelve accounts, some with many and some with few; of one account only one may be booked at a time. */
const accounts: Asked = {
  seed: 4,
  stages: [stage('A', 'Read', exponential(4000)), { ...stage('B', 'Book', exponential(12_000)), resource: 'group' }, stage('C', 'Confirm', exponential(4000))],
  source: { kind: 'groups', groups: [36, 32, 28, 26, 22, 20, 18, 16, 14, 12, 10, 6], order: 'asProduced', feeders: 8, window: 100 },
  workers: 6,
}
const spreadAccounts = { ...accounts.source, order: 'spread' } as Source

export const presets: readonly Preset[] = [
  preset(
    'worked-example',
    'Worked example',
    'Three jobs of one second at each of two stages: the two workers stand at A, then one at each, then at B, and all is done after 3 s.',
    {
      stages: [stage('A', 'A', constant(1_000_000)), stage('B', 'B', constant(1_000_000))],
      source: { kind: 'batch', jobs: 3 },
      workers: 2,
      estimator: { kind: 'mean', prior: 'declared' },
    },
  ),
  preset(
    'rush-hour',
    'Rush hour at the API gateway',
    'Requests come a little faster than eight workers can serve them, and the workers follow the queues until all have left in order.',
    {
      seed: 7,
      stages: [
        stage('A', 'Parse', { kind: 'erlang', mean: 4000, k: 4 }),
        stage('B', 'Validate', exponential(7000)),
        stage('C', 'Enrich', { kind: 'lognormal', mean: 12_000, cv: 0.6 }),
        stage('D', 'Write', { kind: 'erlang', mean: 5000, k: 2 }),
      ],
      source: { kind: 'poisson', rate: 300, jobs: 600 },
      workers: 8,
      order: { kind: 'buffer', slots: 256 },
    },
  ),
  preset(
    'log-lines',
    'Log lines, for real',
    'Drop a file of JSON lines and watch real workers parse, validate, hash and compress it, in input order.',
    {
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
    'threads',
  ),
  preset(
    'mandelbrot',
    'A picture, tile by tile',
    'Real workers compute, colour and smooth it, what is nearest the exit first. By least total time it takes as long, and most of it comes at the very end.',
    {
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
    'threads',
  ),
  preset(
    'seahorses',
    'A picture from the depth',
    'Enlarged five hundred times there are edges everywhere: smoothing takes longest here and gets most seats, and any other stage with work keeps one.',
    {
      stages: [
        stage('compute', 'Compute', { kind: 'lognormal', mean: 2200, cv: 1 }, 'mandelbrot'),
        stage('colour', 'Colour', constant(350), 'colour'),
        stage('smooth', 'Smooth', { kind: 'lognormal', mean: 16_000, cv: 1 }, 'antialias'),
        stage('pack', 'Pack', constant(100), 'qoi'),
      ],
      source: { kind: 'image', width: 1152, height: 768, tile: 48, x: -0.7453, y: 0.1127, span: 0.0065, iterations: 2000 },
      workers: 4,
      policy: { kind: 'proportional', lend: true },
    },
    'threads',
  ),
  preset(
    'cold-start',
    'Cold start',
    'An unmeasured stage is believed to cost one microsecond and starves until those before it are empty; set Unmeasured to neighbours.',
    {
      stages: [stage('A', 'Fetch', exponential(5000)), stage('B', 'Score', exponential(20_000)), stage('C', 'Save', exponential(5000))],
      source: { kind: 'batch', jobs: 120 },
      workers: 4,
      policy: { kind: 'leastScore', lend: false },
      estimator: { kind: 'mean', prior: 'one' },
    },
  ),
  preset(
    'bottleneck',
    'One slow stage',
    'Score costs eight times what its neighbours cost, so most seats go there; one worker a stage would leave the others idle.',
    {
      stages: [stage('A', 'Load', exponential(5000)), stage('B', 'Score', exponential(40_000)), stage('C', 'Save', exponential(5000))],
      source: { kind: 'batch', jobs: 400 },
      workers: 8,
    },
  ),
  preset('bursts', 'Bursts', 'Ten times the usual load for a quarter of every second: a wave runs down the pipeline, and the workers run with it.', {
    stages: [stage('A', 'Receive', exponential(4000)), stage('B', 'Check', exponential(8000)), stage('C', 'Store', exponential(6000))],
    source: { kind: 'bursts', rate: 60, burstRate: 600, on: 250_000, off: 750_000, jobs: 900 },
    workers: 6,
  }),
  preset(
    'jefferson-differs',
    'Jefferson differs',
    "Votes of 900, 100, 100 and 100 give eight workers seats (8,0,0,0) by Jefferson's rule and (5,1,1,1) by least total time: try both.",
    {
      stages: [
        stage('A', 'Render', constant(9000)),
        stage('B', 'Encode', constant(1000)),
        stage('C', 'Sign', constant(1000)),
        stage('D', 'Upload', constant(1000)),
      ],
      source: { kind: 'regular', rate: 700, jobs: 1000 },
      workers: 8,
      policy: { kind: 'jefferson', lend: false },
    },
  ),
  preset(
    'a-tie',
    'A tie',
    'After a second three jobs wait at each stage: two seats at A are as good as two at B, and the tie goes to the stage whose id comes first.',
    {
      stages: [stage('A', 'A', constant(1_000_000)), stage('B', 'B', constant(1_000_000))],
      source: { kind: 'batch', jobs: 6 },
      workers: 3,
      estimator: { kind: 'mean', prior: 'declared' },
    },
  ),
  preset(
    'alabama',
    'The Alabama paradox',
    "At 0.3 s an eleventh worker joins and File loses a seat: by Hamilton's rule (3,5,2) of ten seats become (4,6,1) of eleven.",
    {
      seed: 2,
      stages: [stage('A', 'Scan', exponential(12_000)), stage('B', 'Sort', exponential(12_000)), stage('C', 'File', exponential(12_000))],
      source: { kind: 'batch', jobs: 240 },
      workers: 10,
      workerEvents: [{ at: 300_000, kind: 'join', worker: 10 }],
      policy: { kind: 'hamilton', lend: false },
    },
  ),
  preset('failing-jobs', 'Failing jobs', 'Three jobs throw at every try: each is tried three times and then failed, and the ordered exit skips its ticket.', {
    stages: [
      stage('A', 'Decode', exponential(6000)),
      { ...stage('B', 'Charge', exponential(12_000)), fails: { jobs: [7, 42, 43], tries: 3 } },
      stage('C', 'Notify', exponential(4000)),
    ],
    source: { kind: 'poisson', rate: 150, jobs: 120 },
    workers: 4,
    order: { kind: 'buffer', slots: 32 },
  }),
  preset(
    'batches-and-switches',
    'Batches and switches',
    'A change of stage costs 3 ms, more than a job: with ten jobs to a batch the workers change seldom; set it to one, or let the queue decide.',
    {
      stages: [stage('A', 'Pick', exponential(1000)), stage('B', 'Pack', exponential(2000)), stage('C', 'Label', exponential(1000))],
      source: { kind: 'poisson', rate: 600, jobs: 1500 },
      workers: 4,
      batch: { size: 10, inHand: 1 },
      switchCost: 3000,
    },
  ),
  preset(
    'single-wins',
    'One worker a job',
    'Four workers on one core are no faster than one, who carries each job to its end and has most of them out earlier: try the others.',
    {
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
  ),
  preset(
    'green-threads',
    'Green threads',
    'One job in twenty is long. Threads that share the one core let the short ones out at once; with One worker does it all they queue behind it.',
    {
      seed: 4,
      stages: [stage('A', 'Answer', { kind: 'bimodal', fast: 4000, slow: 150_000, pSlow: 0.05 }, 'burn')],
      source: { kind: 'poisson', rate: 60, jobs: 400 },
      workers: 1,
      policy: { kind: 'greenThreads', perStage: 32, lend: false },
    },
  ),
  preset(
    'price-of-order',
    'The price of order',
    'One job in a hundred takes fifty times as long: finished jobs fill the ring behind it, and workers stand idle until it comes.',
    {
      seed: 3,
      stages: [stage('A', 'Unpack', constant(2000)), stage('B', 'Convert', { kind: 'bimodal', fast: 8000, slow: 400_000, pSlow: 0.01 })],
      source: { kind: 'regular', rate: 200, jobs: 600 },
      workers: 4,
      order: { kind: 'buffer', slots: 32 },
    },
  ),
  preset(
    'one-queue',
    'One worker, one queue',
    'A worker busy four fifths of the time: theory says that a job waits as long as four services take, and Figures holds the run to it.',
    {
      stages: [stage('A', 'Counter', exponential(320))],
      source: { kind: 'poisson', rate: 2500, jobs: 18_000 },
      workers: 1,
    },
  ),
  preset(
    'four-at-one-queue',
    'Four workers, one queue',
    'Four workers, busy as much as one alone would be, share a queue: by Erlang’s formula a job waits less than one service; see Figures.',
    {
      stages: [stage('A', 'Counters', exponential(1280))],
      source: { kind: 'poisson', rate: 2500, jobs: 18_000 },
      workers: 4,
    },
  ),
  preset(
    'jobs-contend',
    'Jobs that contend',
    'Bookings come account by account, and one account takes one at a time: for most of the run five of six workers stand in line for it.',
    accounts,
  ),
  preset(
    'jobs-spread',
    'The same jobs, spread',
    'The bookings of Jobs that contend in another order: eight feeders hand out an account each in turn, and all is done in less than half the time.',
    { ...accounts, source: spreadAccounts },
  ),
  preset(
    'skip-the-taken',
    'Skip what is taken',
    'Jobs that contend, as produced, but a worker who meets a taken account takes the next job whose account is free, and nobody stands in line.',
    { ...accounts, stages: accounts.stages.map((each) => ({ ...each, whenTaken: 'skip' })) },
  ),
  preset(
    'cache-locality',
    'Cache locality',
    'Accounts are booked side by side, but a worker who changes account loses 6 ms: spread, nearly every job pays; as produced, hardly any does.',
    { ...accounts, source: spreadAccounts, stages: accounts.stages.map((each) => ({ ...each, resource: null })), groupSwitchCost: 6000 },
  ),
  preset(
    'elastic-p',
    'Elastic pool: P',
    'A pool under a load like a sine, its size by the queue alone: it hires, overshoots, empties and hires again.',
    elastic(0, 0),
  ),
  preset(
    'elastic-pi',
    'Elastic pool: PI',
    'An integral part remembers how long the queue was: the pool grows at the first peak, and then never shrinks again.',
    elastic(0.05, 0),
  ),
  preset(
    'elastic-pid',
    'Elastic pool: PID',
    'The derivative part answers a growing queue early; the pale curve behind is what the article measured on real threads.',
    elastic(0.05, 0.05),
  ),
  preset(
    'elastic-step',
    'Elastic pool: a step',
    'After 4 s four times as many jobs come from one moment to the next: the queue jumps, and the pool grows one worker at a time until it holds.',
    elasticUnder({
      kind: 'steps',
      at: [
        [0, 100],
        [4_000_000, 400],
      ],
      jobs: 2000,
    }),
  ),
  preset(
    'elastic-square',
    'Elastic pool: on and off',
    'Two seconds of load, two of nearly none, again and again: the pool hires at each front, and dismisses behind it who has been idle.',
    elasticUnder({
      kind: 'steps',
      at: [
        [0, 20],
        [2_000_000, 300],
        [4_000_000, 20],
        [6_000_000, 300],
        [8_000_000, 20],
        [10_000_000, 300],
      ],
      jobs: 1920,
    }),
  ),
  preset(
    'elastic-bursts',
    'Elastic pool: the Slashdot effect',
    'A quiet site is linked from a famous one: twenty times the usual visitors for a second, and the pool must grow before they give up.',
    elasticUnder({ kind: 'bursts', rate: 25, burstRate: 500, on: 1_000_000, off: 3_000_000, jobs: 1800 }),
  ),
  preset(
    'elastic-drawn',
    'Elastic pool: a day drawn by hand',
    'Morning, noon and evening rush in twelve seconds, drawn by hand: choose the source and draw a day of your own; the pool follows.',
    elasticUnder({
      kind: 'curve',
      points: [
        [0, 10],
        [1_500_000, 30],
        [3_000_000, 320],
        [4_500_000, 120],
        [6_000_000, 240],
        [7_500_000, 90],
        [9_500_000, 360],
        [11_000_000, 60],
        [12_000_000, 10],
      ],
      jobs: 1940,
    }),
  ),
  preset(
    'each-stage-alone',
    'Each stage for itself',
    'Three pools share ten workers, each grown and shrunk by its own queue: the first takes what the next one lacks. Compare One allocator for all.',
    { ...burstyLine, policy: { kind: 'threshold', ...elasticStart.threshold, high: 4, lend: false } },
  ),
  preset(
    'one-allocator',
    'One allocator for all',
    'The load and luck of Each stage for itself, but one rule seats all ten workers: a job is through in little more than half the time.',
    burstyLine,
  ),
  preset(
    'side-by-side',
    'Two side by side, then one, then one',
    'Five jobs, each copied to two stages whose parts meet again: 5 s for one worker alone, 1.75 s for four, each at a stage of its own.',
    {
      stages: [
        stage('A', 'Left half', constant(250_000)),
        stage('B', 'Right half', constant(250_000)),
        { ...stage('C', 'Put together', constant(250_000)), join: 'all' },
        stage('D', 'Check', constant(250_000)),
      ],
      links: [
        ['source', 'A'],
        ['source', 'B'],
        ['A', 'C'],
        ['B', 'C'],
        ['C', 'D'],
        ['D', 'sink'],
      ],
      source: { kind: 'batch', jobs: 5 },
      workers: 4,
      policy: { kind: 'onePerStage', lend: false },
    },
  ),
  preset(
    'six-through-three',
    'Six jobs through three stages',
    'Six jobs through three stages of 0.2 s: 3.6 s for one worker alone, 1.6 s for three who each keep to a stage of their own.',
    {
      stages: [stage('A', 'First', constant(200_000)), stage('B', 'Second', constant(200_000)), stage('C', 'Third', constant(200_000))],
      source: { kind: 'batch', jobs: 6 },
      workers: 3,
      policy: { kind: 'onePerStage', lend: false },
    },
  ),
]

export function presetOf(key: string): Preset | undefined {
  return presets.find((each) => each.key === key)
}

/** The pool of the published figures: 60 s of a load of up to 120 jobs in 0.1 s, 25 ms each. */
function elastic(ki: number, kd: number): Asked {
  return {
    stages: [stage('A', 'Serve', constant(25_000))],
    source: { kind: 'sine', max: 120, every: 100_000, duration: 60_000_000, jobs: null },
    workers: 40,
    policy: { kind: 'pid', kp: 1, ki, kd, every: 10_000, setpoint: 0, up: -100, down: -20, max: null, clamp: null, lend: false },
  }
}

/** A pool that follows its load closely: it hires where five jobs wait, and dismisses who has been idle for half a second. */
function elasticUnder(source: Source): Asked {
  return {
    stages: [stage('A', 'Serve', constant(40_000))],
    source,
    workers: 24,
    policy: { kind: 'threshold', high: 4, idle: 500_000, every: 50_000, max: null, lend: false },
  }
}

type Asked = Partial<Scenario> & Pick<Scenario, 'stages' | 'source' | 'workers'>

function preset(key: string, title: string, about: string, asked: Asked, engine?: 'threads'): Preset {
  const links = lineLinks(asked.stages.map(({ id }) => id))
  return { key, title, about, scenario: { ...scenarioDefaults, version: 1, title, links, cores: asked.workers, ...asked }, ...(engine && { engine }) }
}

/** Stages wait unless told otherwise: sleeping workers show many cores on a machine with few. */
function stage(id: string, name: string, service: Service, work: Work = 'wait'): Stage {
  return { ...stageDefaults, id, name, service, work }
}

function constant(mean: number): Service {
  return { kind: 'constant', mean }
}

function exponential(mean: number): Service {
  return { kind: 'exponential', mean }
}
