import { join } from 'node:path'
import { createGauge, type Reading } from './endurance/gauge.ts'
import { FACTOR, heapOfThread, hourOfTraffic, playFast } from './endurance/hour.ts'
import { ended, fragmentOf, open } from './endurance/page.ts'
import { gainedOf, MB, tell } from './endurance/table.ts'
import type { BenchRow, Tools } from './tools.ts'

/** Four times its usual duration. */
const LONGEST_MS = 300_000

/** An hour of traffic on threads, with a clock that is faster than real time. */
export default async function enduranceHour({ root, quick, launch, serve }: Tools): Promise<BenchRow[]> {
  const address = await serve()
  const folder = join(root, 'node_modules/.cache/apportion/bench/index.html')
  const browser = await launch()
  // The service worker would take over after the first run and serve the original scripts.
  const page = await open(browser, address, { serviceWorkers: 'block' })
  const gauge = await createGauge(browser, page)
  const minutes = { ...hourOfTraffic, source: { kind: 'poisson', rate: 10, jobs: 3000 } }
  const go = async (title: string, fragment: string) => {
    await page.evaluate((hash) => {
      location.hash = hash
    }, fragment)
    await page.getByText(title, { exact: true }).waitFor()
  }
  const nothing = fragmentOf({
    version: 1,
    title: 'Nothing',
    source: { kind: 'batch', jobs: 1 },
    stages: [{ id: 'A' }],
    workers: 1,
  })
  const measured = { threads: [] as number[], most: 0 }
  const left: Reading[] = []
  let status = ''
  let seconds = 0
  let record = 0
  // Some minutes, run twice, warm the page up.
  for (const scenario of [minutes, minutes, quick ? minutes : hourOfTraffic]) {
    measured.threads.length = 0
    await page.unrouteAll()
    await playFast(page, folder)
    await go(scenario.title, fragmentOf(scenario))
    await page.getByRole('radio', { name: 'Web Workers' }).check()
    const began = performance.now()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    while (!/^(Finished|Failed|Stopped)/.test(await page.getByRole('status').innerText())) {
      if (performance.now() - began > LONGEST_MS)
        throw new Error(`the run has not ended: ${await page.getByRole('status').innerText()}`)
      await page.waitForTimeout(quick ? 1000 : 8000)
      measured.most = Math.max(measured.most, await gauge.workers())
      const heap = await heapOfThread(browser, /conductor\.worker/)
      if (heap !== null) measured.threads.push(heap)
    }
    seconds = (performance.now() - began) / 1000
    status = await page.getByRole('status').innerText()
    console.log(
      `  ${status} (${seconds.toFixed(0)} s, ${measured.threads.map((heap) => (heap / MB).toFixed(2)).join(' ')} MB)`,
    )
    record = (await gauge.read()).heap
    // React keeps earlier inputs of a component: another run replaces this one.
    await go('Nothing', nothing)
    await page.getByRole('radio', { name: 'Simulation' }).check()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await ended(page)
    await page.waitForTimeout(1500)
    left.push(await gauge.read())
    tell('after the hour', left)
  }
  await page.close()
  return [
    {
      name: `an hour on threads, ${FACTOR} times as fast as the wall: ${status}`,
      figures: {
        ...gainedOf(left[1], left[2]),
        'page with its record MB': `${(record / MB).toFixed(1)}, ${(left[2].heap / MB).toFixed(1)} without`,
        'conductor MB': `${(Math.max(...measured.threads) / MB).toFixed(2)} at most, ${((Math.max(...measured.threads) - Math.min(...measured.threads)) / MB).toFixed(2)} between most and least (5)`,
        'threads at most': measured.most,
        seconds,
      },
    },
  ]
}
