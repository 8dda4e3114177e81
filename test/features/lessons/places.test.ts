import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { lessons } from '../../../src/features/lessons/content/lessons.ts'
import { repository, sources } from '../../architecture/sources.ts'
import { textsIn } from '../../language/messages.ts'

/** The messages of the page outside lessons, scenarios and the handout. */
const onThePage = new Set(
  sources()
    .filter(({ path }) => !/^(language|features\/lessons\/content|scenario\/presets)\//.test(path))
    .flatMap((source) =>
      textsIn(source, readFileSync(`${repository}src/${source.path}`, 'utf8')).messages.map(({ message }) => message),
    ),
)

test.each(lessons.map((lesson) => [lesson.key, lesson] as const))(
  'each place that a task or hint of the lesson %s names is on the page',
  (_key, { steps, initialScenario }) => {
    const names = new Set([...onThePage, ...initialScenario().stages.map(({ name }) => name)])
    const unknown = steps.flatMap(({ task, hint }) =>
      [task, hint].flatMap((text) => {
        const words = typeof text === 'function' ? text() : (text ?? '')
        // A name begins with a capital letter in the middle of a sentence.
        return [...words.matchAll(/(?<=[\p{L}\d,] )\p{Lu}\p{L}+.*/gu)].flatMap(([rest]) => {
          const pieces = rest.split(/(?=[ ,.])/)
          return pieces.some((_, k) => names.has(pieces.slice(0, k + 1).join(''))) ? [] : [rest]
        })
      }),
    )
    expect(unknown).toEqual([])
  },
)
