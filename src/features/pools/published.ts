import type { Micros, Scenario } from '../../scenario/model/scenario.ts'

/** Returns a number of samples of one value. */
const held = (value: number, samples: number) => Array<number>(samples).fill(value)

/**
 * Queue length and workers every half second, from the figures of the article on elastically scalable thread pools
 * (real threads; up to 120 jobs in 0.1 s, 25 ms each).
 */
const published = {
  p: {
    queue: [
      1, 104, 77, 13, 116, 21, 72, 58, 45, 57, 83, 99, 97, 100, 99, 100, 95, 94, 55, 48, 41, 53, 30, 27, 75, 87, 97, 96,
      99, 96, 87, 35, 66, 55, 55, 76, 51, 82, 89, 100, 98, 99, 95, 70, 14, 82, 37, 73, 95, 81, 98, 98, 97, 99, 96, 95,
      71, 20, 78, 27, 74, 75, 24, 44, 90, 101, 99, 96, 96, 82, 50, 46, 16, 51, 30, 44, 86, 96, 96, 98, 91, 93, 89, 42,
      72, 84, 22, 85, 99, 99, 99, 95, 91, 89, 90, 88, 39, 70, 67, 43, 83, 100, 97, 97, 98, 98, 90, 94, 86, 16, 62, 15,
      72, 59, 50, 97, 93, 98, 96, 85, 93, 74, 29, 72, 0,
    ],
    workers: [
      0, 32, 12, 34, 27, 16, 26, 7, 15, 0, 0, 4, 10, 15, 20, 26, 26, 27, 27, 16, 16, 5, 5, 0, 0, 10, 17, 22, 26, 26, 27,
      27, 15, 15, 2, 2, 2, 2, 11, 17, 23, 26, 27, 27, 19, 15, 15, 1, 1, 1, 5, 10, 16, 21, 26, 26, 28, 18, 17, 17, 3, 3,
      3, 0, 11, 14, 21, 25, 27, 27, 27, 18, 12, 8, 0, 0, 0, 8, 17, 22, 26, 26, 27, 27, 14, 14, 0, 0, 0, 6, 12, 19, 23,
      26, 26, 26, 26, 13, 13, 0, 0, 1, 8, 13, 19, 24, 26, 26, 26, 25, 14, 10, 2, 2, 2, 12, 12, 21, 26, 26, 26, 26, 14,
      14, 0,
    ],
  },
  pi: {
    queue: [
      1, 91, 79, 16, 104, 8, 78, 49, 47, 76, 23, 33, 71, 80, 75, 75, 75, 47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ],
    workers: [0, 32, 13, 34, 26, 20, 19, 19, 4, 4, 4, 0, 11, 16, 20, 25, 26].concat(held(28, 107)),
  },
  pid: {
    queue: [
      1, 87, 80, 71, 46, 17, 42, 11, 12, 20, 16, 46, 79, 78, 71, 57, 57, 47, 4, 24, 9, 3, 5, 3, 48, 67, 64, 61, 48, 26,
      9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12, 17, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,
      0, 1, 17, 3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2, 12, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 11, 16, 0, 0, 0, 0, 0, 0, 0, 0,
      1, 0, 0, 8, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 17, 0, 0, 0, 0,
    ],
    workers: [
      0, 22, 22, 27, 28, 25, 20, 12, 9, 4, 0, 0, 9, 15, 21, 25, 26, 28, 24, 19, 11, 6, 2, 0, 0, 10, 17, 21, 27, 27, 27,
    ].concat(held(26, 94)),
  },
}

export const PUBLISHED_EVERY: Micros = 500_000

/** Returns the published figures for this very controller and load; null for others. */
export function publishedOf({ policy, source, stages, batch }: Scenario) {
  if (policy.kind !== 'pid' || source.kind !== 'sine' || stages.length !== 1 || batch.size !== 1) return null
  const { kp, ki, kd, every, setpoint, up, down, clamp } = policy
  if (
    source.max !== 120 ||
    source.every !== 100_000 ||
    every !== 10_000 ||
    setpoint !== 0 ||
    up !== -100 ||
    down !== -20 ||
    clamp !== null
  )
    return null
  const { service } = stages[0]
  if (service.kind !== 'constant' || service.mean !== 25_000 || kp !== 1) return null
  if (ki === 0) return kd === 0 ? published.p : null
  if (ki !== 0.05) return null
  return kd === 0 ? published.pi : kd === 0.05 ? published.pid : null
}
