import { expect, test } from 'vitest'
import { createRun } from '../../../../src/app/session/run/runStore.ts'
import { decisionWords } from '../../../../src/features/publish/essay/EssayPanel.tsx'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { presetOf } from '../../../../src/scenario/presets/presets.ts'
import { decisionIndexAt, decisionTime } from '../../../../src/trace/follow.ts'
import { endOf } from '../../../../src/trace/trace.ts'
import { count, duration } from '../../../../src/views/drawing/format.ts'

test('a pin says how much older than its picture the decision is', async () => {
  const scenario = presetOf('rush-hour')?.scenario ?? expect.fail('no preset')
  const run = createRun(await playSimulation(scenario, 0))
  const { trace } = run
  const instants = Array.from({ length: 100 }, (_, k) => Math.round((endOf(trace) * k) / 100))
  for (const time of [
    ...instants,
    ...instants.map((near) => decisionTime(trace, Math.max(0, decisionIndexAt(trace, near)))),
  ]) {
    const d = decisionIndexAt(trace, time)
    if (d < 0) continue
    const ago = time - decisionTime(trace, d)
    const begin = ago === 0 ? `Decision ${count(d + 1)}: ` : `Decision ${count(d + 1)}, ${duration(ago)} before: `
    expect(decisionWords(run, time).startsWith(begin), `${time}`).toBe(true)
  }
  expect(decisionWords(run, -1)).toBe('')
})
