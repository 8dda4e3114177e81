import type { Page } from 'playwright-core'
import { toJsonFragment } from '../../../src/scenario/link/codec.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { presets } from '../../../src/scenario/presets/presets.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'

/** One of many runs, and the sentence at its end. */
export interface Asked {
  readonly title: string
  readonly fragment: string
  readonly engine: 'Simulation' | 'Web Workers'
}

/** Each preset without real work, simulated; between them small runs on threads, with every kind of work that differs on threads. */
export function askedInTurn(): readonly Asked[] {
  const played = onThreads()
  return presets
    .filter(({ engine }) => engine !== 'threads')
    .flatMap(({ scenario }, k) => [asked(scenario, 'Simulation'), asked(played[k % played.length], 'Web Workers')])
}

function asked(scenario: Scenario, engine: Asked['engine']): Asked {
  return { title: scenario.title, fragment: toJsonFragment(scenario), engine }
}

function onThreads(): Scenario[] {
  const stages = (work: string) =>
    ['A', 'B', 'C'].map((id) => ({ id, service: { kind: 'constant', mean: 1000 }, work }))
  const small = { version: 1, source: { kind: 'batch', jobs: 12 }, workers: 2 }
  return [
    { title: 'Small, asleep', stages: stages('wait') },
    { title: 'Small, burning', stages: stages('burn'), batch: { size: 3 } },
    { title: 'Small, in order', stages: stages('wait'), order: { kind: 'buffer', slots: 8 }, workers: 3 },
    { title: 'Small, a job fails', stages: stages('wait').map((stage) => ({ ...stage, fails: { jobs: [3] } })) },
    { title: 'Small, a crash', stages: stages('wait'), workerEvents: [{ at: 5000, kind: 'crash', worker: 0 }] },
    {
      title: 'Small, a graph',
      stages: stages('wait'),
      links: ['source A', 'A B', 'A C', 'B sink', 'C sink'].map((link) => link.split(' ')),
    },
  ].map((part) => {
    return scenarioWith({ ...small, ...part })
  })
}

/** Brings the page to a fixed state: a run of the first scenario, its record and its decisions. */
export async function rest(page: Page, asked: readonly Asked[]): Promise<void> {
  // Two of them, because following the last link again has no effect.
  await play(page, asked, 2, 1)
  await play(page, asked, 0, 1)
  await page.getByRole('tab', { name: 'Timeline', exact: true }).click()
  await page.getByRole('tab', { name: 'Decision', exact: true }).click()
  // Waits a moment for threads that have finished, and for work that is done when the page is idle.
  await page.waitForTimeout(1500)
}

/** Follows the link of each in turn and runs it, with another tab open each time; starts with run number `from`. */
export function play(page: Page, asked: readonly Asked[], from: number, runs: number): Promise<void> {
  return page.evaluate(inPage, { asked, from, runs })
}

/** Runs in the page with little state of its own, so that remaining memory belongs to the page. */
async function inPage({ asked, from, runs }: { asked: readonly Asked[]; from: number; runs: number }): Promise<void> {
  const button = (name: string) =>
    [...document.querySelectorAll('button')].find((one) => one.textContent?.trim() === name)
  const status = () => document.querySelector('[role=status]')?.textContent ?? ''
  const until = async (what: string, is: () => boolean | undefined) => {
    const end = performance.now() + 60_000
    while (!is()) {
      if (performance.now() > end)
        throw new Error(
          `waited in vain: ${what}; ${document.querySelector('.title-text')?.textContent}: ${status()}; ${location.hash}; ${document.querySelector('[role=alert]')?.textContent}`,
        )
      await new Promise((resolve) => setTimeout(resolve, 4))
    }
  }
  const tabs = ['Decision', 'Compare', 'Results', 'What if', 'Settings', 'Real vs simulated', 'JSON', 'Timeline']
  for (let k = from; k < from + runs; k++) {
    const { title, fragment, engine } = asked[k % asked.length]
    location.hash = fragment
    await until(
      `${title} is opened`,
      () =>
        document.querySelector('.title-text')?.textContent === title &&
        /^(Ready|Simulated|Stopped: another)/.test(status()),
    )
    ;[...document.querySelectorAll<HTMLInputElement>('input[name=engine]')]
      .find((one) => one.closest('label')?.textContent?.trim() === engine)
      ?.click()
    ;[...document.querySelectorAll<HTMLElement>('[role=tab]')]
      .find((one) => one.textContent?.trim() === tabs[k % tabs.length])
      ?.click()
    await until('there is Run', () => button('Run') !== undefined)
    button('Run')?.click()
    await new Promise((resolve) => setTimeout(resolve))
    await until(`it ends: run ${k}`, () => /^(Simulated|Finished|Failed|Stopped: \d)/.test(status()))
    if (!/^(Simulated|Finished)/.test(status()))
      throw new Error(`run ${k}: ${status()} ${decodeURIComponent(fragment)}`)
    for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
  }
}
