import { test as base } from '@playwright/test'
import { openFirefox } from './firefox.ts'
import { type Engine, openByPlaywright, type Tab } from './tab.ts'
import { openWebKit } from './webKit.ts'

/** Specs that run in every browser engine as shipped. Playwright can drive only Chromium as shipped; of the others it needs its own builds. */
export const test = base.extend<{ tab: Tab }, { engine: Engine }>({
  engine: [
    async ({ playwright, browserName, launchOptions, headless }, use) => {
      const engine =
        browserName === 'webkit'
          ? await openWebKit()
          : browserName === 'firefox'
            ? openFirefox(launchOptions.executablePath ?? 'firefox')
            : await openByPlaywright(playwright.chromium, { ...launchOptions, headless })
      await use(engine)
      await engine.close()
    },
    { scope: 'worker' },
  ],
  tab: async ({ engine, baseURL }, use) => {
    const tab = await engine.tab(baseURL ?? '')
    await use(tab)
    await tab.close()
  },
})
