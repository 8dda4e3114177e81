import { expect, type Page, test, type Worker } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import {
  chooseEngine,
  chooseScenario,
  downloadTrace,
  LONG,
  makespanOf,
  playhead,
  run,
  seatsOf,
  statusOf,
  visit,
  withoutRepeats,
} from './driver/visit.ts'

test('the worked example on Web Workers has the same seats as in the simulation, once repeats are removed, and no service ends before its time', {
  tag: '@alone',
}, async ({ page }) => {
  await visit(page)
  await chooseScenario(page, 'Worked example')
  await chooseEngine(page, 'Web Workers')
  await run(page)
  const trace = await downloadTrace(page)
  expect(trace).toMatchObject({ format: 'apportion-trace', version: 1, engine: 'threads', failures: [] })
  expect(withoutRepeats(seatsOf(trace))).toEqual([
    [2, 0],
    [1, 1],
    [0, 2],
  ])
  // On a busy machine it takes longer than the three seconds.
  expect(makespanOf(trace)).toBeGreaterThan(3_000_000 * 0.98)
})

test('the conductor and every worker of the scenario are separate module workers, and all are gone after the run', async ({
  page,
}) => {
  const kinds: (string | undefined)[] = []
  await page.exposeFunction('tellKind', (kind: string | undefined) => kinds.push(kind))
  await page.addInitScript(() => {
    const Real = Worker
    window.Worker = class extends Real {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options)
        ;(window as unknown as { tellKind(kind?: string): void }).tellKind(options?.type)
      }
    }
  })
  const scripts: string[] = []
  page.on('worker', (worker) => scripts.push(worker.url()))
  await visit(page, jsonLink({ ...waiting, workers: 3 }))
  expect(threadsOfRun(page)).toEqual([])
  await chooseEngine(page, 'Web Workers')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect.poll(() => scripts.filter((url) => url.includes('pool.worker')).length, LONG).toBe(3)
  expect(scripts.filter((url) => url.includes('conductor'))).toHaveLength(1)
  // A module has no importScripts to call.
  for (const worker of threadsOfRun(page)) expect(await worker.evaluate(cannotImportScripts)).toBe(true)
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(statusOf(page)).toHaveText(/^Stopped/)
  await expect.poll(() => threadsOfRun(page).map((worker) => worker.url())).toEqual([])
  expect(new Set(kinds)).toEqual(new Set(['module']))
})

test('opening another scenario stops the run: no worker is left, the status line tells it, and the run leaves the screen', async ({
  page,
}) => {
  // The run would last a minute.
  const stage = { id: 'A', work: 'wait', service: { kind: 'constant', mean: 60_000 } }
  await visit(page, jsonLink({ version: 1, source: { kind: 'batch', jobs: 2000 }, stages: [stage], workers: 2 }))
  await chooseEngine(page, 'Web Workers')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect.poll(() => threadsOfRun(page).length).toBeGreaterThan(1)
  await chooseScenario(page, 'A tie')
  await expect(statusOf(page)).toHaveText('Stopped: another scenario was opened.')
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeVisible()
  await expect(page.getByText(/^0 (in|out)/)).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'No decision yet' })).toBeVisible()
  await expect.poll(() => threadsOfRun(page).length).toBe(0)
  await run(page)
  await expect(statusOf(page)).toHaveText(/^Finished: 6 of 6 jobs/)
})

test('the page animates a live run: the playhead moves while workers work, and Run starts again', async ({ page }) => {
  await visit(page, jsonLink({ ...waiting, workers: 2 }))
  await chooseEngine(page, 'Web Workers')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(statusOf(page)).toHaveText('Running on 2 Web Workers.')
  await expect.poll(async () => Number(await playhead(page).inputValue()), LONG).toBeGreaterThan(200_000)
  await expect(page.getByText('Pause to read it')).toBeVisible()
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await expect(page.getByRole('heading', { name: /^Decision \d+/ })).toBeVisible()
  await page.getByRole('button', { name: 'Live' }).click()
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(statusOf(page)).toHaveText(/^Stopped: \d+ of /)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(statusOf(page)).toHaveText('Running on 2 Web Workers.')
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(statusOf(page)).toHaveText(/^Stopped/)
})

test('during a run, only changed attributes and texts are written', async ({ page }) => {
  await visit(page, jsonLink({ ...waiting, workers: 8 }))
  await chooseEngine(page, 'Web Workers')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect.poll(async () => Number(await playhead(page).inputValue()), LONG).toBeGreaterThan(200_000)
  expect(await page.evaluate(writtenInVain)).toEqual([])
})

/** Watches a hundred frames. Returns the attributes and texts that were written without a change. */
async function writtenInVain(): Promise<string[]> {
  const found = new Set<string>()
  const nameOf = (node: Node) => `${node.nodeName} ${(node as Element).className ?? ''}`
  const take = (records: MutationRecord[]) => {
    /** The value of each attribute after a write: the old value of the next write, or the present value. */
    const became = new Map<Node, Map<string, string | null>>()
    for (const { type, target, attributeName: name, oldValue, addedNodes, removedNodes } of records.reverse()) {
      if (type === 'childList') {
        const [added, removed] = [addedNodes, removedNodes].map((nodes) =>
          [...nodes].map((node) => (node as Element).outerHTML ?? node.nodeValue).join(),
        )
        if (added === removed) found.add(`${nameOf(target)}: children`)
      } else if (name !== null) {
        const values = became.get(target) ?? new Map<string, string | null>()
        became.set(target, values)
        if ((values.has(name) ? values.get(name) : (target as Element).getAttribute(name)) === oldValue)
          found.add(`${nameOf(target)}: ${name}`)
        values.set(name, oldValue)
      } else if (target.nodeValue === oldValue) found.add(`${nameOf(target)}: text`)
    }
  }
  const observer = new MutationObserver(take)
  observer.observe(document.body, {
    subtree: true,
    attributes: true,
    attributeOldValue: true,
    childList: true,
    characterData: true,
    characterDataOldValue: true,
  })
  for (let k = 0; k < 100; k++) await new Promise(requestAnimationFrame)
  observer.disconnect()
  return [...found].sort()
}

/** Sleeping workers for a good while: 4,000 services of 50 ms. */
const waiting = {
  version: 1,
  title: 'Long',
  source: { kind: 'batch', jobs: 2000 },
  stages: ['A', 'B'].map((id) => ({ id, service: { kind: 'constant', mean: 50_000 }, work: 'wait' })),
  workers: 2,
}

/** The threads of the page but the one that simulates what is on the canvas, which stays. */
function threadsOfRun(page: Page): Worker[] {
  return page.workers().filter((worker) => !worker.url().includes('simulation.worker'))
}

function cannotImportScripts(): boolean {
  try {
    ;(globalThis as unknown as { importScripts(): void }).importScripts()
    return false
  } catch {
    return true
  }
}
