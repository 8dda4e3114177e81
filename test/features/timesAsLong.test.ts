import fc from 'fast-check'
import { expect, test } from 'vitest'
import { columnWriter } from '../../src/features/compare/page/CompareTable.tsx'
import { gainSentence } from '../../src/features/compare/page/judging.ts'
import { changesName } from '../../src/features/logs/page/fitWords.ts'
import { residualSentence } from '../../src/features/reality/measure/residual.ts'
import { defaultPreset } from '../../src/scenario/presets/preset.ts'
import { clock, duration, timeChange } from '../../src/views/drawing/format.ts'

const say = { instant: clock, duration, change: timeChange }
const parts: [] = []

test.each<[what: string, (ratio: number) => string]>([
  ['a run beside its baseline', (ratio) => gainSentence({ kind: 'fixed', times: 1 / ratio })],
  ['a distance to the bound', (ratio) => columnWriter('distance', [], []).text(ratio - 1)],
  ['a change of services', (share) => changesName([{ kind: 'quicker', stage: 0, share }], defaultPreset.scenario)],
  [
    'a real run',
    (ratio) => residualSentence({ engine: 'threads', real: 1e6 * ratio, simulated: 1e6, parts } as never, say),
  ],
])('%s: a time is a share up to twice another, and then a multiple', (_what, words) => {
  fc.assert(
    fc.property(fc.double({ min: 0.1, max: 30, noNaN: true }), (ratio) => {
      const text = words(ratio)
      const [, share] = /([\d.]+)%/.exec(text) ?? []
      const [, times] = /([\d.]+)(?: times as long|×)/.exec(text) ?? []
      if (share !== undefined) expect(Number(share)).toBeLessThanOrEqual(100)
      if (ratio >= 2) expect(Math.abs(Number(times) - ratio)).toBeLessThan(0.06)
    }),
  )
})
