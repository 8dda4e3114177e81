import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { drawn, LONG } from './visit.ts'

/** The rules of axe about colours. Other rules do not depend on the theme, and colours do not depend on the width. */
const ofColours = { type: 'rule' as const, values: ['color-contrast', 'link-in-text-block'] }

/** Expects no serious finding of axe, in the dark and the light theme. `when`: the state of the page; `within`: the parts to check. */
export async function expectAccessible(page: Page, when: string, within: readonly string[] = []): Promise<void> {
  const narrow = (page.viewportSize()?.width ?? 0) < 800
  for (const colorScheme of narrow ? (['light'] as const) : (['dark', 'light'] as const)) {
    await page.emulateMedia({ colorScheme })
    const grave = await graveViolations(page, colorScheme, within)
    expect(
      grave.map(
        ({ id, nodes }) =>
          `${when}, ${colorScheme}: ${id} at ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary})`).join('; ')}`,
      ),
    ).toEqual([])
  }
}

/** Returns what is serious. Parts that are drawn again, also while axe looks, are pale, so it looks once more then. */
async function graveViolations(page: Page, colorScheme: 'dark' | 'light', within: readonly string[]) {
  for (let left = 3; ; left--) {
    await drawn(page)
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0, LONG)
    // The page has no frames, so axe skips them, and it reports only problems.
    const axe = new AxeBuilder({ page })
      .setLegacyMode(true)
      .options({ resultTypes: ['violations'], ...(colorScheme === 'dark' ? { runOnly: ofColours } : {}) })
    for (const part of within) axe.include(part)
    const { violations } = await axe.analyze()
    const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    if (left === 0 || grave.every(({ id }) => id !== 'color-contrast')) return grave
  }
}

/** Expects that every control is 24 pixels wide and high, or far enough from others, as WCAG 2.2 requires. Links within a sentence are exempt. */
export async function expectTargets(page: Page, when: string): Promise<void> {
  await drawn(page)
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'], runOnly: ['target-size'] })
    .analyze()
  const crowded = violations.flatMap(({ nodes }) => nodes.map(({ target }) => target.join(' ')))
  // Even far from others, a link or button of one line is that high, and a dragged edge that wide.
  const small = await page
    .locator('a, button.link, .button.small, summary, .check, .minimap [role=slider]')
    .evaluateAll((all) =>
      all
        .filter((each) => each.checkVisibility({ visibilityProperty: true }) && each.closest('[inert]') === null)
        .map((each) => ({
          name: each.getAttribute('aria-label') ?? each.textContent,
          box: each.getBoundingClientRect(),
          parent: each.parentElement,
        }))
        .filter(({ box, parent }) => (box.height < 24 || box.width < 24) && box.height > 0 && parent?.localName !== 'p')
        .map(({ name, box }) => `${name} (${Math.round(box.width)} x ${Math.round(box.height)})`),
    )
  expect.soft([...crowded, ...small].map((each) => `${when}: ${each}`)).toEqual([])
}

/** Expects that nothing is wider than the page. */
export async function expectNoWider(page: Page): Promise<void> {
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ).toBeLessThanOrEqual(0)
}

/** Expects no serious finding on the page as it is and on a narrow one, which nothing is wider than. The page is as wide as before at the end. */
export async function expectAccessibleAtAnyWidth(
  page: Page,
  when: string,
  within: readonly string[] = [],
): Promise<void> {
  const before = page.viewportSize()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expectAccessible(page, when, within)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page, `${when}, narrow`, within)
  await expectNoWider(page)
  if (before !== null) await page.setViewportSize(before)
}

/** Runs a test on a wide page and on a narrow one, with reduced motion. */
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
