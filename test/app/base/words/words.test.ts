import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { wordsInDocs } from '../../../../scripts/wordsPage.ts'
import { words } from '../../../../src/app/base/words/Words.tsx'

test('the words of the page mean what the docs say', () => {
  const docs = new Map(wordsInDocs())
  expect(Object.entries(words).filter(([word, { about }]) => docs.get(word) !== about())).toEqual([])
  for (const word of ['makespan', 'flow time', 'lower bound', 'votes', 'quotient', 'target', 'Erlang'])
    expect(words).toHaveProperty([word])
  expect(readFileSync('vite.config.ts', 'utf8')).toContain('wordsPage()')
})
