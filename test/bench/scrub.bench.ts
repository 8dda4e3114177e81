import type { CDPSession, Page } from 'playwright-core'
import { toJsonFragment } from '../../src/scenario/link/codec.ts'
import type { Service } from '../../src/scenario/model/scenario.ts'
import { lineOf } from './scenarios.ts'
import type { BenchRow, Tools } from './tools.ts'

/** The whole page while the playhead moves at every frame: pipeline, decision and timeline, then the policies side by side. */
export default async function scrub({ quick, launch, serve }: Tools): Promise<BenchRow[]> {
  const address = await serve()
  const browser = await launch()
  const frames = quick ? 20 : 240
  const rounds = quick ? 1 : 7
  const services: Service[] = [1800, 2400, 2000, 2100].map((mean) => ({ kind: 'exponential', mean }))
  const rows: BenchRow[] = []
  for (const [name, jobs, view] of [
    ['timeline and decision', quick ? 500 : 100_000, 'Timeline'],
    ['policies compared', quick ? 500 : 9000, 'Compare'],
  ] as const) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    const scenario = lineOf({ jobs, seed: 3, workers: 8, services, rate: 900 })
    await page.goto(`${address}${toJsonFragment(scenario)}&run=simulation&t=0`)
    await page.getByRole('status').filter({ hasText: 'Finished' }).waitFor()
    await page.getByRole('tab', { name: view }).click()
    if (view === 'Compare')
      await page.getByRole('list', { name: 'Side by side' }).getByRole('listitem').nth(4).waitFor()
    await page.waitForTimeout(1500)
    rows.push({ name: `${name}, ${jobs * services.length} services`, figures: await measure(page, frames, rounds) })
    await page.close()
  }
  return rows
}

/** Script and layout per frame of a round, as the browser counts them; the least of several rounds, because other work can only add time. */
async function measure(page: Page, frames: number, rounds: number): Promise<BenchRow['figures']> {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Performance.enable')
  await page.evaluate(move, frames)
  let [script, layout] = [Infinity, Infinity]
  for (let round = 0; round < rounds; round++) {
    const before = await counted(browser)
    await page.evaluate(move, frames)
    const after = await counted(browser)
    const ms = (name: string) => ((after[name] - before[name]) * 1000) / frames
    script = Math.min(script, ms('ScriptDuration'))
    layout = Math.min(layout, ms('LayoutDuration') + ms('RecalcStyleDuration'))
  }
  return { 'script ms a frame (4)': script, 'layout ms a frame': layout }
}

async function counted(browser: CDPSession): Promise<Record<string, number>> {
  const { metrics } = await browser.send('Performance.getMetrics')
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]))
}

/** Runs in the page: moves the playhead at every frame, from start to end. */
async function move(frames: number): Promise<void> {
  const slider = document.querySelector<HTMLInputElement>('input[aria-label=Time]')
  const put = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  for (let k = 0; k < frames; k++) {
    put?.call(slider, String(Math.round((Number(slider?.max) * k) / frames)))
    slider?.dispatchEvent(new Event('input', { bubbles: true }))
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
}
