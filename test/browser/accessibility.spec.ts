import { readFileSync } from 'node:fs'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { jsonLink, longExample } from '../fixtures/scenarios.ts'
import { expectAccessible, expectTargets, testWideAndNarrow } from './driver/accessible.ts'
import { answered, choose, ended, LONG, openTools, pressTool, run, statusOf, visit } from './driver/visit.ts'

const wide = { width: 1440, height: 900 }
const narrow = { width: 390, height: 844 }

testWideAndNarrow(
  'nothing serious stands in the way of anyone, and what is pressed is large enough, before a run, after it, and with whatever can be opened',
  async ({ page }) => {
    await visit(page)
    await expectAccessible(page, 'before a run')
    await expectTargets(page, 'before a run')
    await run(page)
    await expectAccessible(page, 'after a run')
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click()
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0, LONG)
      await expectTargets(page, `tab ${await tab.innerText()}`)
    }
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await page.getByRole('tab', { name: 'Decision' }).click()
    await openTools(page)
    await expectAccessible(page, 'tools')
    await pressTool(page, 'Inject fault')
    await expectAccessible(page, 'menu Inject fault')
    await page.getByRole('menuitem', { name: 'A worker crashes' }).click()
    await page.keyboard.press('Enter')
    // It is simulated again with the crash.
    await expect(page.locator('.argued')).toHaveAttribute('aria-busy', 'false')
    await answered(page)
    await expectAccessible(page, 'the form of a mark')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await expectAccessible(page, 'menu More')
    await expectTargets(page, 'menu More')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Share' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page, 'dialog Share')
    await expectTargets(page, 'dialog Share')
    await page.keyboard.press('Escape')
    await choose(page, 'About and keys')
    await expect(page.getByRole('dialog', { name: 'About Apportion' })).toBeVisible()
    await expectAccessible(page, 'dialog About')
    await page.keyboard.press('Escape')
    await choose(page, 'Ask the allocator')
    await expectAccessible(page, 'dialog Ask the allocator')
    await expectTargets(page, 'dialog Ask the allocator')
    await page.keyboard.press('Escape')
    await choose(page, 'Open a log')
    await expectAccessible(page, 'dialog Your own log')
    await page.getByRole('button', { name: 'Try the sample' }).click()
    await expect(page.getByRole('article', { name: 'Point of the log' })).toBeVisible()
    await expectAccessible(page, 'a log')
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: 'Settings' }).click()
    await expectAccessible(page, 'tab Scenario')
    await page.getByRole('tab', { name: 'JSON' }).click()
    await expect(page.getByRole('textbox', { name: 'Scenario as JSON' })).toBeVisible()
    await expectAccessible(page, 'tab Text')
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByRole('group', { name: /^Stage Parse/ }).focus()
    await page.keyboard.press(' ')
    await expectAccessible(page, 'form of a stage')
    await page.getByRole('button', { name: 'Change it from a job on' }).click()
    await expectAccessible(page, 'form of a stage that changes')
    await page.getByRole('spinbutton', { name: 'Workers' }).fill('30000')
    await expectAccessible(page, 'a problem')
  },
)

const russian = JSON.parse(readFileSync(new URL('../../src/language/ru.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>

// Other pages, sheets and dialogs, in either language; the lessons, the gallery, the comparison
// and the notice of a new version are checked in their own specs.
for (const [size, viewport, language] of [
  ['wide', wide, 'ru'],
  ['narrow', narrow, 'en'],
] as const) {
  const translated = (english: string) => (language === 'en' ? english : (russian[english] ?? english))
  test.describe(`${size} and in ${language}`, () => {
    test.use({ viewport, reducedMotion: 'reduce' })
    test('library, presentation, handout, frame and problems are accessible', async ({ page }) => {
      const button = (name: string) => page.getByRole('button', { name: translated(name), exact: true })
      const choosing = async (item: string) => {
        await button('More').click()
        await page.getByRole('menuitem', { name: translated(item), exact: true }).click()
      }
      await page.goto(`/?lang=${language}`)
      await button('Run').click()
      await expect(statusOf(page)).toHaveText(/^(Simulated|Finished|Имитация|Закончено)/, LONG)
      await button('Pause').click()
      // At a decision with seats for several stages.
      const time = page.getByRole('slider', { name: translated('Time'), exact: true })
      await expect.poll(async () => Number(await time.getAttribute('max')), LONG).toBeGreaterThan(1_000_000)
      await time.fill('1000000')
      await expectAccessible(page, 'a run')
      const marks = page.locator('.stage-card-mark')
      const plain = await marks.last().getAttribute('style')
      await button('More').click()
      await page.getByRole('menuitemcheckbox', { name: translated('Patterns besides colours') }).click()
      await expect(marks.last()).not.toHaveAttribute('style', plain ?? '')
      await page.getByRole('tab', { name: translated('Results'), exact: true }).click()
      for (const fold of await page.locator('.side summary').all()) await fold.click()
      await expectAccessible(page, 'all figures')
      await button('Tools').click()
      await button('Pause when…').click()
      await expectAccessible(page, 'where to break')
      await page.keyboard.press('Escape')
      await button('Share').click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectAccessible(page, 'dialog Share')
      await page.keyboard.press('Escape')

      const menu = page.locator('[data-control=presets] > .title')
      await menu.click()
      await page.getByRole('menuitem', { name: translated('Keep in my scenarios'), exact: true }).click()
      await expect(button('Saved')).toBeVisible()
      await menu.click()
      await expectAccessible(page, 'menu of scenarios')
      await page.getByRole('menuitem', { name: translated('My scenarios'), exact: true }).click()
      await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(1)
      await expectAccessible(page, 'library')
      await page.keyboard.press('Escape')

      await page.keyboard.press('p')
      await expect(page.locator('.presenter')).toBeVisible()
      await expectAccessible(page, 'presenter')
      await page.keyboard.press('?')
      await expectAccessible(page, 'keys of the presenter')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await choosing('Print handout')
      await expect(page.locator('.handout')).toHaveCount(1)
      await page.emulateMedia({ media: 'print' })
      await expectAccessible(page, 'handout')
      await page.emulateMedia({ media: 'screen' })

      await page.getByRole('tab', { name: translated('JSON'), exact: true }).click()
      const text = page.getByRole('textbox', { name: translated('Scenario as JSON') })
      await text.fill('{ "version": 1, "stages": [{ "id": "source", "name": "" }, 2, 3, 4, 5, 6, 7], "workers": 0 }')
      await expect(page.getByRole('alert')).toContainText(/stages\[1\]/)
      await button('Find').click()
      await expectAccessible(page, 'a text with problems')

      await page.goto('about:blank')
      await page.goto(
        `/?lang=${language}&embed${jsonLink({ version: 1, workers: 2, stages: [{ id: 'A', service: { kind: 'constant', mean: 1000 } }] })}`,
      )
      await expect(button('Play')).toBeVisible()
      await expectAccessible(page, 'a page in a frame')
    })
  })
}

test('the main task works by keyboard alone: Tab leads to Run and to Workers, Enter runs, keys move the playhead', async ({
  page,
}) => {
  await visit(page)
  const passed = await tabTo(page, 'Run')
  await page.keyboard.press('Enter')
  await ended(page)
  passed.push(...(await tabTo(page, 'Workers')))
  // A dozen presses of Tab reach the header and the knobs below it.
  expect(passed.length).toBeLessThan(12)
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('spinbutton', { name: 'Workers' })).toHaveValue('7')
  // On a slow machine the playback may have ended when Tab gets there.
  if ((await tabTo(page, 'Pause', 'Play')).at(-1) === 'Pause') await page.keyboard.press('Enter')
  await tabTo(page, 'Time')
  await page.keyboard.press('Home')
  await expect(page.getByRole('heading', { name: 'No decision yet' })).toBeVisible()
  // The keys that step also work on the slider.
  await page.keyboard.press('.')
  await expect(page.getByRole('heading', { name: 'Decision 1', exact: true })).toBeVisible()
  await page.keyboard.press('End')
  await expect(page.getByRole('heading', { name: /^Decision \d{4}|^Decision \d,\d{3}/ })).toBeVisible()
})

test('by keyboard the focus has a visible ring, menus and the palette open, and return the focus; the palette opens a scenario', async ({
  page,
}) => {
  await visit(page)
  for (let k = 0; k < 25; k++) {
    await page.keyboard.press('Tab')
    const plain = await page.evaluate(() => {
      const has = document.activeElement
      if (!(has instanceof HTMLElement) || has === document.body) return null
      // The ring of a radio button is around its label, that of a card around the card.
      const shown = [has, has.nextElementSibling, has.firstElementChild].filter((each) => each instanceof HTMLElement)
      const ring = shown.some((each) => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each)
        return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
      })
      return ring ? null : (has.getAttribute('aria-label') ?? has.textContent ?? has.tagName)
    })
    expect(plain).toBeNull()
  }
  const more = page.getByRole('button', { name: 'More', exact: true })
  await more.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitemradio').last()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toBeHidden()
  await expect(more).toBeFocused()

  // Typing continues where it was.
  const palette = page.getByRole('dialog', { name: 'Commands' })
  const details = page.getByRole('tablist', { name: 'Details' })
  const there = async (field: Locator) => {
    await field.focus()
    await page.keyboard.press('Control+k')
    await expect(palette.getByRole('combobox')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(palette).toHaveCount(0)
    await expect(field).toBeFocused()
  }
  await there(page.getByRole('spinbutton', { name: 'Workers' }))
  await details.getByRole('tab', { name: 'Settings' }).click()
  await there(page.getByRole('textbox', { name: 'Title' }))
  await details.getByRole('tab', { name: 'JSON' }).click()
  await there(page.getByRole('textbox', { name: 'Scenario as JSON' }))

  const field = palette.getByRole('combobox')
  // Without a run there is no trace.
  await visit(page, jsonLink(longExample))
  await more.focus()
  await page.keyboard.press('Control+k')
  await expect(field).toBeFocused()
  await page.keyboard.type('trace DOWN')
  await expect(palette.getByRole('option', { name: 'Download trace' })).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Enter')
  await expect(field).toBeFocused()
  await expectAccessible(page, 'palette', ['.palette'])
  await page.keyboard.press('Escape')
  await expect(palette).toHaveCount(0)
  await expect(more).toBeFocused()
  await page.keyboard.press('Control+k')
  await expect(field).toBeFocused()
  await page.keyboard.type('learn')
  await page.keyboard.press('ArrowDown')
  await expect(palette.getByRole('option', { name: 'Gallery' })).toHaveAttribute('aria-selected', 'true')
  await field.fill('cold start')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Scenarios: Cold start' })).toBeVisible()
  await expect(palette).toHaveCount(0)
})

test.describe('with reduced motion', () => {
  test.use({ reducedMotion: 'reduce' })
  test('only the playhead and the picture at the playhead move by themselves', async ({ page }) => {
    await visit(page)
    await run(page)
    // A playhead is placed by a paused animation.
    const moving = await page.evaluate(
      () =>
        document
          .getAnimations()
          .filter(
            ({ effect, playState }) => playState === 'running' && Number(effect?.getComputedTiming().duration) > 1,
          ).length,
    )
    expect(moving).toBe(0)
  })
})

/** Presses Tab until the control of that name has the focus; returns the names passed on the way. */
/** Tabs until one of these has the focus; returns the names of all that had it on the way. */
async function tabTo(page: Page, ...names: readonly string[]): Promise<string[]> {
  const passed: string[] = []
  for (let k = 0; k < 40; k++) {
    await page.keyboard.press('Tab')
    const now = await page.evaluate(() => {
      const has = document.activeElement
      if (!(has instanceof HTMLElement)) return ''
      const labels =
        has instanceof HTMLInputElement || has instanceof HTMLSelectElement
          ? [...(has.labels ?? [])].map(({ textContent }) => textContent)
          : []
      return (has.getAttribute('aria-label') ?? [...labels, has.textContent].join(' ')).trim()
    })
    passed.push(now)
    if (names.includes(now)) return passed
  }
  throw new Error(`Tab never came to ${names.join(' or ')}, only to ${passed.join(', ')}`)
}
