import { same } from '../../../scenario/model/compact.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { scenarioStore } from '../scenario/scenarioStore.ts'
import type { Session } from '../session.ts'
import type { Scene } from './painter.ts'

/** Returns whether the scene shows the run of another pipeline than the one on the canvas. */
export function isStale(session: Session, scene: Scene | null): boolean {
  const { draft, shown } = scenarioStore(session).getState()
  return scene !== null && !samePipeline(scene.run.scenario, draft, shown !== null)
}

const lastAnswer = new WeakMap<
  Scenario,
  { readonly other: Scenario; readonly branch: boolean; readonly same: boolean }
>()

/**
 * Returns whether two scenarios have the same source, stages, links and exit, as drawn on the canvas. Names and places of stages do not
 * count; in a branch service times do not either, since they may change midway.
 */
export function samePipeline(a: Scenario, b: Scenario, branch = false): boolean {
  if (a === b) return true
  const last = lastAnswer.get(a)
  if (last?.other === b && last.branch === branch) return last.same
  const answer = same(drawnParts(a, branch), drawnParts(b, branch))
  lastAnswer.set(a, { other: b, branch, same: answer })
  return answer
}

function drawnParts({ source, stages, links, order }: Scenario, branch: boolean): object {
  const bare = branch ? { name: '', position: null, service: null, changes: null } : { name: '', position: null }
  return { source, stages: stages.map((stage) => ({ ...stage, ...bare })), links, order }
}
