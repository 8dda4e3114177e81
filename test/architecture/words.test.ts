import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { repository } from './sources.ts'

/**
 * Unclear phrases, each with a better one. Brackets around a letter keep a rule from matching itself, so that this file is
 * searched too. There are no exceptions.
 */
const phrases: readonly (readonly [phrase: RegExp, better: string])[] = [
  [/\bso (?:many|much)\b/i, 'say the number, "this many", "at most" or "up to"'],
  [/\bane[w]\b/i, 'say "again"'],
  [/\bwhoeve[r]\b/i, 'say the worker, the job, the caller'],
  [/\bwhomsoeve[r]\b/i, 'say the worker, the job, the caller'],
  [/\bnone bu[t]\b/i, 'say "only"'],
  [/\bno other tha[n]\b/i, 'say "only"'],
  [/\bthe most tha[t]\b/i, 'say "at most", "limit" or "longest"'],
  [/\bReturns what end[s]\b/i, 'say "Returns an unsubscribe function."'],
  [/\bwhat ends i[t]\b/i, 'say "a function that stops it"'],
  [/\bCalls `end` whe[n]\b/i, 'say "Registers a cleanup"'],
  [/\bthe latest firs[t]\b/i, 'say "newest first", or "last in, first out"'],
  [/\bwing[s]?\b/i, 'say "folder"'],
  [/\bhous[e]\b/i, 'say "folder", "layer" or "rule"'],
  [/\ba pure roo[m]\b/i, 'say "folder": a room is a room of workers'],
  [/\bbefall(?:s|en)?(?![(])\b/i, 'say "happens to", or "fault"'],
  [/\bfallen by one les[s]\b/i, 'say by how many it fell'],
  [/\bheld agains[t]\b/i, 'say "compared with"'],
  [/\bfortol[d]\b|\bforetol[d]\b/i, 'say "predicted"'],
  [/\btaken? awa[y]\b/i, 'say "removed", "deleted" or "saved"'],
  [/\bto put righ[t]\b|\bis put righ[t]\b/i, 'say "fix"'],
  [/\bgreat one[s]\b/i, 'say "large values"'],
  [/\ba number from [1]\b/i, 'say "one-based"'],
  [/\bwhose word count[s]\b/i, 'say who decides'],
  [/\bcost what they cos[t]\b/i, 'say "their service time is fixed"'],
  [/\bcomings and going[s]\b/i, 'say "workers that join or leave"'],
  [/\bcannot change under wa[y]\b/i, 'say "cannot change during the run"'],
  [/\bwho joins continue[s]\b/i, 'say "a worker that joins gets the next number"'],
  [/\bon three ladder[s]\b/i, 'say "in three groups"'],
  [/\b(?:whenc[e]|wherewit[h]|thereo[f]|therei[n]|hencefort[h]|les[t])\b(?!')/i, 'say it as one would aloud'],
  [/\bLOOKED_A[T]\b/, 'say how many bytes: `SNIFF_BYTES`'],
  [/\b\w+(?:Tol[d]|Sai[d]|Hear[d])\b/, 'name a text `...Phrase`, `...Text` or `...Sentence`, and a listener `on...`'],
  [
    /\b(?:told apar[t]|plain twi[n]|dice of their ow[n]|refused in word[s])\b/i,
    'say "distinguished", "plain version", "random draws", "with a reason"',
  ],
  [/\b(?:stands here twic[e]|ha[ds] its say)\b/i, 'say "is listed twice", or what is checked'],
]

const searched = ['README.md', 'CONTRIBUTING.md', ...['src', 'test', 'docs', 'scripts'].flatMap(textsBelow)]

function textsBelow(folder: string): string[] {
  const entries = readdirSync(`${repository}${folder}`, { recursive: true, encoding: 'utf8' }).map(
    (path) => `${folder}/${path.replaceAll('\\', '/')}`,
  )
  return entries.filter((path) => /\.(tsx?|mjs|css|json|md)$/.test(path) && !path.startsWith('test/golden/')).sort()
}

/** Returns the phrases of a text, each with a better one. A phrase may begin on one line of a comment and end on the next. */
function phrasesIn(path: string, text: string): string[] {
  const oneLine = text.replace(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' ')
  return phrases.flatMap(([phrase, better]) => {
    const found = phrase.exec(oneLine)
    return found === null
      ? []
      : [`${path}: "${oneLine.slice(Math.max(0, found.index - 30), found.index + 40)}": ${better}`]
  })
}

test('no source, test or page of the docs has an unclear phrase', () => {
  expect(searched.length).toBeGreaterThan(1000)
  expect(searched.flatMap((path) => phrasesIn(path, readFileSync(repository + path, 'utf8')))).toEqual([])
})
