import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { drawn, LONG } from './visit.ts'

/** What axe asks of colours; all else is the same by either light. */
const ofColours = { type: 'rule' as const, values: ['color-contrast', 'link-in-text-block'] }

/** Nothing serious stands in anyone's way, dark and light, as far as axe can tell. `when`: what is on the page; `within`: the parts that are meant. */
export async function expectAccessible(page: Page, when: string, within: readonly string[] = []): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    // What is drawn anew is pale until it is there.
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
