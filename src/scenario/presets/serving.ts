import { constant, exponential, presetsOf, stage } from './preset.ts'

/** Failures, batches, few cores, order at the exit, and workers that are far away. */
export const serving = presetsOf({
  'failing-jobs': {
    title: 'Failing jobs',
    about: 'Three jobs throw at every try: each is tried three times and then failed, and the ordered exit skips its ticket.',
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
    about: 'A change of stage costs 3 ms, more than a job: with ten jobs to a batch the workers change seldom; set it to one, or let the queue decide.',
    stages: [stage('A', 'Pick', exponential(1000)), stage('B', 'Pack', exponential(2000)), stage('C', 'Label', exponential(1000))],
    source: { kind: 'poisson', rate: 600, jobs: 1500 },
    workers: 4,
    batch: { size: 10, inHand: 1 },
    switchCost: 3000,
  },
  'single-wins': {
    title: 'One worker a job',
    about: 'Four workers on one core are no faster than one, who carries each job to its end and has most of them out earlier: try the others.',
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
    about: 'One job in twenty is long. Threads that share the one core let the short ones out at once; with One worker does it all they queue behind it.',
    seed: 4,
    stages: [stage('A', 'Answer', { kind: 'bimodal', fast: 4000, slow: 150_000, pSlow: 0.05 }, 'burn')],
    source: { kind: 'poisson', rate: 60, jobs: 400 },
    workers: 1,
    policy: { kind: 'greenThreads', perStage: 32, lend: false },
  },
  'price-of-order': {
    title: 'The price of order',
    about: 'One job in a hundred takes fifty times as long: finished jobs fill the ring behind it, and workers stand idle until it comes.',
    seed: 3,
    stages: [stage('A', 'Unpack', constant(2000)), stage('B', 'Convert', { kind: 'bimodal', fast: 8000, slow: 400_000, pSlow: 0.01 })],
    source: { kind: 'regular', rate: 200, jobs: 600 },
    workers: 4,
    order: { kind: 'buffer', slots: 32 },
  },
  'ten-thousand-workers': {
    title: 'A room of 10,000 workers',
    about: 'They are 40 ms away, and one message in a hundred is lost. A dot is 50 workers and a lane 500: press a lane to see its workers one by one.',
    stages: [stage('A', 'Parse', exponential(200_000)), stage('B', 'Enrich', exponential(600_000)), stage('C', 'Write', exponential(200_000))],
    source: { kind: 'poisson', rate: 9000, jobs: 30_000 },
    workers: 10_000,
    network: { roundTrip: 40_000, loss: 0.01 },
  },
})
