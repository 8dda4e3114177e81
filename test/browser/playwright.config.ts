import { defineConfig } from '@playwright/test'
import { chromiumOptions } from './driver/chromium.ts'
import { visitedBefore } from './driver/visits.ts'

/** A port of its own, so that no server left over from something else is tested by mistake. */
const port = Number(process.env.APPORTION_PORT ?? 4319)

/** Tests that want the cores for themselves: they burn processor time on threads, or count what a browser holds. */
const alone = /@alone/
/** What people do first, in every engine. `npm test` runs these in Chromium. */
const mainJob = ['engines.spec.ts', 'main.spec.ts']
/** As it is shipped: Playwright's own build of it is another engine. */
const firefox = {
  browserName: 'firefox',
  channel: 'moz-firefox',
  launchOptions: { executablePath: process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr' },
} as const

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  globalSetup: './driver/serveSite.ts',
  reporter: 'list',
  forbidOnly: process.env.CI === 'true',
  fullyParallel: true,
  // A test that passes only when tried again is named at the end. Only then it is recorded, since that is slow.
  retries: 1,
  workers: 2,
  projects: [
    { name: 'main', testMatch: mainJob, grepInvert: alone },
    { name: 'page', testMatch: '*.spec.ts', testIgnore: mainJob, grepInvert: alone },
    { name: 'threads', testMatch: '*.spec.ts', grep: alone, workers: 1 },
    { name: 'firefox', testMatch: mainJob, workers: 1, use: firefox },
    { name: 'webkit', testMatch: 'engines.spec.ts', workers: 1, use: { browserName: 'webkit' } },
  ],
  // Other steps share the cores, and a machine may have more to do: no test depends on how long it takes.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  metadata: { port },
  use: {
    baseURL: `http://localhost:${port}/`,
    browserName: 'chromium',
    launchOptions: chromiumOptions(),
    // Each test begins with a new browser, which would fetch the whole app for offline use. offline.spec.ts is about that.
    serviceWorkers: 'block',
    // It has been here: a first visit sees the front page, which is what front.spec.ts is about.
    storageState: visitedBefore(`http://localhost:${port}`),
    screenshot: 'only-on-failure',
    trace: 'on-first-retry',
  },
})
