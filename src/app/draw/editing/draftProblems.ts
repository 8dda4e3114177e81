import type { Problem, Scenario } from '../../../scenario/model/scenario.ts'
import { quoted } from '../../../scenario/model/words.ts'
import { linkKey } from './canvasStore.ts'

/** What is wrong with a drawing, in words, where it is: by stage id or "source", and by link as `from to`. */
export type PlacedProblems = ReadonlyMap<string, string>

/** The links as a whole begin at the source. What else is wrong, of the luck of a branch say, has no place on the canvas. */
const ofSource = /^(source|links$|$)/

export function placedProblems(draft: Scenario, problems: readonly Problem[]): PlacedProblems {
  const at = new Map<string, string>()
  for (const { path, message } of problems) {
    const [, list, index] = /^(stages|links)\[(\d+)\]/.exec(path) ?? []
    const link = draft.links[Number(index)]
    const where = list === 'stages' ? draft.stages[Number(index)]?.id : list === 'links' ? link && linkKey(link) : ofSource.test(path) ? 'source' : undefined
    // On a link there is room for what is wrong, not for what is allowed.
    const words = list === 'links' ? problemWords({ path, message }, draft).split('; ')[0] : problemWords({ path, message }, draft)
    if (where !== undefined) at.set(where, at.has(where) ? `${at.get(where)}; ${words}` : words)
  }
  return at
}

/** What is wrong, without where, with the names that people see instead of the ids. */
export function problemWords({ path, message }: Problem, { stages }: Scenario): string {
  const names = new Map(stages.map(({ id, name }) => [id, name]))
  const words = message.replace(/(?<!found |allowed: )"([A-Za-z0-9.-]{1,40})"/g, (all, id: string) => {
    const name = names.get(id)
    return name === undefined ? all : quoted(name)
  })
  return path.startsWith('stages') ? words.replace(/^stage "(?:[^"\\]|\\.)*" /, '') : words
}
