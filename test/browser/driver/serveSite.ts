import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { FullConfig } from '@playwright/test'
import { preview } from 'vite'

/** Serves the page with the headers of a real host, and builds it first unless `scripts/test.mjs` has done so. Returns a function that stops the server. */
export default async function serveSite(config: FullConfig): Promise<() => Promise<void>> {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  if (process.env.APPORTION_SITE !== 'built') {
    const { status } = spawnSync(process.execPath, ['scripts/site.mjs'], { cwd: root, stdio: 'inherit' })
    if (status !== 0) throw new Error('The page could not be built.')
  }
  const outDir = `${root}node_modules/.cache/apportion/site`
  const served = { port: config.metadata.port, strictPort: true, host: 'localhost', open: false }
  const server = await preview({ root, logLevel: 'warn', build: { outDir }, preview: served })
  return () => server.close()
}
