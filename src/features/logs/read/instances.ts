import type { Series } from './prometheus.ts'

/** Returns the sum of the series at each time, over those that have a sample there: an instance that has gone counts no more. */
export function summed(instances: readonly Series[]): Series {
  if (instances.length === 1) return instances[0]
  return combined(instances, (at) => at.reduce((sum, i, k) => (i < 0 || Number.isNaN(instances[k].value[i]) ? sum : sum + instances[k].value[i]), 0))
}

/**
 * Returns the mean at each time: of sums with counts, what all sums have grown by over what all counts have grown by; of plain
 * means, their own mean. NaN where nothing was counted.
 */
export function averaged(instances: readonly Series[]): Series {
  if (instances.length === 1 && instances[0].count === null) return instances[0]
  return combined(instances, (at) => {
    let sum = 0
    let count = 0
    at.forEach((i, k) => {
      if (i < 0) return
      const { value, count: counts } = instances[k]
      if (counts === null) {
        if (Number.isNaN(value[i])) return
        sum += value[i]
        count++
      } else if (i > 0) {
        // A count that falls has begun anew, with its process.
        const begun = counts[i] < counts[i - 1]
        sum += begun ? value[i] : value[i] - value[i - 1]
        count += begun ? counts[i] : counts[i] - counts[i - 1]
      }
    })
    return count > 0 ? sum / count : Number.NaN
  })
}

/** Returns sums with their counts, where both have a sample. */
export function withCounts(sums: Series, counts: Series): Series {
  const paired = { ...sums, count: new Float64Array(sums.length), time: new Float64Array(sums.length), value: new Float64Array(sums.length), length: 0 }
  for (let i = 0, k = 0; i < sums.length && k < counts.length; ) {
    const apart = sums.time[i] - counts.time[k]
    if (apart === 0) {
      paired.time[paired.length] = sums.time[i]
      paired.value[paired.length] = sums.value[i]
      paired.count[paired.length++] = counts.value[k]
    }
    if (apart <= 0) i++
    if (apart >= 0) k++
  }
  return paired
}

/** Walks along all series at once. `valueAt` gets, by series, the index of its sample at the time; -1: it has none. */
function combined(instances: readonly Series[], valueAt: (at: readonly number[]) => number): Series {
  const next = instances.map(() => 0)
  const timeOf = (series: Series, k: number) => (next[k] < series.length ? series.time[next[k]] : Infinity)
  const times: number[] = []
  const values: number[] = []
  for (;;) {
    const time = Math.min(...instances.map(timeOf))
    if (time === Infinity) break
    times.push(time)
    values.push(valueAt(instances.map((series, k) => (timeOf(series, k) === time ? next[k]++ : -1))))
  }
  return { labels: instances[0].labels, length: times.length, time: Float64Array.from(times), value: Float64Array.from(values), count: null }
}
