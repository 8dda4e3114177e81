import { type EngineName, ownEngines } from '../../../scenario/model/engines.ts'
import type { Problem } from '../../../scenario/model/scenario.ts'
import { foundText, listed, quoted } from '../../../scenario/model/words.ts'
import { languages } from '../../base/page/language.ts'

/** What the address of a frame may ask for, by parameter. Each is an attribute of the element too. */
const wishes: Readonly<Record<string, readonly string[]>> = { run: ownEngines, theme: ['light', 'dark'], lang: languages }

/** Returns the engine that starts at once, and a problem for every value that none of these parameters has. Without a value it is left out. */
export function readWishes(asked: URLSearchParams): { readonly run: EngineName | null; readonly problems: readonly Problem[] } {
  const problems = Object.entries(wishes).flatMap(([path, words]) => {
    const given = asked.get(path) ?? ''
    // A language may have a country behind it.
    const word = path === 'lang' ? given.toLowerCase().split('-')[0] : given
    return given === '' || words.includes(word) ? [] : [{ path, message: foundText(given, listed(words.map(quoted), 'or')) }]
  })
  return { run: ownEngines.find((name) => name === asked.get('run')) ?? null, problems }
}
