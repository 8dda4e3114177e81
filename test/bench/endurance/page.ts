import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

/** The page at its first visit, in a new browser. */
export async function open(browser: Browser, address: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...options })
  page.on('pageerror', (error) => console.log(`  the page broke: ${error.stack ?? error.message}`))
  await page.goto(address)
  await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
  return page
}

/** Waits until a run has ended; a simulation is then played back. */
export function ended(page: Page): Promise<void> {
  return page
    .getByRole('status')
    .filter({ hasText: /^(Simulated|Finished|Failed|Stopped)/ })
    .waitFor({ timeout: 120_000 })
}

/** The link of a scenario, written by hand. */
export function fragmentOf(scenario: object): string {
  return `#json=${encodeURIComponent(JSON.stringify(scenario))}`
}
