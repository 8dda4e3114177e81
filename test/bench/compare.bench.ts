import { firstChoice, underPolicy } from '../../src/runs/study/compare.ts'
import type { Scenario, Service } from '../../src/scenario/model/scenario.ts'
import type { ComparePage } from './pages/compare.ts'
import { lineOf } from './scenarios.ts'
import type { BenchRow, Tools } from './tools.ts'

/** Six policies on 100,000 jobs in a real browser, with all rows sent to the page: how soon the first is there, and whether the cores share the work. */
export default async function compare({ quick, launch, serve }: Tools): Promise<BenchRow[]> {
  const browser = await launch()
  const page = await browser.newPage()
  await page.goto(await serve('test/bench/pages/compare.html'))
  await page.waitForFunction(() => 'comparing' in window)
  const services: Service[] = [1000, 4000, 2000].map((mean) => ({ kind: 'exponential', mean }))
  const scenario = lineOf({ jobs: quick ? 5000 : 100_000, seed: 1, workers: 8, services, rate: 900 })
  const scenarios = firstChoice(scenario).flatMap((kind): Scenario[] => {
    const parsed = underPolicy(scenario, kind)
    return 'scenario' in parsed ? [parsed.scenario] : []
  })
  const best = { first: Infinity, all: Infinity, oneByOne: Infinity }
  for (let round = 0; round < (quick ? 1 : 5); round++) {
    const { first, all } = await page.evaluate(
      (asked) => (window as unknown as { comparing: ComparePage }).comparing.compare(asked),
      scenarios,
    )
    const oneByOne = await page.evaluate(
      (asked) => (window as unknown as { comparing: ComparePage }).comparing.oneByOne(asked),
      scenarios,
    )
    best.first = Math.min(best.first, first)
    best.all = Math.min(best.all, all)
    best.oneByOne = Math.min(best.oneByOne, oneByOne)
  }
  const cores = await page.evaluate(() => navigator.hardwareConcurrency)
  return [
    {
      name: `${scenarios.length} policies`,
      figures: {
        'first there ms (1000)': best.first,
        'all there ms': best.all,
        'one by one ms': best.oneByOne,
        'as fast as one by one': best.oneByOne / best.all,
        cores,
      },
    },
  ]
}
