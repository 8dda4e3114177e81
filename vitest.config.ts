import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { chromiumOptions } from './test/browser/driver/chromium.ts'
import { isolation } from './vite.config.ts'

/** A slow machine, or one that has much else to do, is not a failure. */
const patience = { testTimeout: 600_000, hookTimeout: 600_000, expect: { poll: { timeout: 300_000 } } }

/** Tests that play on real threads, which take their time. All others in a browser draw or fill in forms. */
const onThreads = ['test/engine/**/*.browser.test.{ts,tsx}', 'test/runs/**/*.browser.test.{ts,tsx}']

function inBrowser(
  name: string,
  include: string[],
  exclude: string[],
  test: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration {
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
        'd3-axis',
        'd3-color',
        'd3-drag',
        'd3-ease',
        'd3-format',
        'd3-interpolate',
        'd3-path',
        'd3-scale',
        'd3-selection',
        'd3-shape',
        'd3-zoom',
        'valibot',
        'fflate',
        'idb',
      ],
    },
    test: {
      name,
      include,
      exclude,
      ...patience,
      ...test,
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
          exclude: ['test/**/*.browser.test.{ts,tsx}', 'test/package/**'],
          ...patience,
          // The default leaves one of two cores idle.
          maxWorkers: '100%',
          isolate: false,
          setupFiles: ['test/fixtures/cleanStart.ts'],
        },
      },
      // Packs, installs and bundles. Only `npm run test:all` runs it.
      { test: { name: 'package', include: ['test/package/**/*.test.ts'], ...patience, sequence: { groupOrder: 3 } } },
      // One after the other, when several are run together.
      inBrowser('browser', ['test/**/*.browser.test.{ts,tsx}'], onThreads, { sequence: { groupOrder: 1 } }),
      // They mostly wait, so two files are run at once.
      inBrowser('workers', onThreads, [], { sequence: { groupOrder: 2 }, maxWorkers: 2 }),
    ],
  },
})
