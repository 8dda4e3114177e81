import type { EmbedCommand, EmbedProblem } from '../../../embed/messages.ts'
import { type EngineName, ownEngines } from '../../../scenario/model/engines.ts'
import { MAX_TEXT } from '../../../scenario/model/limits.ts'
import type { Problem } from '../../../scenario/model/scenario.ts'
import { foundText, listed, quoted } from '../../../scenario/model/words.ts'
import { checked } from '../../../scenario/parse/checked.ts'
import { checkVersion, micros } from '../../../scenario/parse/schemaParts.ts'
import { checkByKey, checkOneOf, checkText, orNull, wholeNumber } from '../../../scenario/parse/shape.ts'
import { languages } from '../../base/page/language.ts'

const number = orNull(wholeNumber)
const head = { apportion: checkVersion(1), id: number }
const message = checkByKey('type', {
  load: { ...head, scenario: checkText(MAX_TEXT), run: orNull(checkOneOf(ownEngines)) },
  play: head,
  pause: head,
  listen: head,
  seek: { ...head, time: micros(0) },
})

/** Whether a message is meant for Apportion. A frame also receives messages that are not. */
export function isApportionMessage(data: unknown): data is object {
  return typeof data === 'object' && data !== null && Object.hasOwn(data, 'apportion')
}

/** Returns the command in a message, or its problems and, if it can be read, its id. Never throws. */
export function readCommand(
  data: unknown,
): EmbedCommand | { readonly id: number | null; readonly problems: readonly EmbedProblem[] } {
  const read = checked(message, data)
  if ('value' in read) return read.value
  const id = checked(number, isApportionMessage(data) && 'id' in data ? data.id : null)
  return { id: 'value' in id ? id.value : null, problems: read.problems }
}

/** The values allowed in the address of a frame, by parameter. Each is an attribute of the element too. */
const attributes: Readonly<Record<string, readonly string[]>> = {
  run: ownEngines,
  theme: ['light', 'dark'],
  lang: languages,
}

/** Returns the engine that starts at once, and a problem for each value that its parameter does not allow. Empty values are ignored. */
export function readAttributes(parameters: URLSearchParams): {
  readonly run: EngineName | null
  readonly problems: readonly Problem[]
} {
  const problems = Object.entries(attributes).flatMap(([path, words]) => {
    const given = parameters.get(path) ?? ''
    // A country may follow the language.
    const word = path === 'lang' ? given.toLowerCase().split('-')[0] : given
    return given === '' || words.includes(word)
      ? []
      : [{ path, message: foundText(given, listed(words.map(quoted), 'or')) }]
  })
  return { run: ownEngines.find((name) => name === parameters.get('run')) ?? null, problems }
}
