import { isDeepStrictEqual } from 'node:util'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { parse } from '../../src/scenario/parse/parse.ts'
import { jsonLink } from '../fixtures/scenarios.ts'
import { hostileKinds, hostileNames, hostileTexts, refusedNames } from '../fuzz/hostileTexts.ts'
import {
  alertOf,
  choose,
  followLink,
  LONG,
  openTools,
  playhead,
  pressTool,
  run,
  unfold,
  visit,
} from './driver/visit.ts'
import { type Standing, whatStands } from './driver/whatStands.ts'

const STAGES = 47
/** Stages, the title and two branches. */
const NAMES = STAGES + 3
const harmless = Array.from({ length: NAMES }, (_, i) => `Stage ${i}`)

/** All names are tested on a card and in the title further below; these are tested everywhere: first those that may stand too wide or too high. */
const hostile = [
  ...new Set([
    ...[hostileKinds.drawn, hostileKinds.tower, hostileKinds.direction, hostileKinds.long]
      .flat()
      .filter((name) => hostileNames.includes(name)),
    ...hostileNames,
  ]),
].slice(0, NAMES)

test('a name is shown as text everywhere on a narrow page: no new element, no request, no moved part', async ({
  browser,
  baseURL,
}) => {
  const usual = await toured(browser, baseURL, 390, harmless)
  expect(usual.wrong).toEqual([])
  expect((await toured(browser, baseURL, 390, hostile, usual.seen)).wrong).toEqual([])
})

/** A scenario in which every part with a name gets the next of these names, in turn. */
function named(names: readonly string[]): unknown {
  const name = (i: number) => names[i % names.length]
  const stages = Array.from({ length: STAGES }, (_, s) => ({
    id: `s${s}`,
    name: name(s),
    service: { kind: 'exponential', mean: 4000 + 500 * (s % 7) },
    capacity: 30,
    changes: s % 10 === 3 ? [{ from: 5, service: { kind: 'constant', mean: 9000 } }] : [],
    fanOut: s === 0 ? { route: { s1: 1, s2: 2 } } : 'copy',
  }))
  const line = stages.slice(3).map(({ id }, s) => [`s${s + 2}`, id])
  return {
    version: 1,
    title: name(STAGES),
    source: { kind: 'poisson', rate: 60, jobs: 12 },
    stages,
    links: [['source', 's0'], ['s0', 's1'], ['s0', 's2'], ['s1', 's3'], ...line, [`s${STAGES - 1}`, 'sink']],
    workers: 6,
    order: { kind: 'buffer', slots: 6 },
    branches: [1, 2].map((k) => ({ at: 100_000 * k, title: name(STAGES + k), workers: 6 + k })),
  }
}

interface Tour {
  readonly seen: readonly Standing[]
  readonly wrong: readonly string[]
}

/** Visits every place that shows a name, in a new browser. Returns the differences from the usual page. */
async function toured(
  browser: Browser,
  baseURL = '',
  width: number,
  names: readonly string[],
  usual: readonly Standing[] = [],
): Promise<Tour> {
  const context = await browser.newContext({
    baseURL,
    viewport: { width, height: width > 820 ? 900 : 844 },
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  const wrong: string[] = []
  const seen: Standing[] = []
  watch(page, baseURL, wrong)
  await tour(page, names, async (place) => {
    let standing = await whatStands(page, place)
    const expected = usual[seen.length]
    // Some parts are fetched or computed later. Without an example this waits until the page has not changed for a while.
    for (
      let [tries, alike] = [0, 0];
      tries < 25 && (expected === undefined ? alike < 3 : !isDeepStrictEqual(standing.elements, expected.elements));
      tries++
    ) {
      await page.waitForTimeout(200)
      const now = await whatStands(page, place)
      alike = isDeepStrictEqual(now.elements, standing.elements) ? alike + 1 : 0
      standing = now
    }
    seen.push(standing)
    wrong.push(...differences(standing, expected))
    if (process.env.PICTURES !== undefined)
      await page.screenshot({
        path: `${process.env.PICTURES}/${width}-${names.indexOf(names[0])}-${names[1].length}-${seen.length}-${place}.png`,
      })
  })
  await context.close()
  return { seen, wrong }
}

/** Logs everything that a text must not cause. */
function watch(page: Page, baseURL: string, wrong: string[]): void {
  page.on('dialog', (dialog) => {
    wrong.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (message.type() !== 'log' && !/^Service Worker registration blocked/.test(message.text()))
      wrong.push(message.text().slice(0, 300))
  })
  page.on('pageerror', (error) => wrong.push(error.message.slice(0, 300)))
  page.on('request', (request) => {
    if (!request.url().startsWith(baseURL) && !/^(data:image\/|blob:)/.test(request.url()))
      wrong.push(`a request: ${request.url().slice(0, 200)}`)
  })
  page.on('popup', () => wrong.push('a window'))
}

function differences({ place, elements, foreign, wide, loose, controls }: Standing, usual?: Standing): string[] {
  const faults: string[] = foreign.map((each) => `foreign: ${each}`)
  if (usual !== undefined) {
    for (const kind of new Set([...Object.keys(elements), ...Object.keys(usual.elements)]))
      if (elements[kind] !== usual.elements[kind])
        faults.push(`${elements[kind] ?? 0} <${kind}> for ${usual.elements[kind] ?? 0}`)
    for (const name of Object.keys(usual.controls))
      if (controls[name] !== usual.controls[name])
        faults.push(`${name} is at ${controls[name]}, not ${usual.controls[name]}`)
    faults.push(...wide.filter((each) => !usual.wide.includes(each)).map((each) => `too wide: ${each}`))
  }
  faults.push(...loose.map((each) => `marks out of their line: ${each}`))
  return faults.map((each) => `${place}: ${each}`)
}

async function tour(page: Page, names: readonly string[], look: (place: string) => Promise<void>): Promise<void> {
  const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click()
  const dialog = page.getByRole('dialog')
  const menu = () => page.getByRole('button', { name: /^Scenarios/ }).click()
  await page.addInitScript(() => {
    window.print = () => {}
  })
  await visit(page, jsonLink(named(names)))
  await expect(page.getByRole('region', { name: 'Branches' }).getByRole('radio')).toHaveCount(3)
  await expect(page.getByRole('group', { name: /^Stage / }).first()).toBeVisible()
  await look('the page')
  await run(page, /^Finished: 12/)
  await playhead(page).fill('200000')
  await expect(page.getByRole('heading', { name: /^Decision/ })).toBeVisible()
  // It is computed when it is visible.
  await unfold(page.getByRole('article', { name: 'Order', exact: true }))
  await page.getByRole('heading', { name: 'Every order, same random seed' }).scrollIntoViewIfNeeded()
  await expect(page.getByTestId('order-comparison')).toBeVisible(LONG)
  await look('a decision')
  await tab('Results')
  await page.getByText('Details', { exact: true }).click()
  await expect(page.getByRole('heading', { name: /^Stage by stage/i })).toBeVisible()
  await look('figures')
  await tab('Settings')
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeVisible()
  await look('settings')
  await page
    .getByRole('group', { name: /^Stage / })
    .first()
    .focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeVisible()
  await look('the form of a stage')
  // On a phone it is a sheet above the tabs.
  const close = dialog.getByRole('button', { name: 'Close', exact: true })
  if (await close.isVisible()) await close.click()
  await tab('JSON')
  await expect(page.getByRole('textbox', { name: 'Scenario as JSON' })).toBeVisible()
  await look('the text')
  await tab('Decision')
  await pressTool(page, 'Pause when…')
  await expect(page.getByRole('combobox', { name: /stage/i }).first()).toBeVisible()
  await look('what to break for')
  await page.keyboard.press('Escape')
  await pressTool(page, 'Inject fault')
  await expect(page.getByRole('menuitem', { name: 'A worker crashes' })).toBeVisible()
  await look('the menu of faults')
  await page.keyboard.press('Escape')
  await openTools(page)
  await page.getByLabel('Find a stage, worker or job').fill('job 3')
  await page.keyboard.press('Enter')
  await expect(
    page
      .locator('.timeline-card')
      .getByRole('row')
      .nth(STAGES / 2),
  ).toBeAttached()
  await look('a job that is followed')
  await tab('Compare')
  await expect(page.getByRole('rowheader')).not.toHaveCount(0)
  await look('branches compared')
  await tab('Timeline')
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByText('For a text or another page').click()
  await expect(dialog.getByRole('textbox', { name: /^Markdown/ })).toBeVisible()
  await look('sharing')
  await page.keyboard.press('Escape')
  await choose(page, 'Save as video')
  await expect(dialog.getByText('Length in seconds')).toBeVisible()
  await look('a film')
  await page.keyboard.press('Escape')
  await menu()
  await page.getByRole('menuitem', { name: 'Keep in my scenarios' }).click()
  await expect(page.getByRole('button', { name: 'Saved' })).toBeVisible()
  await menu()
  await expect(page.getByRole('menuitem', { name: 'My scenarios', exact: true })).toBeVisible()
  await look('the menu of scenarios')
  await page.getByRole('menuitem', { name: 'My scenarios', exact: true }).click()
  await dialog.getByRole('button', { name: 'Duplicate' }).click()
  await expect(dialog.getByRole('listitem')).toHaveCount(2)
  await look('the library')
  await page.keyboard.press('Escape')
  await choose(page, 'Print handout')
  await expect(page.locator('.handout svg').first()).toBeAttached(LONG)
  const screen = page.viewportSize()
  await page.emulateMedia({ media: 'print' })
  // A4, between its margins.
  await page.setViewportSize({ width: 680, height: 1000 })
  await look('a handout')
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  await page.emulateMedia({ media: 'screen' })
  if (screen !== null) await page.setViewportSize(screen)
  await choose(page, 'Present')
  await expect(page.locator('.presenter').getByRole('heading').first()).toBeVisible()
  await look('a room')
  await page.keyboard.press('Escape')
  await choose(page, 'Beat the scheduler')
  await expect(page.getByRole('region', { name: 'Beat the scheduler' }).getByRole('heading')).toBeVisible()
  await look('a game')
  await page.goto('about:blank')
  await page.goto(`/?embed${jsonLink(named(names))}`)
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible()
  await expect(page.getByRole('group', { name: /^Stage / })).toHaveCount(STAGES)
  await look('a frame')
}

test('any text is shown unchanged as a title, and reported briefly as a refused key, file or name', async ({
  page,
  baseURL,
}) => {
  const wrong: string[] = []
  watch(page, baseURL ?? '', wrong)
  const small = (name: string) => ({
    version: 1,
    title: name,
    stages: [{ id: 'A', name }, { id: 'B' }],
    branches: [{ at: 5, title: name }],
    workers: 2,
  })
  await visit(page, jsonLink(small('Usual')))
  const title = page.locator('.title-text')
  const card = page.locator('.stage-card-name').first()
  await expect(page.getByRole('region', { name: 'Branches' }).getByRole('radio')).toHaveCount(2)
  const usual = await settled(page)
  for (const name of hostileNames) {
    await followLink(page, jsonLink(small(name)))
    await expect.poll(async () => [await title.textContent(), await card.textContent()]).toEqual([name, name])
    await compare(name)
  }
  // A refused text does not change the page, and the list of problems stays within it.
  await followLink(page, jsonLink(small('Usual')))
  await expect(title).toHaveText('Usual')
  const alert = alertOf(page)
  const broken = [
    ...refusedNames.filter((name) => name.length < 100_000 && name.trim() !== '').map((name) => small(name)),
    // The texts as keys, six at once.
    ...Array.from({ length: Math.ceil(hostileTexts.length / 6) }, (_, g) => [
      ...Object.entries(small('Usual')),
      ...hostileTexts.slice(6 * g, 6 * g + 6).map((key) => [key.slice(0, 5000), 1]),
    ]).map(Object.fromEntries),
  ]
  for (const [i, scenario] of broken.entries()) {
    const read = parse(scenario)
    const problems = 'problems' in read ? read.problems : []
    await followLink(page, jsonLink(scenario))
    await expect
      .poll(async () => (await alert.innerText()).replaceAll(/[\u2068\u2069]/g, ''))
      .toContain(problems[0].message)
    const { x, width, height } = (await alert.boundingBox()) ?? { x: -1, width: 0, height: 0 }
    if (x < 0 || x + width > 1280 || height > 500)
      wrong.push(`problems ${i} stand from ${x}, ${width} wide, ${height} high`)
    expect(await alert.getByRole('listitem').count()).toBeLessThanOrEqual(7)
    await expect(title).toHaveText('Usual')
    await alert.getByRole('button', { name: 'Dismiss' }).click()
  }
  // Files and stages of a log may have any name.
  const csv = (names: readonly string[]) =>
    `time,stage,queue,service_s,workers\n${names.map((name) => `0,"${name.replaceAll('"', '""')}",2,1,1\n`).join('')}`
  for (const name of hostileTexts) {
    await drop(page, `${name.slice(0, 3000)}.json`, 'GIF\0')
    await expect(alert).toContainText('no UTF-8 text')
    expect((await alert.innerText()).length).toBeLessThan(400)
    await alert.getByRole('button', { name: 'Dismiss' }).click()
  }
  await compare('files')
  await drop(page, `${hostileKinds.direction.join('')}${hostileKinds.tower.join('')}.csv`, csv(hostileNames))
  const log = page.getByRole('dialog', { name: /^Your own log/ })
  await expect(log.getByText(/rows cannot be read|would have decided/).first()).toBeVisible(LONG)
  const { foreign, loose } = await whatStands(page, 'a log')
  expect([...foreign, ...loose]).toEqual([])
  expect(wrong).toEqual([])

  async function compare(place: string): Promise<void> {
    let standing = await whatStands(page, place)
    // What is worked out of the result comes a moment later.
    for (let tries = 0; tries < 50 && !isDeepStrictEqual(standing.elements, usual.elements); tries++) {
      await page.waitForTimeout(100)
      standing = await whatStands(page, place)
    }
    wrong.push(...differences(standing, usual))
  }
})

async function settled(page: Page): Promise<Standing> {
  let before = await whatStands(page, '')
  for (let alike = 0; alike < 4; ) {
    await page.waitForTimeout(200)
    const now = await whatStands(page, '')
    alike = isDeepStrictEqual(now, before) ? alike + 1 : 0
    before = now
  }
  return before
}

/** Drops a file on the page. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  await page.evaluate(
    ([file, content]) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([content], file))
      document
        .querySelector('.page')
        ?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    },
    [name, text] as const,
  )
}
