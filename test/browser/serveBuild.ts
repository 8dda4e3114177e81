import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FullConfig } from '@playwright/test'
import { build, type InlineConfig, preview } from 'vite'

/** What the engines are asked for beside the app (sameEverywhere.ts), in the same folder. */
function beside(outDir: string): InlineConfig {
  const entry = fileURLToPath(new URL('sameEverywhere.ts', import.meta.url))
  const lib = { entry, formats: ['es' as const], fileName: () => 'sameEverywhere.js' }
  return { configFile: false, publicDir: false, logLevel: 'warn', build: { target: 'es2022', outDir, emptyOutDir: false, lib } }
}

/** Which `npm test` has built what is in this folder, if it came to the end of it. */
function builderOf(outDir: string): string | null {
  try {
    return readFileSync(`${outDir}/.builder`, 'utf8')
  } catch {
    return null
  }
}

/**
 * Builds the app beside `dist`, so that a running `npm start` keeps its files, and serves it with the headers of a real host.
 * The steps of one `npm test`, which share a name, build it once. Returns what ends the server.
 */
export default async function serveBuild(config: FullConfig): Promise<() => Promise<void>> {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const outDir = fileURLToPath(new URL('../../node_modules/.cache/apportion/site', import.meta.url))
  const common = { root, logLevel: 'warn', build: { outDir, emptyOutDir: true } } as const
  const builder = process.env.APPORTION_BUILDER
  if (builder === undefined || builderOf(outDir) !== builder) {
    await build(common)
    await build(beside(outDir))
    writeFileSync(`${outDir}/.builder`, builder ?? '')
  }
  const server = await preview({ ...common, preview: { port: config.metadata.port, strictPort: true, host: 'localhost', open: false } })
  return () => server.close()
}
