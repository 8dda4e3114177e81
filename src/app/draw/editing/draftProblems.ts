import type { Problem, Scenario } from '../../../scenario/model/scenario.ts'
import { quoted } from '../../../scenario/model/words.ts'
import { openPanel } from '../../session/page/showing.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { canvasStore, canvasView, focusNode, linkKey, selectNode } from './canvasStore.ts'

/** The problems of a draft, by stage id or "source", and for links by `from to`. */
export type PlacedProblems = ReadonlyMap<string, string>

/** Problems of all links are shown at the source. Other problems, as of the random seed in a branch, have no place on the canvas. */
const ofSource = /^(source|links$|$)/

export function placedProblems(draft: Scenario, problems: readonly Problem[]): PlacedProblems {
  const at = new Map<string, string>()
  for (const { path, message } of problems) {
    const [, list, index] = /^(stages|links)\[(\d+)\]/.exec(path) ?? []
    const link = draft.links[Number(index)]
    const where =
      list === 'stages'
        ? draft.stages[Number(index)]?.id
        : list === 'links'
          ? link && linkKey(link)
          : ofSource.test(path)
            ? 'source'
            : undefined
    // A link has room for the error, but not for the allowed values.
    const words =
      list === 'links' ? problemWords({ path, message }, draft).split('; ')[0] : problemWords({ path, message }, draft)
    if (where !== undefined) at.set(where, at.has(where) ? `${at.get(where)}; ${words}` : words)
  }
  return at
}

/** Returns the text of a problem without its place, with names of stages instead of ids. */
export function problemWords({ path, message }: Problem, { stages }: Scenario): string {
  const names = new Map(stages.map(({ id, name }) => [id, name]))
  const named = (all: string, id: string) => (names.has(id) ? quoted(names.get(id) ?? '') : all)
  const words = message.replace(/(?<!found |allowed: )"([A-Za-z0-9.-]{1,40})"/g, named)
  return path.startsWith('stages') ? words.replace(/^stage "(?:[^"\\]|\\.)*" /, '') : words
}

/** Selects the first place on the canvas with a problem and makes it visible. A problem without a place is in the settings. */
export function showProblem(session: Session) {
  const { draft, draftProblems } = scenarioStore(session).getState()
  const [place] = placedProblems(draft, draftProblems).keys()
  if (place === undefined) return openPanel(session, 'scenario')
  const [from, to] = place.split(' ')
  selectNode(session, to === undefined ? place : null)
  if (to !== undefined) canvasStore(session).setState({ link: place })
  canvasView(session).show?.(from)
  focusNode(session, from)
}
