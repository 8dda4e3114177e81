import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Plugin } from 'vite'

/** Files next to the app that are no part of it: for hosts, for other pages, for readers of the sources. */
const beside = /^(_headers|checksums\.txt|robots\.txt|sw\.js|embed\.js)$|\.map$/

/** Tells the service worker of a build its files, and the name of their version: a hash of them and of itself. */
export function precache(): Plugin {
  return {
    name: 'apportion-precache',
    apply: 'build',
    writeBundle({ dir = 'dist' }, bundle) {
      // Another page, such as one of a benchmark, has no service worker.
      if (!('sw.js' in bundle)) return
      const files = filesIn(dir).filter((file) => !beside.test(file))
      const hash = createHash('sha256')
      for (const file of files)
        hash
          .update(`${file}\0`)
          .update(readFileSync(join(dir, file)))
          .update('\0')
      // Some hosts redirect index.html to the folder, and a redirected answer may not be used for a page.
      const named = files.map((file) => (file === 'index.html' ? './' : file))
      const worker = join(dir, 'sw.js')
      const head = `const __VERSION__=${JSON.stringify(hash.digest('hex').slice(0, 12))},__FILES__=${JSON.stringify(named)};`
      writeFileSync(worker, head + readFileSync(worker, 'utf8'))
    },
  }
}

/** Returns the files of a folder and its folders, in the order of their names. */
export function filesIn(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => relative(dir, join(item.parentPath, item.name)).split(sep).join('/'))
    .sort()
}
