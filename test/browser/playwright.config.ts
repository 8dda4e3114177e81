import { defineConfig } from '@playwright/test'
import { chromiumOptions } from './driver/chromium.ts'
import { visitedBefore } from './driver/visits.ts'

/** Its own port, so that the tests do not reach another server by mistake. */
const port = Number(process.env.APPORTION_PORT ?? 4319)

/** Tests that need all cores: they keep threads busy, or measure the memory of a browser. */
const alone = /@alone/
/** The main tasks, in every engine. `npm test` runs these in Chromium. */
const mainJob = ['engines.spec.ts', 'main.spec.ts', 'stageThreads.spec.ts']
/** As shipped: Playwright's own build differs. */
const firefox = {
  browserName: 'firefox',
  channel: 'moz-firefox',
  launchOptions: { executablePath: process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr' },
} as const

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  snapshotPathTemplate: '../golden/pixels/{arg}{ext}',
  globalSetup: './driver/serveSite.ts',
  reporter: 'list',
  forbidOnly: process.env.CI === 'true',
  fullyParallel: true,
  // A retry tells a flaky test from a broken one: it is named at the end, and `npm run test:all` fails. Only retries are recorded, because
  // recording is slow.
  retries: 1,
  workers: 2,
  projects: [
    { name: 'main', testMatch: mainJob, grepInvert: alone },
    { name: 'page', testMatch: '*.spec.ts', testIgnore: mainJob, grepInvert: alone },
    { name: 'threads', testMatch: '*.spec.ts', grep: alone, workers: 1 },
    { name: 'firefox', testMatch: mainJob, workers: 1, use: firefox },
    {
      name: 'webkit',
      testMatch: ['engines.spec.ts', 'stageThreads.spec.ts'],
      workers: 1,
      use: { browserName: 'webkit' },
    },
  ],
  // Other steps share the cores, and a machine may be busy, so no test depends on its speed.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  metadata: { port },
  use: {
    baseURL: `http://localhost:${port}/`,
    browserName: 'chromium',
    launchOptions: chromiumOptions(),
    // Each test begins with a new browser, which would fetch the whole app for offline use. offline.spec.ts is about that.
    serviceWorkers: 'block',
    // A browser with an earlier visit: a first visit shows the front page, which front.spec.ts tests.
    storageState: visitedBefore(`http://localhost:${port}`),
    screenshot: 'only-on-failure',
    trace: 'on-first-retry',
  },
})
