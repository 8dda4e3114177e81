import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Nothing serious stands in anyone's way, as far as axe can tell. `when`: what is on the page. */
export async function expectAccessible(page: Page, when: string): Promise<void> {
  // The page has no frames: what axe does for them is left out, and so is the report of what is well.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
    .analyze()
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(
    grave.map(({ id, nodes }) => `${when}: ${id} at ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary})`).join('; ')}`),
  ).toEqual([])
}
