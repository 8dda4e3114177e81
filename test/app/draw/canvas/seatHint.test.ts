import { expect, test } from 'vitest'
import { seatHint } from '../../../../src/app/draw/canvas/seatHint.ts'
import { onScene, paint, type Scene } from '../../../../src/app/session/page/painter.ts'
import { openScenario } from '../../../../src/app/session/run/opening.ts'
import { movePlayback } from '../../../../src/app/session/run/runStore.ts'
import { createSession } from '../../../../src/app/session/session.ts'
import { decisionAt } from '../../../../src/measures/decisions/decision.ts'
import { estimateHistoryOf } from '../../../../src/measures/decisions/estimateHistory.ts'
import { isPresent } from '../../../../src/measures/frame/frame.ts'
import { setPolicy } from '../../../../src/scenario/edit/edits.ts'
import { defaultPreset } from '../../../../src/scenario/presets/preset.ts'
import { seatPlan } from '../../../../src/views/parliament/seats.ts'
import { playOut, threadsHere } from '../../../fixtures/threadsHere.ts'

threadsHere()

/** The scene of a run at an instant. */
async function sceneAt(scenario: typeof defaultPreset.scenario, time: number): Promise<Scene> {
  const session = createSession()
  openScenario(session, scenario)
  await playOut(session)
  movePlayback(session, { time, playing: false, following: false })
  let scene: Scene | null = null
  onScene(session, (now) => {
    scene = now
  })
  paint(session, 16)
  return scene ?? expect.fail('nothing was drawn')
}

/** The tooltips of all seats, from left to right. */
function hintsOf(scene: Scene): string[][] {
  const { frame } = scene
  const workers = frame.workers.filter(isPresent).length
  const plan = seatPlan(
    workers,
    frame.stages.map(({ seats }) => seats),
    frame.stages.map(({ staffed }) => staffed),
  )
  return plan.map((seat, at) =>
    seatHint(scene, { ...seat, at, each: 1, nth: at - plan.findIndex(({ stage }) => stage === seat.stage) }),
  )
}

test('each seat names its stage, its round and the quotient that won it, and every round has one seat, with a worker or without', async () => {
  const { scenario } = defaultPreset
  const scene = await sceneAt(scenario, 600_000)
  const { run, frame } = scene
  const { rounds } = decisionAt(run.trace, estimateHistoryOf(run.trace), frame.decision)
  const hints = hintsOf(scene)
  expect(hints).toHaveLength(scenario.workers)
  const seatNumbers = hints.map(([name]) => Number(/^Seat (\d+) of 8: /.exec(name)?.[1]))
  // The seats of a stage are side by side, although the stages won them in turn.
  expect(seatNumbers).not.toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect([...seatNumbers].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  for (const [seat, [name, won]] of hints.entries()) {
    expect(name).toContain(scenario.stages[rounds[seatNumbers[seat] - 1].winner].name)
    expect(won).toMatch(/^(Quotient|Won a tie at) [\d.,]+ (ms|s)$/)
  }
  // The tooltip of an empty seat tells where its worker is.
  const lastOf = (filled: boolean, from: number) =>
    seatHint(scene, { stage: 0, at: 0, nth: 0, each: 1, filled, from }).slice(2)
  expect(lastOf(true, -1)).toEqual([])
  expect(lastOf(false, -1)).toEqual(['No worker has come yet.'])
  expect(lastOf(false, 2)).toEqual([expect.stringMatching(/^Its worker is still at .*Enrich/)])
})

test('seats of a policy without a vote count from the left and name the policy', async () => {
  const hints = hintsOf(await sceneAt(setPolicy(defaultPreset.scenario, 'fixed'), 600_000))
  expect(hints.map(([name]) => /^Seat (\d+)/.exec(name)?.[1]).join()).toBe('1,2,3,4,5,6,7,8')
  expect(hints[0][1]).toMatch(/^Target set by: /)
})

test('before a run a seat belongs to no stage', () => {
  expect(seatHint(null, { stage: -1, filled: false, from: -1, at: 2, nth: 2, each: 1 })).toEqual(['No stage has it.'])
})
