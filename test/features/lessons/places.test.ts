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
        const wrong: string[] = []
        let until = 0
        // A name begins with a capital letter in the middle of a sentence.
        for (const { index } of words.matchAll(/(?<=[\p{L}\d,] )\p{Lu}\p{L}/gu)) {
          if (index < until) continue
          const pieces = words.slice(index).split(/(?=[ ,.])/)
          const known = pieces
            .map((_, k) => pieces.slice(0, k + 1).join(''))
            .filter((name) => names.has(name))
            .pop()
          if (known === undefined) wrong.push(words.slice(index))
          until = index + (known?.length ?? 1)
        }
        return wrong
      }),
    )
    expect(unknown).toEqual([])
  },
)
