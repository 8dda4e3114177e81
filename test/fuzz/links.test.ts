import { expect, test } from 'vitest'
import {
  deflate,
  type Fragment,
  readFragment,
  toAskFragment,
  toJsonFragment,
  toShortFragment,
} from '../../src/scenario/link/codec.ts'
import { writeShort } from '../../src/scenario/link/shortForm.ts'
import { compact, same } from '../../src/scenario/model/compact.ts'
import { parseQuestion } from '../../src/scenario/parse/part.ts'
import type { Chance } from '../fixtures/chance.ts'
import { laterScenario } from '../fixtures/laterScenarios.ts'
import { seededScenario } from '../fixtures/seededScenarios.ts'
import { fuzz, patience, wrongIn } from './fuzz.ts'
import { hostileLinks, shortOf } from './hostileLinks.ts'
import { mutatedBytes, mutatedText, mutatedValue } from './mutations.ts'

const scenarios = Array.from({ length: 120 }, (_, k) => (k % 2 === 0 ? seededScenario(k) : laterScenario(k)))
const plain = scenarios.map((scenario) => JSON.parse(JSON.stringify(compact(scenario))) as unknown)
const shortTexts = scenarios.map((scenario) => writeShort(compact(scenario)))
const shortLinks = scenarios.map((scenario) => toShortFragment(scenario))
const jsonLinks = scenarios.map((scenario) => toJsonFragment(scenario, { at: 1500, decision: 3, panel: 'figures' }))
const question = parseQuestion({
  version: 1,
  workers: 5,
  stages: [
    { mean: 1000, waiting: 3 },
    { mean: 2000, waiting: 4 },
  ],
})
const tails =
  '   &t=5 &t=-1 &t=1e9 &decision=0 &range=5-1 &panel=__proto__ &policies=leastScore,leastScore &branch=9 &run=x &digest=z &&& &= &t'.split(
    ' ',
  )

/** As a browser writes it: a lone surrogate becomes the replacement character. */
function encoded(text: string): string {
  return encodeURIComponent(
    text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd'),
  )
}

function jsonOf(value: unknown, chance: Chance): string {
  const text = JSON.stringify(value) ?? 'null'
  return `#json=${chance.percent(70) ? encoded(text) : text}`
}

const kinds: readonly ((chance: Chance) => string)[] = [
  (chance) => jsonOf(mutatedValue(chance.pick(plain), chance), chance),
  (chance) => jsonOf(mutatedValue(chance.pick(plain), chance), chance),
  (chance) => mutatedText(chance.pick(jsonLinks), chance),
  (chance) => mutatedText(chance.pick(shortLinks), chance),
  (chance) => shortOf(mutatedBytes(deflate(chance.pick(shortTexts)), chance)),
  (chance) => shortOf(deflate(mutatedBytes(chance.pick(shortTexts), chance))),
  (chance) => `#ask=${encoded(JSON.stringify(mutatedValue(asked, chance)) ?? '')}`,
  (chance) => mutatedText('question' in question ? toAskFragment(question.question) : '', chance),
]
const asked = {
  version: 1,
  workers: 5,
  policy: { kind: 'webster' },
  stages: [
    { name: 'A', mean: 1000, waiting: 3 },
    { mean: 2000, waiting: 4, done: true },
  ],
}

test(
  'any link is read or refused with problems, and a scenario that was read can be written and read again',
  patience,
  () => {
    fuzz(0.45, (chance) => {
      const link = chance.pick(kinds)(chance) + chance.pick(tails)
      const read = readFragment(link)
      const wrong = wrongWith(read)
      return wrong && `${wrong}, of ${link.slice(0, 2000)}`
    })
  },
)

function wrongWith(read: Fragment): string | null {
  if (read.found === 'problems') return wrongIn(read.problems)
  if (read.found !== 'scenario') return null
  if (read.problems.length > 0 && wrongIn(read.problems) !== null) return wrongIn(read.problems)
  const again = readFragment(toShortFragment(read.scenario))
  return again.found === 'scenario' && same(again.scenario, read.scenario)
    ? null
    : 'it cannot be written and read again'
}

test('a link as long, deep or compressed as possible is refused like any other', patience, () => {
  for (const link of hostileLinks(shortLinks[0])) expect(wrongWith(readFragment(link))).toBeNull()
})

test('a short link that is cut anywhere is called incomplete', patience, () => {
  for (const link of shortLinks.slice(0, 40))
    for (let length = '#s='.length; length < link.length; length++) {
      const read = readFragment(link.slice(0, length))
      expect(read.found === 'problems' && read.problems[0].message).toMatch(/incomplete/)
    }
})
