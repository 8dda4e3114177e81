import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { chromiumOptions } from './test/browser/driver/chromium.ts'
import { isolation } from './vite.config.ts'

/** Tests that play on real threads, which take their time. All others in a browser draw or fill in forms. */
const onThreads = ['test/engine/**/*.browser.test.{ts,tsx}', 'test/runs/**/*.browser.test.{ts,tsx}']

function inBrowser(name: string, include: string[], exclude: string[]): TestProjectInlineConfiguration {
  return {
    plugins: [react()],
    server: { headers: isolation },
    // Named here. Otherwise Vite finds them in the middle of a test and reloads the page.
    optimizeDeps: {
      include: [
        '@xyflow/react',
        'react',
        'react-dom/client',
        'react/jsx-dev-runtime',
        'zustand',
        'zustand/vanilla',
        'comlink',
        'd3-array',
        'd3-selection',
        'd3-shape',
        'valibot',
        'fflate',
        'idb',
      ],
    },
    test: {
      name,
      include,
      exclude,
      testTimeout: 60_000,
      // After the tests in Node, when both are run together.
      sequence: { groupOrder: 1 },
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider: playwright({ launchOptions: chromiumOptions() }),
        instances: [{ browser: 'chromium' }],
      },
    },
  }
}

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/**/*.browser.test.{ts,tsx}'],
          // Simulation tests play thousands of scenarios; a slow machine is not a failure.
          testTimeout: 60_000,
          // The default leaves one of two cores idle.
          maxWorkers: '100%',
        },
      },
      inBrowser('browser', ['test/**/*.browser.test.{ts,tsx}'], onThreads),
      inBrowser('workers', onThreads, []),
    ],
  },
})
