// Builds the page that a room serves, next to `dist`, unless it exists already. Prints only its folder.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cache, filesUnder, fingerprint, root } from './bundle.mjs'

const { status } = spawnSync(process.execPath, [join(root, 'scripts/setup.mjs')], { stdio: ['ignore', 2, 2] })
if (status !== 0) process.exit(status ?? 1)
// The tests have built it.
const built = process.env.APPORTION_SITE === 'built'
const outDir = join(cache, built ? 'site' : 'room')
if (!built) await buildOnce()
console.log(outDir)

async function buildOnce() {
  const files = ['src', 'public', 'scripts'].flatMap((folder) => filesUnder(join(root, folder)))
  const others = ['index.html', 'join.html', 'vite.config.ts', 'package-lock.json'].map((file) => join(root, file))
  const stamp = fingerprint([...files, ...others])
  const note = join(cache, 'room.stamp')
  if (existsSync(outDir) && existsSync(note) && readFileSync(note, 'utf8') === stamp) return
  console.error('Building the page ...')
  const { build } = await import('vite')
  await build({ root, logLevel: 'error', build: { outDir, emptyOutDir: true } })
  writeFileSync(note, stamp)
}
