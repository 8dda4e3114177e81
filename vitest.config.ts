import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { installedBrowser } from './test/browser/installedBrowser.ts'
import { isolation } from './vite.config.ts'

const executablePath = installedBrowser()

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
          // One core less is the default, which of two cores leaves one idle.
          maxWorkers: '100%',
        },
      },
      {
        plugins: [react()],
        server: { headers: isolation },
        // Known beforehand, else they are found in the middle of a test and the page reloads under it.
        optimizeDeps: {
          include: ['@xyflow/react', 'react', 'react-dom/client', 'react/jsx-dev-runtime', 'zustand', 'zustand/vanilla', 'comlink', 'valibot', 'fflate', 'idb'],
        },
        test: {
          name: 'browser',
          include: ['test/**/*.browser.test.{ts,tsx}'],
          testTimeout: 60_000,
          // After the others: many of these are about threads.
          sequence: { groupOrder: 1 },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: executablePath === undefined ? {} : { executablePath } }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})
