import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { drawn, LONG } from './visit.ts'

/** What axe asks of colours; all else is the same by either light, and colours are the same at any width. */
const ofColours = { type: 'rule' as const, values: ['color-contrast', 'link-in-text-block'] }

/** Nothing serious stands in anyone's way, dark and light, as far as axe can tell. `when`: what is on the page; `within`: the parts that are meant. */
export async function expectAccessible(page: Page, when: string, within: readonly string[] = []): Promise<void> {
  const narrow = (page.viewportSize()?.width ?? 0) < 800
  for (const colorScheme of narrow ? (['light'] as const) : (['dark', 'light'] as const)) {
    await page.emulateMedia({ colorScheme })
    // What is drawn again is pale until it is there.
    await drawn(page)
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0, LONG)
    // The page has no frames: what axe does for them is left out, and so is the report of what is well.
    const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'], ...(colorScheme === 'dark' ? { runOnly: ofColours } : {}) })
    for (const part of within) axe.include(part)
    const { violations } = await axe.analyze()
    const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    expect(
      grave.map(
        ({ id, nodes }) =>
          `${when}, ${colorScheme}: ${id} at ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary})`).join('; ')}`,
      ),
    ).toEqual([])
  }
}

/** Everything that is pressed is 24 pixels wide and high, or far enough from all else, as WCAG 2.2 asks. Links within a sentence are excepted. */
export async function expectTargets(page: Page, when: string): Promise<void> {
  await drawn(page)
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'], runOnly: ['target-size'] })
    .analyze()
  const crowded = violations.flatMap(({ nodes }) => nodes.map(({ target }) => target.join(' ')))
  // However far it is from all else, a link or button of one line is as high, and an edge that is dragged as wide.
  const small = await page.locator('a, button.link, .button.small, summary, .check, .minimap [role=slider]').evaluateAll((all) =>
    all
      .filter((each) => each.checkVisibility({ visibilityProperty: true }) && each.closest('[inert]') === null)
      .map((each) => ({ name: each.getAttribute('aria-label') ?? each.textContent, box: each.getBoundingClientRect(), parent: each.parentElement }))
      .filter(({ box, parent }) => (box.height < 24 || box.width < 24) && box.height > 0 && parent?.localName !== 'p')
      .map(({ name, box }) => `${name} (${Math.round(box.width)} x ${Math.round(box.height)})`),
  )
  expect.soft([...crowded, ...small].map((each) => `${when}: ${each}`)).toEqual([])
}

/** Nothing is wider than the page. */
export async function expectNoWider(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0)
}

/** A test on a wide page and on a narrow one, where nothing moves. */
export function testWideAndNarrow(title: string, body: (fixtures: { page: Page }) => Promise<void>): void {
  for (const [size, viewport] of [
    ['wide', { width: 1440, height: 900 }],
    ['narrow', { width: 390, height: 844 }],
  ] as const) {
    test.describe(size, () => {
      test.use({ viewport, reducedMotion: 'reduce' })
      test(title, body)
    })
  }
}
