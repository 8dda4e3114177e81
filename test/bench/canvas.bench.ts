import type { Page } from 'playwright-core'
import { toJsonFragment } from '../../src/scenario/link/codec.ts'
import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { scenarioWith } from '../fixtures/scenarios.ts'
import { comb, STAGES } from './scenarios.ts'
import { type BenchRow, type Tools, valueAt } from './tools.ts'

/** Measures the frames of the largest pipeline on the canvas of the built page, while a card is dragged, and while a field or the JSON text is edited. */
export default async function canvas({ quick, launch, serve }: Tools): Promise<BenchRow[]> {
  const address = await serve()
  const browser = await launch()
  const seconds = quick ? 1 : 5
  const rows: BenchRow[] = []
  for (const [shape, scenario] of [
    ['a comb', comb()],
    ['a line', line()],
  ] as const) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    const began = performance.now()
    await page.goto(address + toJsonFragment(scenario))
    const first = page.getByRole('group', { name: /^Stage First, / })
    await first.waitFor()
    const shown = performance.now() - began
    rows.push({
      name: `${shape} of ${STAGES} stages, nothing happens`,
      figures: { ...(await watched(page, seconds, async () => 0)), 'until it is shown ms': shown },
    })
    rows.push({
      name: `${shape}, a card is dragged`,
      figures: await watched(page, seconds, () => dragging(page, seconds)),
    })
    await first.focus()
    await page.keyboard.press('Space')
    await page.getByRole('textbox', { name: 'Name', exact: true }).focus()
    rows.push({
      name: `${shape}, a name is typed`,
      figures: await watched(page, seconds, () => typing(page, seconds, 'x')),
    })
    await page.getByRole('textbox', { name: 'Time', exact: true }).focus()
    await page.keyboard.press('End')
    for (let k = 0; k < 3; k++) await page.keyboard.press('ArrowLeft')
    rows.push({
      name: `${shape}, a service time is typed`,
      figures: await watched(page, seconds, () => typing(page, seconds, '1')),
    })
    await page.getByRole('tab', { name: 'JSON' }).click()
    await page.getByRole('textbox', { name: 'Scenario as JSON' }).click()
    await page.keyboard.press('ControlOrMeta+f')
    await page.getByRole('textbox', { name: 'Find' }).pressSequentially('First')
    for (const key of ['Enter', 'Escape', 'ArrowRight']) await page.keyboard.press(key)
    rows.push({
      name: `${shape}, the text is typed in`,
      figures: await watched(page, seconds, () => typing(page, seconds, 'x')),
    })
    await page.close()
  }
  return rows
}

function line(): Scenario {
  return scenarioWith({
    workers: 8,
    stages: Array.from({ length: STAGES }, (_, i) => ({ id: `s${i}`, name: i === 0 ? 'First' : `s${i}` })),
  })
}

/** Returns how often the card was moved. */
async function dragging(page: Page, seconds: number): Promise<number> {
  const box = await page.getByRole('group', { name: /^Stage First, / }).boundingBox()
  if (box === null) throw new Error('the card is not on the screen')
  const [x, y] = [box.x + box.width / 2, box.y + 8]
  await page.mouse.move(x, y)
  await page.mouse.down()
  const end = performance.now() + seconds * 1000
  let k = 0
  for (; performance.now() < end; k++) {
    await page.mouse.move(x + 60 * Math.sin(k / 9), y - 40 + 30 * Math.cos(k / 7))
    await page.waitForTimeout(8)
  }
  await page.mouse.up()
  return k
}

/** Types six letters and deletes them, repeatedly, with a pause after every six keys so that delayed work runs too. Returns how many keys were pressed. */
async function typing(page: Page, seconds: number, letter: string): Promise<number> {
  const end = performance.now() + seconds * 1000
  let k = 0
  for (; performance.now() < end; k++) {
    await page.keyboard.press(k % 12 < 6 ? letter : 'Backspace')
    await page.waitForTimeout(k % 6 === 5 ? REST : 60)
  }
  return k
}

const REST = 450

/**
 * Milliseconds from frame to frame while something is done, how often a script blocked the page for over 50 ms, and the
 * processor time of the page's thread per step, which other work on the machine does not change.
 */
async function watched(page: Page, seconds: number, act: () => Promise<number>): Promise<BenchRow['figures']> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const busy = async () =>
    1000 *
    ((await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ??
      Number.NaN)
  const before = await busy()
  const counting = page.evaluate(async (during) => {
    const frames: number[] = []
    const tasks: number[] = []
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) tasks.push(entry.duration)
    })
    observer.observe({ type: 'longtask' })
    const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
    let last = await frame()
    const end = last + during * 1000
    while (last < end) {
      const now = await frame()
      frames.push(now - last)
      last = now
    }
    observer.disconnect()
    return { frames, tasks }
  }, seconds)
  const steps = await act()
  const { frames, tasks } = await counting
  const taken = (await busy()) - before
  await session.detach()
  return {
    'median ms': valueAt(frames, 0.5),
    'p95 ms (16.7)': valueAt(frames, 0.95),
    'longest ms': Math.max(...frames),
    'tasks over 50 ms': tasks.length,
    'ms a step': steps > 0 ? taken / steps : null,
  }
}
