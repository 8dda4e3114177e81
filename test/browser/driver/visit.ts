import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page } from '@playwright/test'

/** What the specs do to the page again and again, by the names that a person reads on it. */

/** Long enough for a run of seconds on a machine that is very busy with something else. */
export const LONG = { timeout: 180_000 }

/** Opens the page anew, whatever was open before, and waits until it can be used. */
export async function visit(page: Page, fragment = ''): Promise<void> {
  // A mere change of the fragment would not load the page again.
  if (page.url() !== 'about:blank') await page.goto('about:blank')
  await page.goto(`/${fragment}`)
  await expect(page.getByRole('button', { name: /^(Run|Stop)$/ })).toBeVisible()
}

/** Changes the fragment as pasting a link into the address bar does: the page is not loaded again. */
export async function followLink(page: Page, fragment: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash
  }, fragment)
}

export function statusOf(page: Page): Locator {
  return page.getByRole('status')
}

export function alertOf(page: Page): Locator {
  return page.getByRole('alert')
}

/** Waits until what was done is on the screen: the picture follows in the next frame, and this is the one after it. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))))
}

/** Presses Run and waits for the sentence that ends the run. */
export async function run(page: Page, ending: RegExp = /^Finished/, timeout = LONG): Promise<void> {
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  // However it ends; only then is it judged, so that a bad end is told at once.
  await expect(statusOf(page)).toHaveText(/^(Finished|Stopped|Failed)/, timeout)
  expect(await statusOf(page).innerText()).toMatch(ending)
  await drawn(page)
}

/** Pauses the playback of a run, unless it has come to its end. */
export async function pause(page: Page): Promise<void> {
  const [pausing, playing] = ['Pause', 'Play'].map((name) => page.getByRole('button', { name, exact: true }))
  await expect(async () => {
    if (await pausing.isVisible()) await pausing.click({ timeout: 2000 })
    await expect(playing).toBeVisible({ timeout: 2000 })
  }).toPass(LONG)
}

export async function chooseEngine(page: Page, name: 'Simulation' | 'Web Workers'): Promise<void> {
  await page.getByRole('radio', { name }).check()
}

export async function chooseScenario(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: /^Scenarios/ }).click()
  await page.getByRole('menuitem', { name: title, exact: true }).click()
}

export async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menu', { name: 'More' }).getByText(item, { exact: true }).click()
}

/** The file as it is written in the README: what stands in it is relied on from outside. */
export interface TraceFile {
  readonly format: string
  readonly version: number
  readonly engine: string
  readonly scenario: { readonly title: string; readonly stages: readonly { readonly id: string; readonly name: string }[] }
  readonly kinds: readonly string[]
  readonly events: Readonly<Record<'time' | 'kind' | 'stage' | 'worker' | 'job', readonly number[]>>
  readonly decisions: readonly (readonly number[])[]
  readonly failures: readonly { readonly kind: string; readonly reason: string }[]
}

export async function downloadBytes(page: Page, begin: () => Promise<void>): Promise<Buffer> {
  const coming = page.waitForEvent('download', LONG)
  await begin()
  return readFile(await (await coming).path())
}

export async function downloadTrace(page: Page): Promise<TraceFile> {
  const bytes = await downloadBytes(page, () => choose(page, 'Download trace'))
  return JSON.parse(bytes.toString('utf8')) as TraceFile
}

/** The seats of every stage after each decision; a decision that changed none repeats those before. */
export function seatsOf({ scenario, decisions }: TraceFile): number[][] {
  const seats = scenario.stages.map(() => 0)
  return decisions.map(([, ...changes]) => {
    for (let i = 0; i < changes.length; i += 2) seats[changes[i]] = changes[i + 1]
    return [...seats]
  })
}

export function withoutRepeats(seats: readonly (readonly number[])[]): readonly (readonly number[])[] {
  return seats.filter((each, i) => i === 0 || each.join() !== seats[i - 1].join())
}

/** The time of the last row of work in microseconds. */
export function makespanOf({ events, kinds }: TraceFile): number {
  return Math.max(...events.time.filter((_, i) => kinds[events.kind[i]] === 'finished'))
}

export function jsonLink(scenario: unknown, rest = ''): string {
  return `#json=${encodeURIComponent(typeof scenario === 'string' ? scenario : JSON.stringify(scenario))}${rest}`
}

/** The worked example of the README. */
export const workedExample = {
  version: 1,
  title: 'Worked example',
  source: { kind: 'batch', jobs: 3 },
  stages: [
    { id: 'A', service: { kind: 'constant', mean: 1_000_000 } },
    { id: 'B', service: { kind: 'constant', mean: 1_000_000 } },
  ],
  workers: 2,
}

/** Where the playhead stands, in microseconds. */
export function playhead(page: Page): Locator {
  return page.getByRole('slider', { name: 'Time', exact: true })
}

/** The names of the stages in the order of the line, as a screen reader hears them. */
export async function stageNames(page: Page): Promise<string[]> {
  const labels = await page.getByRole('group', { name: /^Stage / }).evaluateAll((nodes) => nodes.map((node) => node.getAttribute('aria-label') ?? ''))
  return labels.map((label) => label.replace(/^Stage (.*), [^,]* on average, \d+ of \d+$/, '$1'))
}
