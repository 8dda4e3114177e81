import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { mean, sum } from 'd3-array'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Fit, fitLog } from '../../../../src/features/logs/fit/fitLog.ts'
import type { SystemLog } from '../../../../src/features/logs/read/log.ts'
import { readLog } from '../read/logFiles.ts'

/**
 * A pipeline on Node's worker threads, whose third stage was slower for a while and whose queue there held 40 jobs: by its own CSV, and as
 * Prometheus 2.42 scraped it from prom-client 15.1, sorted by the alphabet.
 */
const files = { csv: 'system.csv.gz', prometheus: 'prometheus.json.gz' }
/** The coefficients of variation of all service times that the system measured. */
const spreads = { fetch: 0.94, parse: 0.52, enrich: 1.32, deliver: 0.69 }
type Source = keyof typeof files
const fits = new Map<Source, Fit>()

function logIn(file: string): SystemLog {
  const read = readLog(gunzipSync(readFileSync(new URL(`../real/${file}`, import.meta.url))).toString())
  if (!('log' in read)) throw new Error(JSON.stringify(read.problems))
  return read.log
}

beforeAll(async () => {
  for (const [source, file] of Object.entries(files)) fits.set(source as Source, await fitLog(logIn(file)))
})

describe.each(Object.keys(files) as Source[])('a real system in the form %s', (source) => {
  const found = () => fits.get(source) as Fit

  test('has its stages in the order of the flow, which its counts tell', () => {
    expect(found().stages.map(({ name }) => name)).toEqual(Object.keys(spreads))
    expect(found().assumed[0]).toMatch(/^Order of the stages/)
  })

  test('has its capacity, although its queue was seldom quite full', () => {
    expect(found().scenario.stages.map(({ capacity }) => capacity)).toEqual([null, null, 40, null])
  })

  test('has its spreads, and each says where it comes from', () => {
    const words = source === 'csv' ? 'from the counted means' : 'from a histogram'
    for (const [name, cv] of Object.entries(spreads)) {
      const sentence =
        found().assumed.find((text) => text.startsWith(`${name}: coefficient of variation of the service times`)) ?? ''
      expect(sentence).toContain(words)
      expect(Math.abs(Number(/[\d.]+(?=,)/.exec(sentence)?.[0]) / cv - 1), sentence).toBeLessThan(0.25)
    }
  })

  test('is repeated by the run at the stage of the incident and at the next within a quarter', () => {
    expect(found().stages[2].error).toBeLessThan(0.25)
    expect(found().stages[3].error).toBeLessThan(0.25)
    expect(found().stages[2].logged).toBeGreaterThan(7)
  })

  test('has other days with its incident, and with means as uncertain as its services leave them', () => {
    const { services, errors } = found().arrivals
    const means = [services?.[2].service, ...(services?.[2].changes.map(({ service }) => service) ?? [])].map((each) =>
      each && 'mean' in each ? each.mean : 0,
    )
    expect(Math.max(...means)).toBeGreaterThan(1.25 * Math.min(...means))
    for (const each of errors?.services[2] ?? []) expect(each > 0.01 && each < 0.15, `${each}`).toBe(true)
    expect(errors?.rates.length).toBe(found().arrivals.rates.length)
  })
})

describe('Prometheus with counts', () => {
  const jobsOff = (source: Source) => fits.get(source)?.stages.map(({ error, logged }) => error * logged) ?? []
  /** The mean of the logged queue in a part of the time that both logs have, by stage. */
  const meansOf = (source: Source, from: number, to: number) => {
    const { time, logged } = fits.get(source) as Fit
    const inside = Array.from(time.keys()).filter((k) => time[k] >= from && time[k] < to)
    return logged.map((queue) => mean(inside, (k) => queue[k]) ?? 0)
  }

  // Both logs have the same queues once a second, but at other instants. They differ by this much themselves, so no fit can be nearer.
  test('is fitted as well as the CSV of the same run at each stage, to within what two logs of one run differ by', () => {
    const end = Math.min(...Array.from(fits.values(), ({ time }) => time[time.length - 1]))
    const parts = Array.from({ length: 24 }, (_, k) => [(k * end) / 24, ((k + 1) * end) / 24] as const)
    const apart = parts.map(([from, to]) => distances(meansOf('csv', from, to), meansOf('prometheus', from, to)))
    const [csv, prometheus] = [jobsOff('csv'), jobsOff('prometheus')]
    for (const [s, off] of prometheus.entries())
      expect(off).toBeLessThanOrEqual(csv[s] + (mean(apart, (each) => each[s]) ?? 0))
  })

  test('is fitted about as well as the CSV over all stages', () => {
    const [csv, prometheus] = [jobsOff('csv'), jobsOff('prometheus')].map((all) => sum(all))
    expect(prometheus).toBeLessThan(1.15 * csv)
  })
})

function distances(a: readonly number[], b: readonly number[]): number[] {
  return a.map((value, s) => Math.abs(value - b[s]))
}
