import { describe, expect, test } from 'vitest'
import { samePipeline } from '../../../../src/app/session/page/canvasScene.ts'
import { setPolicy, setStage, setWorkers } from '../../../../src/scenario/edit/edits.ts'
import { presetOf } from '../../../../src/scenario/presets/presets.ts'

const rush = presetOf('rush-hour')?.scenario
if (rush === undefined) throw new Error('there is no such scenario')
const changed = (patch: object) => setStage(rush, rush.stages[0].id, patch)

describe('a run is painted on the canvas', () => {
  test('while the canvas has the pipeline of the run, with any workers and stage names', () => {
    expect(samePipeline(rush, rush)).toBe(true)
    expect(samePipeline(rush, setWorkers(rush, 3))).toBe(true)
    expect(samePipeline(rush, setPolicy(rush, 'jefferson'))).toBe(true)
    expect(samePipeline(rush, changed({ name: 'Read' }))).toBe(true)
    expect(samePipeline(rush, changed({ position: { x: 10, y: 10 } }))).toBe(true)
  })

  test('but not on another pipeline, even if its stages have the same ids', () => {
    const contend = presetOf('jobs-contend')?.scenario
    if (contend === undefined) throw new Error('there is no such scenario')
    expect(contend.stages.every(({ id }) => rush.stages.some((stage) => stage.id === id))).toBe(true)
    expect(samePipeline(rush, contend)).toBe(false)
    expect(samePipeline(rush, changed({ service: { kind: 'constant', mean: 1 } }))).toBe(false)
    expect(samePipeline(rush, { ...rush, source: { kind: 'batch', jobs: 600 } })).toBe(false)
    expect(samePipeline(rush, { ...rush, order: { kind: 'none' } })).toBe(false)
  })
})
