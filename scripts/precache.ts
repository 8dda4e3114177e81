import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Plugin } from 'vite'

/** What lies beside the app and is none of its files: for hosts, for pages elsewhere, for a reader of sources. */
const beside = /^(_headers|robots\.txt|sw\.js|embed\.js)$|\.map$/

/** Tells the service worker of a build which files that has, and by what name their version goes: a hash of them and of itself. */
export function precache(): Plugin {
  return {
    name: 'apportion-precache',
    apply: 'build',
    writeBundle({ dir = 'dist' }, bundle) {
      // A page of another kind, as a benchmark builds it, has no service worker.
      if (!('sw.js' in bundle)) return
      const files = filesIn(dir).filter((file) => !beside.test(file))
      const hash = createHash('sha256')
      for (const file of files)
        hash
          .update(`${file}\0`)
          .update(readFileSync(join(dir, file)))
          .update('\0')
      // Some hosts lead from index.html to the folder, and what was led elsewhere may not answer for a page.
      const named = files.map((file) => (file === 'index.html' ? './' : file))
      const worker = join(dir, 'sw.js')
      const head = `const __VERSION__=${JSON.stringify(hash.digest('hex').slice(0, 12))},__FILES__=${JSON.stringify(named)};`
      writeFileSync(worker, head + readFileSync(worker, 'utf8'))
    },
  }
}

function filesIn(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => relative(dir, join(item.parentPath, item.name)).split(sep).join('/'))
    .sort()
}
