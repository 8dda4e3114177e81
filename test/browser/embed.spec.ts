import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page, test } from '@playwright/test'
import { jsonLink, workedExample } from '../fixtures/scenarios.ts'
import { ended, LONG, visit, WELL } from './driver/visit.ts'
import { neverVisited } from './driver/visits.ts'

/** Pages of another origin, by their paths. */
let pages: Record<string, string> = {}
let server: Server
test.beforeAll(async () => {
  server = createServer((request, answer) => {
    answer.setHeader('content-type', 'text/html; charset=utf-8')
    answer.end(`<!doctype html><title>Elsewhere</title>${pages[request.url ?? ''] ?? ''}`)
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
})
test.afterAll(() => {
  server.close()
})

const address = () => `http://localhost:${(server.address() as AddressInfo).port}`

/** A bare page with the element, which logs the events that it receives. */
async function openElsewhere(page: Page, baseURL: string, attributes: string): Promise<void> {
  const listening = `window.heard = []; for (const type of ['ready', 'playing', 'paused', 'time', 'ended', 'decision', 'problem'])
    document.querySelector('apportion-embed').addEventListener(type, (event) => heard.push(event.detail))`
  const body = `<script type="module" src="${baseURL}embed.js"></script><apportion-embed ${attributes}></apportion-embed><script>${listening}</script>`
  pages = { '/': body }
  await page.goto(`${address()}/`)
}

interface Received {
  readonly type: string
  readonly time?: number
  readonly seats?: Readonly<Record<string, number>>
}
const received = (page: Page, type: string) =>
  page.evaluate(
    (wanted) => (window as unknown as { heard: Received[] }).heard.filter((each) => each.type === wanted),
    type,
  )
type Embed = HTMLElement & {
  load(scenario: unknown, run?: string): Promise<void>
  play(): Promise<void>
  pause(): Promise<void>
  seek(time: number): Promise<void>
}
const embed = (page: Page) => page.locator('apportion-embed')

test('a bare page of another origin embeds a run, controls it and receives its events', async ({ page, baseURL }) => {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  await openElsewhere(page, baseURL ?? '', `scenario='${jsonLink(workedExample)}' hide="parliament" height="420"`)
  await expect.poll(() => received(page, 'ready')).toHaveLength(1)
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(false)
  const frame = page.frameLocator('iframe')
  await expect(frame.getByRole('button', { name: 'Run', exact: true })).toBeVisible()
  // Earlier versions had it. Pages that hide it still work.
  await expect(frame.getByRole('alert')).toHaveCount(0)
  await expect(frame.getByRole('button', { name: 'Fork here' })).toBeHidden()
  expect(await frame.getByRole('link', { name: 'Open in Apportion' }).getAttribute('href')).toMatch(/^\/#s=/)

  await embed(page).evaluate((element) => (element as Embed).play())
  await expect.poll(() => received(page, 'playing')).toHaveLength(1)
  await embed(page).evaluate((element) => (element as Embed).seek(2_900_000))
  await expect.poll(() => received(page, 'paused')).toHaveLength(1)
  await expect
    .poll(async () => (await received(page, 'decision')).at(-1))
    .toMatchObject({ decision: 3, seats: { A: 0, B: 2 } })
  await embed(page).evaluate((element) => (element as Embed).play())
  await expect.poll(() => received(page, 'ended'), LONG).toHaveLength(1)
  expect((await received(page, 'ended'))[0].time).toBe(3_000_000)

  const reported = embed(page).evaluate((element) =>
    (element as Embed).load({ version: 1, stages: [] }).then(String, (error: Error) => error.message),
  )
  expect(await reported).toMatch(/stages: .*allowed/)
  await expect(frame.getByText('A', { exact: true })).toBeVisible()
  await embed(page).evaluate(
    (element, link) => (element as Embed).load(link, 'threads'),
    jsonLink({ ...workedExample, title: 'Other', stages: [{ id: 'Z' }] }),
  )
  await expect(frame.getByRole('status')).toHaveText(/^Finished: 3 of 3/, LONG)
  expect(complaints).toEqual([])
})

test('a frame of 800 x 400 shows two rows of cards that are easy to read, and one line of controls', async ({
  page,
}) => {
  await page.setViewportSize({ width: 800, height: 400 })
  const stages = ['A', 'B', 'C', 'D', 'E', 'F'].map((id) => ({ id, service: { kind: 'constant', mean: 2000 } }))
  await page.goto(`/?embed&run=simulation${jsonLink({ version: 1, stages, workers: 6 })}`)
  await expect(page.getByRole('status')).toHaveText(WELL, LONG)
  const boxes = (selector: string) =>
    page.locator(selector).evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON() as DOMRect))
  const cards = await boxes('.react-flow__node-stage')
  expect(new Set(cards.map(({ y }) => Math.round(y))).size).toBe(2)
  expect(Math.min(...cards.map(({ width }) => width))).toBeGreaterThan(150)
  const all = await boxes('.record button, .record input, .record .time, .record .status, .open-link')
  const controls = all.filter(({ width }) => width > 0)
  for (const { y, height, right } of controls) {
    expect(Math.abs(y + height / 2 - controls[0].y - controls[0].height / 2)).toBeLessThan(3)
    expect(right).toBeLessThanOrEqual(800)
  }
})

test('a frame without an origin tells why it cannot run, and what is missing', async ({ page, baseURL }) => {
  pages = {
    '/': `<iframe sandbox="allow-scripts" src="${baseURL}?embed&run=simulation${jsonLink(workedExample)}"></iframe>`,
  }
  await page.goto(`${address()}/`)
  await expect(page.frameLocator('iframe').getByRole('status')).toHaveText(
    /^Failed: this frame allows no threads: add allow-same-origin/,
    LONG,
  )
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  test('the links in a frame are large enough to press', async ({ page, baseURL }) => {
    // A page as wide as the phone; without this it would have desktop width.
    const phone = '<meta name="viewport" content="width=device-width">'
    pages = {
      '/': `${phone}<script type="module" src="${baseURL}embed.js"></script><apportion-embed scenario='${jsonLink(workedExample)}'></apportion-embed>`,
    }
    await page.goto(`${address()}/`)
    const frame = page.frameLocator('iframe')
    for (const link of [
      frame.getByRole('link', { name: 'Open in Apportion' }),
      frame.getByRole('link', { name: 'React Flow' }),
    ]) {
      const box = await link.boundingBox()
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
    }
  })
})

test('a request to an element that is changed, moved or removed at the same time is refused', async ({
  page,
  baseURL,
}) => {
  await openElsewhere(page, baseURL ?? '', `scenario='${jsonLink(workedExample)}'`)
  await expect.poll(() => received(page, 'ready')).toHaveLength(1)
  const outcomes = await embed(page).evaluate(async (element) => {
    const mine = element as Embed
    const changes = [() => mine.setAttribute('theme', 'dark'), () => document.body.append(mine), () => mine.remove()]
    const refused: string[] = []
    for (const change of changes) {
      await mine.pause()
      const asked = mine.pause().then(String, (error: Error) => error.message)
      change()
      refused.push(await Promise.race([asked, new Promise<string>((resolve) => setTimeout(resolve, 5000, 'nothing'))]))
    }
    return refused
  })
  expect(outcomes).toEqual(Array(3).fill('the element was changed or taken out of the page meanwhile'))
})

test.describe('in a browser that has never visited the page', () => {
  test.use({ storageState: neverVisited })
  test('only messages of the page around are accepted, and nothing is stored', async ({ page, baseURL }) => {
    // The frame listens to a different origin than that of the page around it.
    pages = {
      '/': `<iframe src="${baseURL}?embed&run=simulation&origin=https://blog.example${jsonLink(workedExample)}"></iframe>`,
    }
    const warnings: string[] = []
    page.on('console', (message) => warnings.push(message.text()))
    await page.goto(`${address()}/`)
    const frame = page.frameLocator('iframe')
    await expect(frame.getByRole('status')).toHaveText(WELL, LONG)
    const answers = await page.evaluate(async () => {
      const received: unknown[] = []
      addEventListener('message', ({ data }) => received.push(data))
      const inside = document.querySelector('iframe')?.contentWindow
      inside?.postMessage({ apportion: 1, type: 'pause', id: 1 }, '*')
      inside?.postMessage({ apportion: 1, type: 'listen', id: 2 }, '*')
      await new Promise((resolve) => setTimeout(resolve, 500))
      return received
    })
    expect(answers).toEqual([])
    await expect
      .poll(() => warnings.filter((text) => text.includes('was refused')))
      .toEqual([`Apportion hears https://blog.example alone; a message from ${address()} was refused.`])
    const inside = page.frames()[1]
    expect(
      await inside.evaluate(() => [localStorage.length, sessionStorage.length, location.search.includes('origin')]),
    ).toEqual([0, 0, true])
  })
})

test('hide removes the named controls, and reports unknown names', async ({ page }) => {
  await page.goto('/?hide=policy,panels,editing,chair')
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveText(/“chair” is not a control; allowed: header, /)
  await expect(page.getByRole('combobox', { name: 'Policy' })).toBeHidden()
  await expect(page.getByRole('complementary', { name: 'Details' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Undo' })).toBeHidden()
  await expect(page.locator('.add-stage:visible')).toHaveCount(0)
  await expect(page.getByRole('spinbutton', { name: 'Workers' })).toBeHidden()
  await expect(page.getByRole('radio', { name: 'Simulation' })).toBeVisible()
  await visit(page, '?hide=share,lessons,library#')
  await expect(page.getByRole('button', { name: 'Share' })).toBeHidden()
  // The keys of a menu skip hidden items.
  await page.getByRole('button', { name: 'Learn', exact: true }).press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Gallery' })).toBeFocused()
  await expect(page.getByRole('menuitem', { name: 'Lessons' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Scenarios/ }).press('Enter')
  await expect(page.getByRole('menuitem', { name: /my scenarios/i })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('combobox', { name: 'Policy' })).toBeVisible()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await ended(page)
})
