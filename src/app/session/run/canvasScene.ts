import { same } from '../../../scenario/model/compact.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { scenarioStore } from '../scenario/scenarioStore.ts'
import type { Session } from '../session.ts'
import type { Scene } from './painter.ts'

/** The scene as far as it may be painted on the canvas: null where the pipeline there is not the one that was run. */
export function onCanvas(session: Session, scene: Scene | null): Scene | null {
  const { draft, shown } = scenarioStore(session).getState()
  return scene !== null && samePipeline(scene.run.scenario, draft, shown !== null) ? scene : null
}

let asked: { readonly a: Scenario; readonly b: Scenario; readonly branch: boolean; readonly answer: boolean } | null = null

/**
 * Whether what is drawn on the canvas is the same of both: source, stages, links and exit. What stages are called and where
 * their cards stand counts for nothing, nor, in a branch, what they cost: that may change on the way. Asked at every frame: the last
 * answer is kept.
 */
export function samePipeline(a: Scenario, b: Scenario, branch = false): boolean {
  if (a === b) return true
  if (asked?.a !== a || asked.b !== b || asked.branch !== branch) asked = { a, b, branch, answer: same(drawn(a, branch), drawn(b, branch)) }
  return asked.answer
}

function drawn({ source, stages, links, order }: Scenario, branch: boolean): object {
  const bare = branch ? { name: '', position: null, service: null, changes: null } : { name: '', position: null }
  return { source, stages: stages.map((stage) => ({ ...stage, ...bare })), links, order }
}
