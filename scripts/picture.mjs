// Takes the picture in the README: the built app in the middle of a run of its first preset, light and dark.
//
//   npm run picture
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { build, preview } from 'vite'
import { browserPath } from './browser.mjs'
import { cache, root } from './bundle.mjs'

const outDir = join(cache, 'picture')
const folder = join(root, 'public')
mkdirSync(folder, { recursive: true })
await build({ root, logLevel: 'error', build: { outDir, emptyOutDir: true } })
const server = await preview({ root, logLevel: 'error', build: { outDir }, preview: { port: 45_300, host: 'localhost', open: false } })
const browser = await chromium.launch({ executablePath: browserPath() })
try {
  for (const colorScheme of ['light', 'dark']) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme })
    await page.goto(`${server.resolvedUrls.local[0]}`)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('status').filter({ hasText: 'Finished' }).waitFor()
    // The same instant in every picture, with the playback standing still.
    await page.getByRole('slider', { name: 'Time' }).fill('1043000')
    await page.waitForTimeout(400)
    await page.screenshot({ path: join(folder, `picture-${colorScheme}.png`) })
    await page.close()
  }
} finally {
  await browser.close()
  await server.close()
}
