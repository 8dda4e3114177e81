import { startingParams } from '../model/policies.ts'
import type { Source } from '../model/scenario.ts'
import { constant, exponential, type PresetScenario, presetsOf, stagesOf } from './preset.ts'

/** Bursts through three uneven stages: a controller sees only its own queue, a policy sees all. */
const burstyLine: PresetScenario = {
  seed: 5,
  stages: stagesOf({ Receive: exponential(6000), Check: exponential(20_000), Store: exponential(10_000) }),
  source: { kind: 'bursts', rate: 60, burstRate: 500, on: 500_000, off: 1_500_000, jobs: 1000 },
  workers: 10,
}

/** Pools that hire and dismiss, under loads of every shape. */
export const pools = presetsOf({
  'elastic-p': {
    title: 'Elastic pool: P',
    about: 'The load is a sine: the pool overshoots and empties.',
    ...elastic(0, 0),
  },
  'elastic-pi': {
    title: 'Elastic pool: PI',
    about: 'The integral part makes the pool grow and never shrink.',
    ...elastic(0.05, 0),
  },
  'elastic-pid': {
    title: 'Elastic pool: PID',
    about: 'The derivative part answers early.',
    ...elastic(0.05, 0.05),
  },
  'elastic-step': {
    title: 'Elastic pool: a step',
    about: 'After 4 s the load is four times as high.',
    ...elasticUnder({
      kind: 'steps',
      at: [
        [0, 100],
        [4_000_000, 400],
      ],
      jobs: 2000,
    }),
  },
  'elastic-square': {
    title: 'Elastic pool: on and off',
    about: 'Two seconds of load, two of nearly none.',
    ...elasticUnder({
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
  },
  'elastic-bursts': {
    title: 'Elastic pool: the Slashdot effect',
    about: 'For a second twenty times the visitors come.',
    ...elasticUnder({ kind: 'bursts', rate: 25, burstRate: 500, on: 1_000_000, off: 3_000_000, jobs: 1800 }),
  },
  'elastic-drawn': {
    title: 'Elastic pool: a day drawn by hand',
    about: 'Choose the source and draw your own day.',
    ...elasticUnder({
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
  },
  'each-stage-alone': {
    title: 'Each stage for itself',
    about: 'Three pools share ten workers, each by its own queue.',
    ...burstyLine,
    policy: { kind: 'threshold', ...startingParams('threshold'), high: 4, lend: false },
  },
  'one-allocator': {
    title: 'One allocator for all',
    about: 'The same load, shared by one policy: a job takes half the time.',
    ...burstyLine,
  },
})

/** The pool of the published figures: 60 s of a load of up to 120 jobs in 0.1 s, 25 ms each. */
function elastic(ki: number, kd: number): PresetScenario {
  return {
    stages: stagesOf({ Serve: constant(25_000) }),
    source: { kind: 'sine', max: 120, every: 100_000, duration: 60_000_000, jobs: null },
    workers: 40,
    policy: {
      kind: 'pid',
      kp: 1,
      ki,
      kd,
      every: 10_000,
      setpoint: 0,
      up: -100,
      down: -20,
      max: null,
      clamp: null,
      lend: false,
    },
  }
}

/** A pool that follows its load closely: it hires when five jobs wait, and dismisses workers idle for half a second. */
function elasticUnder(source: Source): PresetScenario {
  return {
    stages: stagesOf({ Serve: constant(40_000) }),
    source,
    workers: 24,
    policy: { kind: 'threshold', high: 4, idle: 500_000, every: 50_000, max: null, lend: false },
  }
}
