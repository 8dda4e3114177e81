import type { Browser, Page } from 'playwright-core'
import { createGauge, type Reading } from './endurance/gauge.ts'
import { askedInTurn, play, rest } from './endurance/runs.ts'

interface BenchRow {
  readonly name: string
  readonly figures: Readonly<Record<string, number | string | null>>
}

interface Tools {
  readonly quick: boolean
  launch(options?: object): Promise<Browser>
  serve(): Promise<string>
}

const MB = 1_048_576

/** The built page for as long as somebody might leave it open: what it holds after many runs. */
export default async function endurance({ quick, launch, serve }: Tools): Promise<BenchRow[]> {
  const address = await serve()
  const browser = await launch()
  return [...(await manyRuns(browser, address, quick ? 60 : 1000))]
}

async function open(browser: Browser, address: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  page.on('pageerror', (error) => console.log(`  the page broke: ${error.stack ?? error.message}`))
  await page.goto(address)
  await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
  return page
}

/** One page, one run after the other: half of them simulated, half on threads. */
async function manyRuns(browser: Browser, address: string, runs: number): Promise<BenchRow[]> {
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

/** The figures after each step, and what they come to once the page is warm: after the first fifth whatever is fetched and compiled once has been. */
function series(name: string, readings: readonly Reading[], step: number): BenchRow[] {
  const warm = readings.slice(Math.floor(readings.length / 5))
  const spread = (of: (reading: Reading) => number) => Math.max(...warm.map(of)) - Math.min(...warm.map(of))
  const gained = (of: (reading: Reading) => number) => of(warm[warm.length - 1]) - of(warm[0])
  return [
    ...readings.map((reading, k) => ({ name: `${(k + 1) * step} ${name}`, figures: figuresOf(reading) })),
    {
      name: `${name}, once warm`,
      figures: {
        'heap MB': `${(spread(({ heap }) => heap) / MB).toFixed(2)} between most and least (5)`,
        'kB each': (gained(({ heap }) => heap) / 1024 / ((warm.length - 1) * step)).toFixed(2),
        nodes: gained(({ nodes }) => nodes),
        listeners: gained(({ listeners }) => listeners),
        documents: gained(({ documents }) => documents),
        workers: Math.max(...warm.map(({ workers }) => workers)),
      },
    },
  ]
}

function figuresOf({ heap, nodes, listeners, documents, workers }: Reading): BenchRow['figures'] {
  return { 'heap MB': (heap / MB).toFixed(2), nodes, listeners, documents, workers }
}

/** It takes so long that whoever waits is told how far it is. */
function tell(what: string, readings: readonly Reading[]): void {
  const last = readings[readings.length - 1]
  console.log(`  ${what}: ${(last.heap / MB).toFixed(2)} MB, ${last.nodes} nodes, ${last.listeners} listeners, ${last.workers} workers`)
}
