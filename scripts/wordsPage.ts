import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { root } from './bundle.mjs'

/** Writes docs/words.md into the build as a page, to which the words of the interface link. It has no style of its own. */
export function wordsPage(): Plugin {
  return {
    name: 'apportion-words',
    apply: 'build',
    generateBundle(_, bundle) {
      // Another page, such as one of a benchmark, has no docs.
      if ('sw.js' in bundle) this.emitFile({ type: 'asset', fileName: 'words.html', source: wordsHtml() })
    },
  }
}

/** Returns the words of docs/words.md with their meanings. */
export function wordsInDocs(): readonly (readonly [word: string, about: string])[] {
  const rows = readFileSync(join(root, 'docs/words.md'), 'utf8').matchAll(/^\| (?!word )([^|]+) \| ([^|]+) \|$/gm)
  return Array.from(rows, ([, word, about]) => [word, about] as const)
}

function wordsHtml(): string {
  const rows = wordsInDocs().map(
    ([word, about]) => `<dt id="${encodeURIComponent(word)}"><strong>${word}</strong></dt><dd>${about}</dd>`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Words – Apportion</title><h1>Words</h1><dl>${rows.join('\n')}</dl></html>\n`
}
