import { type PlainKey, setOptions, setStage } from '../../../scenario/edit/edits.ts'
import type { Scenario, Stage } from '../../../scenario/model/scenario.ts'
import type { Bound } from '../../base/forms/bound.ts'

/** Returns a setting of the whole scenario, for a field. */
export function settingOf<K extends PlainKey>(scenario: Scenario, key: K): Bound<Scenario[K]> {
  return { path: key, value: scenario[key], change: (before, value) => setOptions(before, { [key]: value }) }
}

/** Returns a part of a stage, for a field. */
export function stagePart<K extends Exclude<keyof Stage, 'id'>>(stage: Stage, index: number, key: K): Bound<Stage[K]> {
  return { path: `stages[${index}].${key}`, value: stage[key], change: (before, value) => setStage(before, stage.id, { [key]: value }) }
}
