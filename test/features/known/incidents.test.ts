import { expect, test } from 'vitest'
import {
  besideOf,
  incidentOf,
  incidentPresets,
  incidents,
  momentIn,
} from '../../../src/features/known/content/incidents.ts'
import { frameAt } from '../../../src/measures/frame/frame.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { compact } from '../../../src/scenario/model/compact.ts'
import { endOf, type Trace } from '../../../src/trace/trace.ts'
import { valid } from '../../fixtures/anyScenario.ts'
import { runHere } from '../../fixtures/commandHere.ts'

const played = new Map<string, Promise<Trace>>()
function runOf(key: string, policy?: object): Promise<Trace> {
  const name = `${key} ${JSON.stringify(policy)}`
  const { scenario } = incidentPresets.find((preset) => preset.key === key) ?? incidentPresets[0]
  const run = played.get(name) ?? playSimulation(valid({ ...compact(scenario), ...(policy && { policy }) }), 0)
  played.set(name, run)
  return run
}
const write = (time: number) => `${Math.round(time / 1e6)} s`

test('the incident of August 2026 comes out as published, within a tenth', async () => {
  const trace = await runOf('ray-data-2026')
  const [incident] = incidents
  const at = momentIn(trace, incident) ?? 0
  const { stages } = frameAt(trace, at)
  expect(stages.map(({ staffed }) => staffed)).toEqual([83, 4])
  expect(Math.abs(stages[1].waiting / 6190 - 1)).toBeLessThan(0.1)
  expect(besideOf(trace, incident, write)).toEqual([
    { name: expect.stringContaining('Robber'), published: '83', here: '83' },
    {
      name: expect.stringContaining('Bottleneck'),
      published: '4 (3 running, 1 starting), 6,190 waiting',
      here: '4 (3 running, 1 starting), 6,116 waiting',
    },
    { name: 'at work', published: '86 of 128', here: '86 of 128' },
    { name: 'until all is done', published: '178 s', here: '214 s' },
  ])
})

test('upstream has 75 to 91 workers and downstream at most 8 while more than 5,000 jobs wait, and the least total time is at least 1.3 times as fast', async () => {
  const trace = await runOf('ray-data-2026')
  const times = Array.from({ length: 200 }, (_, i) => i * 500_000)
  const seen = times.map((time) => frameAt(trace, time).stages).filter(([up]) => up.staffed >= 75 && up.staffed <= 91)
  expect(seen.some(([, down]) => down.staffed <= 8 && down.waiting > 5000)).toBe(true)
  const ours = await runOf('ray-data-2026', { kind: 'leastScore' })
  expect([trace.ending, ours.ending]).toEqual(['drained', 'drained'])
  expect(endOf(trace) / endOf(ours)).toBeGreaterThan(1.3)
})

test('in the incident of July 2025 the slowest of four stages stops at four actors, and half of the CPUs are idle', async () => {
  const trace = await runOf('ray-data-2025')
  const { stages } = frameAt(trace, momentIn(trace, incidents[1]) ?? 0)
  expect(stages.map(({ staffed }) => staffed)).toEqual([3, 1, 4, 1])
  expect(stages.reduce((sum, { busy }) => sum + busy, 0)).toBeLessThanOrEqual(8)
})

test('another pipeline is no incident, and another policy is', () => {
  const [{ scenario }] = incidentPresets
  expect(incidentOf({ ...scenario, policy: { kind: 'leastScore', lend: true } })?.key).toBe('ray-data-2026')
  expect(incidentOf({ ...scenario, source: { kind: 'batch', jobs: 1 } })).toBeNull()
})

test('the terminal plays presets by key, lists them, and names near ones for a wrong key', async () => {
  const listed = await runHere('headless', 'preset:')
  for (const key of ['worked-example', 'ray-data-2026', 'ray-data-2025'])
    expect(listed.out).toMatch(new RegExp(`^preset:${key} `, 'm'))
  const [summary] = JSON.parse((await runHere('headless', 'preset:worked-example', '--json')).out)
  expect(summary).toMatchObject({ policy: 'leastScore', makespan: 3_000_000 })
  const wrong = await runHere('headless', 'preset:ray-data')
  expect(wrong.status).toBe(1)
  expect(wrong.err).toMatch(/"ray-data".*"preset:ray-data-202[56]"/)
})
