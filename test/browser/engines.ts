import { test as base } from '@playwright/test'
import { type Engine, openByPlaywright, type Tab } from './tab.ts'
import { openWebKit } from './webDriver.ts'

/** Specs that run in every engine, WebKit included, which Playwright drives only in a build of its own. */
export const test = base.extend<{ tab: Tab }, { engine: Engine }>({
  engine: [
    async ({ playwright, browserName, channel, launchOptions, headless }, use) => {
      const engine =
        browserName === 'webkit'
          ? await openWebKit()
          : await openByPlaywright(playwright[browserName], { ...launchOptions, headless, ...(channel !== undefined && { channel }) })
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
