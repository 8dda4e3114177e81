import type { Browser } from 'playwright-core'
import { createGauge, type Reading } from './endurance/gauge.ts'
import { askedInTurn, play } from './endurance/runs.ts'

interface BenchRow {
  readonly name: string
  readonly figures: Readonly<Record<string, number | string | null>>
}

interface Tools {
  readonly quick: boolean
  launch(options?: object): Promise<Browser>
  serve(): Promise<string>
}

/** The built page for as long as somebody might leave it open: what it holds after many runs. */
export default async function endurance({ quick, launch, serve }: Tools): Promise<BenchRow[]> {
  const address = await serve()
  const browser = await launch()
  return [...(await manyRuns(browser, address, quick ? 60 : 1000))]
}

async function manyRuns(browser: Browser, address: string, runs: number): Promise<BenchRow[]> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  page.on('pageerror', (error) => console.log('error', error.message))
  await page.goto(address)
  await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
  const gauge = await createGauge(browser, page)
  const asked = askedInTurn()
  const readings: Reading[] = []
  const step = runs / 10
  for (let from = 0; from < runs; from += step) {
    const began = performance.now()
    await play(page, asked, from, step)
    await page.waitForTimeout(1000)
    readings.push(await gauge.read())
    console.log(from + step, JSON.stringify(readings.at(-1)), performance.now() - began)
  }
  return []
}
