import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { averaged, summed, withCounts } from '../../../../src/features/logs/read/logSeries.ts'
import { createSeries, pushSample, type Series } from '../../../../src/features/logs/read/prometheus.ts'

type Samples = readonly (readonly [time: number, value: number])[]

const seriesOf = (samples: Samples): Series => {
  const series = createSeries({ stage: 'A' })
  for (const [time, value] of samples) pushSample(series, time, value)
  return series
}
const samplesOf = ({ length, time, value }: Series): Samples => Array.from({ length }, (_, i) => [time[i], value[i]])

/** Samples at some of the times from 0; a few are NaN. */
const anySamples: fc.Arbitrary<Samples> = fc
  .array(fc.option(fc.oneof(fc.nat(9), fc.constant(Number.NaN))), { maxLength: 8 })
  .map((all) => all.flatMap((value, time) => (value === null ? [] : [[time, value] as const])))
const anyInstances = fc.array(anySamples, { minLength: 2, maxLength: 3 })
const timesOf = (instances: readonly Samples[]) =>
  [...new Set(instances.flat().map(([time]) => time))].sort((a, b) => a - b)
const measuredAt = (instances: readonly Samples[], at: number) =>
  instances.flat().flatMap(([time, value]) => (time === at && !Number.isNaN(value) ? [value] : []))

describe('instances of one stage', () => {
  test('add up to what those with a sample have', () => {
    fc.assert(
      fc.property(anyInstances, (instances) => {
        const plain = timesOf(instances).map((time) => [
          time,
          measuredAt(instances, time).reduce((sum, each) => sum + each, 0),
        ])
        expect(samplesOf(summed(instances.map(seriesOf)))).toEqual(plain)
      }),
    )
  })

  test('have the mean of their means where no counts are known', () => {
    fc.assert(
      fc.property(anyInstances, (instances) => {
        const plain = timesOf(instances).map((time) => {
          const all = measuredAt(instances, time)
          return [time, all.length === 0 ? Number.NaN : all.reduce((sum, each) => sum + each, 0) / all.length]
        })
        expect(samplesOf(averaged(instances.map(seriesOf)))).toEqual(plain)
      }),
    )
  })

  test('have a sum and a count where both have a sample', () => {
    fc.assert(
      fc.property(anySamples, anySamples, (sums, counts) => {
        const both = withCounts(seriesOf(sums), seriesOf(counts))
        const plain = sums.flatMap(([time, value]) =>
          counts.flatMap(([at, count]) => (at === time ? [[time, value, count]] : [])),
        )
        expect(samplesOf(both).map(([time, value], i) => [time, value, both.count?.[i]])).toEqual(plain)
      }),
    )
  })
})
