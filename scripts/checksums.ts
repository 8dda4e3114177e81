import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Plugin } from 'vite'
import { filesIn } from './precache.ts'

/** Writes `checksums.txt` into a build: `sha256sum --check checksums.txt` says whether a copy of it is whole. Two builds of one commit are equal, so theirs are too. */
export function checksums(): Plugin {
  let outDir = 'dist'
  let written = true
  return {
    name: 'apportion-checksums',
    apply: 'build',
    configResolved({ root, build }) {
      outDir = resolve(root, build.outDir)
      written = build.write
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        if (written) writeChecksums(outDir)
      },
    },
  }
}

/** Writes the SHA-256 of each file of a folder in the form of `sha256sum`. Source maps are left out, since they may be deleted. */
export function writeChecksums(dir: string): void {
  const files = filesIn(dir).filter((file) => file !== 'checksums.txt' && !file.endsWith('.map'))
  const lines = files.map(
    (file) =>
      `${createHash('sha256')
        .update(readFileSync(join(dir, file)))
        .digest('hex')}  ${file}\n`,
  )
  writeFileSync(join(dir, 'checksums.txt'), lines.join(''))
}
