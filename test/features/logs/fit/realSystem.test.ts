import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
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
    expect(found().assumed[0]).toMatch(/^The counts of the log allow no other order/)
  })

  test('has its capacity, although its queue was seldom quite full', () => {
    expect(found().scenario.stages.map(({ capacity }) => capacity)).toEqual([null, null, 40, null])
  })

  test('has its spreads, and each says where it comes from', () => {
    const words = source === 'csv' ? 'from how much their counted means vary' : 'from the buckets of their histogram'
    for (const [name, cv] of Object.entries(spreads)) {
      const sentence = found().assumed.find((text) => text.startsWith(`${name}: the service times have the coefficient of variation`)) ?? ''
      expect(sentence).toContain(words)
      expect(Math.abs(Number(/[\d.]+(?=,)/.exec(sentence)?.[0]) / cv - 1), sentence).toBeLessThan(0.25)
    }
  })

  test('is repeated by the run at the stage of the incident within a quarter', () => {
    expect(found().stages[2].error).toBeLessThan(0.25)
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

test('Prometheus with counts is fitted about as well as the CSV of the same run', () => {
  const total = (source: Source) => (fits.get(source)?.stages ?? []).reduce((sum, { error, logged }) => sum + error * logged, 0)
  expect(total('prometheus')).toBeLessThan(1.15 * total('csv'))
})
