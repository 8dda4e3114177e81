import { beforeEach, expect, test } from 'vitest'
import { seatHint } from '../../../../src/app/draw/canvas/seatHint.ts'
import { onScene, paint, type Scene } from '../../../../src/app/session/run/painter.ts'
import { movePlayback, openScenario } from '../../../../src/app/session/run/runStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { isPresent } from '../../../../src/measures/frame/frame.ts'
import { setPolicy } from '../../../../src/scenario/edit/edits.ts'
import { defaultPreset } from '../../../../src/scenario/presets/firstRuns.ts'
import { seatPlan } from '../../../../src/views/parliament/parliamentLayout.ts'
import { playOut, threadsHere } from '../../../fixtures/threadsHere.ts'

threadsHere()

let session: Session

beforeEach(() => {
  session = createSession()
})

/** The tooltips of all seats at an instant, from left to right. */
async function hintsAt(scenario: typeof defaultPreset.scenario, time: number): Promise<string[][]> {
  openScenario(session, scenario)
  await playOut(session)
  movePlayback(session, { time, playing: false, following: false })
  let scene: Scene | null = null
  const end = onScene(session, (now) => {
    scene = now
  })
  paint(session, 16)
  end()
  const { frame } = (scene as Scene | null) ?? expect.fail('nothing was drawn')
  const workers = frame.workers.filter(isPresent).length
  const plan = seatPlan(
    workers,
    frame.stages.map(({ seats }) => seats),
    frame.stages.map(({ posted }) => posted),
  )
  return plan.map((seat, at) => seatHint(scene, { ...seat, at, nth: at - plan.findIndex(({ stage }) => stage === seat.stage) }))
}

test('each seat names its stage, its round and the quotient that won it, and every round has one seat', async () => {
  const { scenario } = defaultPreset
  const hints = await hintsAt(scenario, 600_000)
  expect(hints).toHaveLength(scenario.workers)
  const rounds = hints.map(([name]) => Number(/^Seat (\d+) of 8: /.exec(name)?.[1]))
  expect(rounds.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  for (const [name, won] of hints) {
    expect(scenario.stages.some((stage) => name.includes(stage.name))).toBe(true)
    expect(won).toMatch(/^Won (by its quotient,|a tie at the quotient) [\d.,]+ (ms|s)$/)
  }
})

test('seats of a policy without a vote count from the left and name the policy', async () => {
  const hints = await hintsAt(setPolicy(defaultPreset.scenario, 'fixed'), 600_000)
  expect(hints.map(([name]) => /^Seat (\d+)/.exec(name)?.[1]).join()).toBe('1,2,3,4,5,6,7,8')
  expect(hints[0][1]).toMatch(/^Target set by: /)
})

test('before a run a seat belongs to no stage', () => {
  expect(seatHint(null, { stage: -1, filled: false, from: -1, at: 2, nth: 2 })).toEqual(['Seat 3', 'No stage has it before the run.'])
})
