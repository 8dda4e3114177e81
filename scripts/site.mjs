// Builds the page that the Playwright tests visit, next to `dist`, so that a running `npm start` keeps its files. test/browser/driver/serveSite.ts serves it.
import { join } from 'node:path'
import { build } from 'vite'
import { cache, root } from './bundle.mjs'

const outDir = join(cache, 'site')
await build({ root, logLevel: 'warn', build: { outDir, emptyOutDir: true } })
// The computations that all engines must do, in the same folder.
const lib = {
  entry: join(root, 'test/browser/driver/sameEverywhere.ts'),
  formats: ['es'],
  fileName: () => 'sameEverywhere.js',
}
await build({
  root,
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  build: { target: 'es2022', outDir, emptyOutDir: false, lib },
})
