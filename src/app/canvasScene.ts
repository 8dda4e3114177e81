import { same } from '../scenario/compact.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { Scene } from './painter.ts'
import { scenarioStore } from './scenarioStore.ts'

/** The scene as far as it may be painted on the canvas: null where the pipeline there is not the one that was run. */
export function onCanvas(scene: Scene | null): Scene | null {
  return scene !== null && samePipeline(scene.run.scenario, scenarioStore.getState().drawing) ? scene : null
}

let asked: { readonly a: Scenario; readonly b: Scenario; readonly answer: boolean } | null = null

/**
 * Whether what is drawn on the canvas is the same of both: source, stages, links and exit. What stages are called and where
 * their cards stand counts for nothing. Asked at every frame: the last answer is kept.
 */
export function samePipeline(a: Scenario, b: Scenario): boolean {
  if (a === b) return true
  if (asked?.a !== a || asked.b !== b) asked = { a, b, answer: same(drawn(a), drawn(b)) }
  return asked.answer
}

function drawn({ source, stages, links, order }: Scenario): object {
  return { source, stages: stages.map((stage) => ({ ...stage, name: '', position: null })), links, order }
}
