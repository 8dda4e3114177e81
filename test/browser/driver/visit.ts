import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page } from '@playwright/test'

/** Frequent actions of the specs on the page, by the names that are visible on it. */

/** Long enough for a run of seconds on a very busy machine. */
export const LONG = { timeout: 180_000 }

/** Loads the page again and waits until it is ready. */
export async function visit(page: Page, fragment = ''): Promise<void> {
  // A change of the fragment alone would not load the page again.
  if (page.url() !== 'about:blank') await page.goto('about:blank')
  await page.goto(`/${fragment}`)
  await expect(page.getByRole('button', { name: /^(Run|Stop)$/ })).toBeVisible()
  const running = page.locator('[data-control=run]').filter({ hasText: 'Stop' })
  await expect(result(page).or(running).first()).toBeAttached()
}

/** The figure of the scenario on the canvas, which is simulated as it is shown, or the words why there is none. */
function result(page: Page): Locator {
  return page.locator('.answer-figure[data-stale=false], .answer-why:not(:empty), .front')
}

/** Waits until the figure in the answer bar is that of the scenario on the canvas. */
export async function answered(page: Page): Promise<void> {
  await expect(page.locator('.answer-figure[data-stale=false] strong')).toHaveText(/\d|–/, LONG)
}

/** Changes the fragment as pasting a link into the address bar does: the page is not loaded again. */
export async function followLink(page: Page, fragment: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash
  }, fragment)
}

export function statusOf(page: Page): Locator {
  // By the attribute, not by the role, which an <output> in a panel has too.
  return page.locator('[role=status]')
}

export function alertOf(page: Page): Locator {
  return page.getByRole('alert')
}

/** Waits until earlier actions are on the screen: the picture follows in the next frame, and this waits for two frames. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))),
  )
}

/** The beginning of the status line after a good run; a simulation is then played back. */
export const WELL = /^(Simulated|Finished)/

/** Presses Run, waits for the end of the run, and pauses its playback, which would keep a core busy. */
export async function run(page: Page, ending = WELL, timeout = LONG): Promise<void> {
  // During a slow simulation the button is Stop.
  await expect(result(page).first()).toBeAttached(LONG)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await ended(page, ending, timeout)
  await drawn(page)
}

/** Presses Run, waits for the end of the run, and leaves it playing. */
export async function runAndPlay(page: Page): Promise<void> {
  await expect(result(page).first()).toBeAttached(LONG)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await ended(page)
  await drawn(page)
}

/** Waits for the end of a run, and for `sentence` in the status line if it is given. */
export async function ended(page: Page, ending?: RegExp, timeout = LONG): Promise<void> {
  // First for any end, then for the expected one, so that a bad end is reported at once.
  await expect(statusOf(page)).toHaveText(/^(Simulated|Finished|Stopped|Failed)/, timeout)
  if (ending !== undefined && /^Simulated/.test(await statusOf(page).innerText())) await pause(page)
  const text = await statusOf(page).innerText()
  // After an edit the scenario runs again, and the line may still show the run before.
  if (/^(Simulating|Starting|Running)/.test(text)) await ended(page, ending, timeout)
  else expect(text).toMatch(ending ?? WELL)
}

/** Pauses the playback of a run, unless it has come to its end. */
export async function pause(page: Page): Promise<void> {
  const [pausing, playing] = ['Pause', 'Play'].map((name) => page.getByRole('button', { name, exact: true }))
  await expect(async () => {
    if (await pausing.isVisible()) await pausing.click({ timeout: 2000 })
    await expect(playing).toBeVisible({ timeout: 2000 })
  }).toPass(LONG)
}

export async function chooseEngine(page: Page, name: 'Simulation' | 'Web Workers' | 'Room'): Promise<void> {
  await page.getByRole('radio', { name }).check()
}

/** Chooses a scenario, or a way to begin one, from the menu at the title. */
export async function chooseScenario(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: /^Scenarios/ }).click()
  const item = page.getByRole('menuitem', { name: title, exact: true })
  const all = page.getByRole('menuitem', { name: 'All scenarios …' })
  await expect(all).toBeVisible()
  if (await item.isVisible()) await item.click()
  else {
    await all.click()
    await page.getByRole('dialog').getByRole('button', { name: title }).first().click()
  }
  await drawn(page)
}

/** Drops a file on the page as a person would. */
export async function drop(page: Page, name: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([name, text]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([text], name))
      return transfer
    },
    [name, text] as const,
  )
  const target = page.getByRole('main')
  await target.dispatchEvent('dragover', { dataTransfer })
  await target.dispatchEvent('drop', { dataTransfer })
}

/** Opens a part of the side panel that is folded. */
export async function unfold(part: Locator): Promise<void> {
  const fold = part.locator('details').first()
  if ((await fold.getAttribute('open')) === null) await fold.locator('summary').click()
  await expect(fold).toHaveAttribute('open', '')
}

/** Chooses an item of the menus at the end of the bar. In a narrow window More has the items of all three. */
export async function choose(page: Page, item: string): Promise<void> {
  for (const name of ['More', 'Learn']) {
    await page.getByRole('button', { name, exact: true }).click()
    const found = page.getByRole('menu', { name }).getByText(item, { exact: true })
    if ((await found.count()) > 0) return found.click()
    await page.keyboard.press('Escape')
  }
  throw new Error(`no menu has the item ${item}`)
}

/** The file format as documented in the README: other programs depend on it. */
export interface TraceFile {
  readonly format: string
  readonly version: number
  readonly engine: string
  readonly scenario: {
    readonly title: string
    readonly stages: readonly { readonly id: string; readonly name: string }[]
  }
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

/** The seats of every stage after each decision. A decision without changes repeats the seats before. */
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

/** Where the playhead stands, in microseconds. */
export function playhead(page: Page): Locator {
  return page.getByRole('slider', { name: 'Time', exact: true })
}

/** Returns the panel of tools, opened: by a command where there is no run. */
export async function openTools(page: Page): Promise<Locator> {
  const panel = page.getByRole('dialog', { name: 'Tools' })
  if (await panel.isVisible()) return panel
  const button = page.getByRole('button', { name: 'Tools' })
  if (await button.isVisible()) await button.click()
  else await command(page, 'Tools')
  await expect(panel).toBeVisible()
  return panel
}

/** Presses a button in the panel of tools. */
export async function pressTool(page: Page, name: 'Pause when…' | 'Fork here' | 'Inject fault'): Promise<void> {
  const panel = await openTools(page)
  await panel.getByRole('button', { name }).click()
}

/** Chooses a command from the list of all. */
export async function command(page: Page, name: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: 'Search commands and scenarios' }).fill(name)
  await page.getByRole('option', { name, exact: true }).click()
}

/** Opens a view below the scrubber: by a command where there is no run. */
export async function openView(
  page: Page,
  name: 'Compare' | 'What if' | 'Real vs simulated' | 'Timeline',
): Promise<void> {
  const tab = page.getByRole('tab', { name })
  if (await tab.isVisible()) await tab.click()
  else await command(page, name)
}

/** The places of buttons, tabs, canvas and timeline on the page, which must not move. */
export async function whatMustStay(page: Page): Promise<Readonly<Record<string, readonly number[]>>> {
  // It is fetched with the first run.
  await expect(page.getByRole('application', { name: /^Timeline/ })).toBeVisible()
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const named = {
    Run: button('Run'),
    Play: button('Play'),
    Tools: button('Tools'),
    Time: playhead(page),
    'Timeline (tab)': page.getByRole('tab', { name: 'Timeline' }),
    pipeline: page.getByRole('region', { name: 'Pipeline', exact: true }),
    timeline: page.locator('.timeline-frame'),
  }
  const places = Object.entries(named).map(async ([name, locator]) => {
    const place = await locator.evaluate((element) => {
      const { left, top } = element.getBoundingClientRect()
      return [left + scrollX, top + scrollY].map(Math.round)
    })
    return [name, place] as const
  })
  return Object.fromEntries(await Promise.all(places))
}

/** The names of the stages in the order of the line, as a screen reader reads them. */
export async function stageNames(page: Page): Promise<string[]> {
  const labels = await page
    .getByRole('group', { name: /^Stage / })
    .evaluateAll((nodes) => nodes.map((node) => node.getAttribute('aria-label') ?? ''))
  return labels.map((label) => label.replace(/^Stage (.*), [^,]*, \d+ of \d+$/, '$1'))
}
