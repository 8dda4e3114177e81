import { defineConfig } from '@playwright/test'
import { installedBrowser } from './installedBrowser.ts'

/** A port of its own, so that a server left over from something else is never tested by mistake. */
const port = Number(process.env.APPORTION_PORT ?? 4319)
const executablePath = installedBrowser()

/** Tests that want the cores for themselves: that measure time, burn, or count what a browser holds. Whose workers only sleep does not. */
const alone = /@alone/
/** As it is shipped: Playwright's own build of it is another engine. */
const firefox = {
  browserName: 'firefox',
  channel: 'moz-firefox',
  launchOptions: { executablePath: process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr' },
} as const

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  globalSetup: './serveBuild.ts',
  reporter: 'list',
  forbidOnly: process.env.CI === 'true',
  fullyParallel: true,
  // What passes only when tried again is named as such at the end; that time it is recorded, which takes too long for every time.
  retries: 1,
  workers: 2,
  projects: [
    { name: 'page', testMatch: '*.spec.ts', grepInvert: alone },
    { name: 'threads', testMatch: '*.spec.ts', grep: alone, workers: 1 },
    { name: 'firefox', testMatch: ['engines.spec.ts', 'main.spec.ts'], workers: 1, use: firefox },
    { name: 'webkit', testMatch: 'engines.spec.ts', workers: 1, use: { browserName: 'webkit' } },
  ],
  // Two browsers share what cores there are, and a machine may have more to do: nothing here is judged by how long it takes.
  timeout: 120_000,
  expect: { timeout: 10_000 },
  metadata: { port },
  use: {
    baseURL: `http://localhost:${port}/`,
    browserName: 'chromium',
    launchOptions: executablePath === undefined ? {} : { executablePath },
    // Every spec begins with an empty browser, which would fetch the whole app for later; offline.spec.ts is about that.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    trace: 'on-first-retry',
  },
})
