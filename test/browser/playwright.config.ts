import { defineConfig } from '@playwright/test'
import { installedBrowser } from './installedBrowser.ts'

/** A port of its own, so that a server left over from something else is never tested by mistake. */
const port = Number(process.env.APPORTION_PORT ?? 4319)
const executablePath = installedBrowser()

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../../test-results',
  globalSetup: './serveBuild.ts',
  reporter: 'list',
  forbidOnly: process.env.CI === 'true',
  fullyParallel: true,
  // One browser at a time: the specs start threads that want the cores for themselves.
  workers: 1,
  timeout: 60_000,
  metadata: { port },
  use: {
    baseURL: `http://localhost:${port}/`,
    browserName: 'chromium',
    launchOptions: executablePath === undefined ? {} : { executablePath },
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
  },
})
