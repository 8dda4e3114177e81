import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  gripsOf,
  planeOf,
  pulled,
  servicePicture,
  shareOf,
  stepped,
  timeAtShare,
} from '../../../../src/app/draw/shapes/drawnService.ts'
import { serviceMean } from '../../../../src/scenario/model/distributions.ts'
import type { Service } from '../../../../src/scenario/model/scenario.ts'
import { parse } from '../../../../src/scenario/parse/parse.ts'
import { quantileOf } from '../../../../src/workload/laws.ts'
import { createServices } from '../../../../src/workload/service.ts'
import { repeats } from '../../../fixtures/extent.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'

const time = fc.integer({ min: 1, max: 50_000_000 })
const anyService: fc.Arbitrary<Service> = fc.oneof(
  time.map((mean): Service => ({ kind: 'constant', mean })),
  fc.tuple(time, time).map(([a, b]): Service => ({ kind: 'uniform', min: Math.min(a, b), max: Math.max(a, b) })),
  time.map((mean): Service => ({ kind: 'exponential', mean })),
  fc.tuple(time, fc.integer({ min: 1, max: 100 })).map(([mean, k]): Service => ({ kind: 'erlang', mean, k })),
  fc
    .tuple(time, fc.integer({ min: 0, max: 1000 }))
    .map(([mean, cv]): Service => ({ kind: 'lognormal', mean, cv: cv / 10 })),
  fc
    .tuple(time, fc.integer({ min: 101, max: 100_000 }))
    .map(([mean, alpha]): Service => ({ kind: 'pareto', mean, alpha: alpha / 100 })),
  fc
    .tuple(time, time, fc.integer({ min: 0, max: 100 }))
    .map(([fast, slow, p]): Service => ({ kind: 'bimodal', fast, slow, pSlow: p / 100 })),
  fc.array(time, { minLength: 1, maxLength: 60 }).map((values): Service => ({ kind: 'empirical', values })),
)
const playable = (service: Service) =>
  parse({ version: 1, source: { kind: 'batch', jobs: 2 }, stages: [{ id: 'A', service }], workers: 1 })

describe('the axis of a service time', () => {
  test('holds the grips, mean and 99th percentile of any distribution', () => {
    fc.assert(
      fc.property(anyService, (service) => {
        const plane = planeOf(service)
        expect(plane.to).toBeGreaterThan(plane.from)
        for (const at of [quantileOf(service, 0.99), ...gripsOf(service).map((grip) => grip.at)]) {
          const share = shareOf(plane, at)
          expect(share).toBeGreaterThanOrEqual(0)
          expect(share).toBeLessThanOrEqual(1)
          expect(timeAtShare(plane, share) / at).toBeCloseTo(1, 6)
        }
      }),
    )
  })

  test('is linear, or logarithmic if the tail is long', () => {
    expect(planeOf({ kind: 'exponential', mean: 1000 })).toEqual({ from: 0, to: 6000, log: false })
    expect(planeOf({ kind: 'lognormal', mean: 12_000, cv: 0.6 }).log).toBe(false)
    expect(planeOf({ kind: 'lognormal', mean: 12_000, cv: 3 }).log).toBe(true)
    expect(planeOf({ kind: 'pareto', mean: 12_000, alpha: 1.2 }).log).toBe(true)
    expect(planeOf({ kind: 'bimodal', fast: 10, slow: 5000, pSlow: 0.1 })).toMatchObject({ from: 1, log: true })
  })
})

describe('a grip', () => {
  test('pulled to its own place only rounds the value; pulled anywhere it gives a service that can be played', () => {
    fc.assert(
      fc.property(
        anyService,
        fc.double({ min: -0.3, max: 1.3, noNaN: true }),
        fc.double({ min: -0.3, max: 1.3, noNaN: true }),
        (service, along, height) => {
          const plane = planeOf(service)
          for (const grip of gripsOf(service)) {
            const next = pulled(service, grip.key, { time: timeAtShare(plane, along), height }, plane)
            expect(playable(next)).toHaveProperty('scenario')
            expect(next.kind).toBe(service.kind)
          }
        },
      ),
    )
  })

  test('follows the pointer: the mean, the ends, the spread, the share', () => {
    const pull = (service: Service, key: string, at: number, height = 0) =>
      pulled(service, key, { time: at, height }, planeOf(service))
    expect(pull({ kind: 'exponential', mean: 1000 }, 'mean', 1512)).toEqual({ kind: 'exponential', mean: 1510 })
    expect(pull({ kind: 'uniform', min: 1000, max: 2000 }, 'min', 2500)).toEqual({
      kind: 'uniform',
      min: 2000,
      max: 2000,
    })
    expect(pull({ kind: 'uniform', min: 1000, max: 2000 }, 'max', 1500)).toEqual({
      kind: 'uniform',
      min: 1000,
      max: 1500,
    })
    expect(pull({ kind: 'erlang', mean: 1000, k: 2 }, 'k', 1500)).toEqual({ kind: 'erlang', mean: 1000, k: 4 })
    expect(pull({ kind: 'lognormal', mean: 1000, cv: 1 }, 'cv', 1450)).toEqual({
      kind: 'lognormal',
      mean: 1000,
      cv: 0.45,
    })
    expect(pull({ kind: 'pareto', mean: 1000, alpha: 3 }, 'alpha', 500)).toEqual({
      kind: 'pareto',
      mean: 1000,
      alpha: 2,
    })
    expect(pull({ kind: 'bimodal', fast: 100, slow: 900, pSlow: 0.1 }, 'pSlow', 0, 0.337)).toMatchObject({
      pSlow: 0.34,
      fast: 100,
    })
    expect(pull({ kind: 'bimodal', fast: 100, slow: 900, pSlow: 0.1 }, 'slow', 700)).toMatchObject({
      slow: 700,
      fast: 100,
    })
  })

  test('is at the place of its parameter: a pull to that place gives the same parameter', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 }), (k, tenths) => {
        for (const service of [
          { kind: 'erlang', mean: 100_000, k },
          { kind: 'lognormal', mean: 100_000, cv: tenths / 10 },
          { kind: 'pareto', mean: 100_000, alpha: 1 + tenths / 10 },
          { kind: 'bimodal', fast: 1000, slow: 9000, pSlow: tenths / 100 },
        ] satisfies Service[]) {
          for (const grip of gripsOf(service))
            expect(pulled(service, grip.key, { time: grip.at, height: grip.height }, planeOf(service))).toEqual(service)
        }
      }),
    )
  })

  test('moves with every arrow key until it reaches its bound', () => {
    fc.assert(
      fc.property(anyService, fc.constantFrom(1, -1, 10, -10), (service, steps) => {
        const plane = planeOf(service)
        for (const grip of gripsOf(service)) {
          const next = stepped(service, grip.key, steps, plane)
          const moved = gripsOf(next).find(({ key }) => key === grip.key)
          if (moved === undefined) throw new Error('the grip is gone')
          const by = grip.along === 'time' ? moved.at - grip.at : moved.height - grip.height
          // A value outside the axis may first move to the end of the axis.
          if (by !== 0 && Math.abs(by) > 0.02 * grip.at) expect(Math.sign(by)).toBe(Math.sign(steps))
          expect(playable(next)).toHaveProperty('scenario')
        }
        if (service.kind === 'exponential' && service.mean > 1)
          expect(stepped(service, 'mean', steps, plane)).not.toEqual(service)
      }),
    )
  })
})

describe('the picture of a service time', () => {
  const pictured: readonly Service[] = [
    { kind: 'uniform', min: 20_000, max: 50_000 },
    { kind: 'exponential', mean: 90_000 },
    { kind: 'erlang', mean: 90_000, k: 5 },
    { kind: 'lognormal', mean: 50_000, cv: 0.5 },
    { kind: 'lognormal', mean: 50_000, cv: 3 },
    { kind: 'pareto', mean: 50_000, alpha: 3 },
    { kind: 'pareto', mean: 50_000, alpha: 1.2 },
  ]

  const DRAWS = repeats(100_000)

  test.each(pictured.map((service) => [JSON.stringify(service), service] as const))(
    'of %s has the shape of its draws, on either axis',
    (_, service) => {
      const plane = planeOf(service)
      const { curve } = servicePicture(service, plane)
      expect(Math.max(...curve.map(([, height]) => height))).toBe(1)
      // The same draws as measured times make bars; both are compared by their shares of the picture's area.
      const services = createServices(scenarioWith({ stages: [{ id: 'A', service }], workers: 1 }))
      const values = Array.from({ length: DRAWS }, (_, job) => services.at(0, job))
      const { bars } = servicePicture({ kind: 'empirical', values }, plane)
      const sum = bars.reduce((all, each) => all + each, 0)
      const area = (from: number, to: number) =>
        curve.slice(1).reduce((all, [x, y], i) => {
          const [before, high] = curve[i]
          const [a, b] = [Math.max(before, from), Math.min(x, to)]
          return b <= a ? all : all + ((high + y) / 2) * (b - a)
        }, 0)
      const whole = area(0, 1)
      for (const [i, bar] of bars.entries()) {
        const share = area(i / bars.length, (i + 1) / bars.length) / whole
        expect(Math.abs(bar / sum - share)).toBeLessThan(3.8 / Math.sqrt(DRAWS))
      }
    },
  )

  test('of a service with few values has needles as high as their probabilities', () => {
    const bimodal: Service = { kind: 'bimodal', fast: 100, slow: 900, pSlow: 0.25 }
    const plane = planeOf(bimodal)
    expect(servicePicture(bimodal, plane).needles).toEqual([
      [shareOf(plane, 100), 0.75],
      [shareOf(plane, 900), 0.25],
    ])
    expect(servicePicture({ kind: 'constant', mean: 7 }, planeOf({ kind: 'constant', mean: 7 })).needles).toHaveLength(
      1,
    )
    expect(
      servicePicture({ kind: 'uniform', min: 7, max: 7 }, planeOf({ kind: 'uniform', min: 7, max: 7 })).needles,
    ).toHaveLength(1)
    const few: Service = { kind: 'empirical', values: [5, 5, 5, 9] }
    expect(servicePicture(few, planeOf(few)).needles.map(([, height]) => height)).toEqual([0.75, 0.25])
    expect(serviceMean(few)).toBe(6)
  })
})
