import { createGauge, type Reading } from './endurance/gauge.ts'
import { open } from './endurance/page.ts'
import { askedInTurn, play, rest } from './endurance/runs.ts'
import { series, tell } from './endurance/table.ts'
import type { BenchRow, Tools } from './tools.ts'

/** One page, one run after the other, half of them simulated, half on threads: its memory after each tenth of them. */
export default async function enduranceRuns({ quick, launch, serve }: Tools): Promise<BenchRow[]> {
  const runs = quick ? 60 : 1000
  const address = await serve()
  const browser = await launch()
  const page = await open(browser, address)
  const gauge = await createGauge(browser, page)
  const asked = askedInTurn()
  const step = runs / 10
  const readings: Reading[] = []
  for (let from = 0; from < runs; from += step) {
    await play(page, asked, from, step)
    await rest(page, asked)
    readings.push(await gauge.read())
    tell(`${from + step} runs`, readings)
  }
  await page.close()
  return series('runs in a row', readings, step)
}
