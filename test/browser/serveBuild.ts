import { fileURLToPath } from 'node:url'
import type { FullConfig } from '@playwright/test'
import { build, preview } from 'vite'

/**
 * Builds the app beside `dist`, so that a running `npm start` keeps its files, and serves it with the headers of a real host.
 * Returns what ends the server.
 */
export default async function serveBuild(config: FullConfig): Promise<() => Promise<void>> {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const outDir = fileURLToPath(new URL('../../node_modules/.cache/apportion/site', import.meta.url))
  const common = { root, logLevel: 'warn', build: { outDir, emptyOutDir: true } } as const
  await build(common)
  const server = await preview({ ...common, preview: { port: config.metadata.port, strictPort: true, host: 'localhost', open: false } })
  return () => server.close()
}
