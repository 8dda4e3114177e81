import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { ended, fragmentOf, open } from './endurance/page.ts'
import { tasksOf, traceOf } from './endurance/tasks.ts'
import type { BenchRow, Tools } from './tools.ts'

/** The longest tasks of the page's own thread during a run. */
export default async function enduranceTasks({ root, quick, launch, serve }: Tools): Promise<BenchRow[]> {
  const jobs = quick ? 2000 : 100_000
  const address = await serve()
  const browser = await launch()
  const stages = (work: string) =>
    ['A', 'B', 'C'].map((id) => ({ id, service: { kind: 'exponential', mean: 5000 }, work }))
  const many = fragmentOf({
    version: 1,
    title: 'Many',
    source: { kind: 'batch', jobs },
    stages: stages('burn'),
    workers: 8,
  })
  const source = { kind: 'poisson', rate: 300, jobs: 4000 }
  const asleep = fragmentOf({
    version: 1,
    title: 'Asleep',
    source,
    stages: stages('wait'),
    workers: 8,
    order: { kind: 'buffer', slots: 64 },
  })
  const run = (page: Page) => page.getByRole('button', { name: 'Run', exact: true }).click()
  const more = async (page: Page, item: string) => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menu', { name: 'More' }).getByText(item, { exact: true }).click()
  }
  const tabs = async (page: Page) => {
    for (const name of [
      'Results',
      'Compare',
      'Settings',
      'What if',
      'JSON',
      'Real vs simulated',
      'Decision',
      'Timeline',
    ]) {
      await page.getByRole('tab', { name, exact: true }).click()
      await page.waitForTimeout(1000)
    }
  }
  const file = join(root, 'node_modules/.cache/apportion/record.json')
  const acts: [name: string, fragment: string, threads: boolean, act: (page: Page) => Promise<void>][] = [
    [
      `a simulation of ${jobs} jobs, and its playback`,
      many,
      false,
      (page) =>
        run(page)
          .then(() => ended(page))
          .then(() => page.waitForTimeout(4000)),
    ],
    ['eight workers that wait', asleep, true, (page) => run(page).then(() => page.waitForTimeout(6000))],
    ['the same, with one tab after the other', asleep, true, async (page) => run(page).then(() => tabs(page))],
    ['the simulation, with one tab after the other', many, false, async (page) => run(page).then(() => tabs(page))],
    [
      'its record is opened',
      many,
      false,
      async (page) => {
        const chooser = page.waitForEvent('filechooser')
        await more(page, 'Open a trace')
        await (await chooser).setFiles(file)
        await page.getByRole('status').filter({ hasText: 'Recorded in' }).waitFor({ timeout: 120_000 })
        await page.waitForTimeout(3000)
      },
    ],
  ]
  const rows: BenchRow[] = []
  for (const [name, fragment, threads, act] of acts) {
    const page = await open(browser, address + fragment)
    await page.waitForTimeout(2500)
    if (threads) await page.getByRole('radio', { name: 'Web Workers' }).check()
    const tasks = tasksOf(await traceOf(browser, page, () => act(page)))
    const own = tasks.map((task) => task.own)
    const at = (share: number) => own[Math.floor((1 - share) * own.length)]
    rows.push({
      name,
      figures: {
        tasks: own.length,
        'median ms': at(0.5),
        'p95 ms': at(0.95),
        'p99 ms': at(0.99),
        'longest ms (50)': own[0],
        'over 50 ms': own.filter((one) => one > 50).length,
        'longest by the wall ms': Math.max(...tasks.map(({ wall }) => wall)),
      },
    })
    console.log(`  ${name}: ${JSON.stringify(rows[rows.length - 1].figures)}`)
    if (rows.length === 1) {
      const download = page.waitForEvent('download')
      await more(page, 'Download trace')
      await (await download).saveAs(file)
    }
    await page.close()
  }
  return rows
}
