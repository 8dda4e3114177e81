import { beforeEach, describe, expect, test } from 'vitest'
import { openScenario } from '../../../../src/app/session/run/opening.ts'
import type { Run } from '../../../../src/app/session/run/runStore.ts'
import { editOrShowProblems, scenarioStore, undo } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import {
  feederDetails,
  feederKey,
  feederStudy,
  feedersNamed,
} from '../../../../src/features/groups/page/FeederPanel.tsx'
import {
  contentionSentence,
  orderWords,
  spreadSceneAt,
  spreadSceneBefore,
  spreadWords,
} from '../../../../src/features/groups/page/SpreadPanel.tsx'
import { frameAt } from '../../../../src/measures/frame/frame.ts'
import { setFeeders } from '../../../../src/scenario/edit/edits.ts'
import { endOf } from '../../../../src/trace/trace.ts'
import { valid } from '../../../fixtures/anyScenario.ts'
import { PATIENCE, playOut, threadsHere } from '../../../fixtures/threadsHere.ts'

const threads = threadsHere()

const grouped = (source: object = {}) =>
  valid({
    version: 1,
    source: { kind: 'groups', groups: [12, 5, 9, 20, 3, 8, 14, 6, 11, 7], order: 'spread', feeders: 4, ...source },
    stages: [{ id: 'A', name: 'Write', service: { kind: 'exponential', mean: 8000 }, resource: 'group' }],
    workers: 6,
    groupSwitchCost: 1000,
  })

let session: Session
const scenario = () => scenarioStore(session).getState().scenario
const sceneAt = (run: Run, share: number) =>
  spreadSceneAt(session, run, frameAt(run.trace, Math.round(endOf(run.trace) * share))) ??
  expect.fail('it is not read that far')

beforeEach(() => {
  session = createSession()
  openScenario(session, grouped())
})

describe('the drawing of spread jobs', () => {
  test('has the given number of feeders, goes backwards as well, and names waiting workers', async () => {
    const before = spreadSceneBefore(scenario())
    expect(before !== null && spreadWords(before)).toMatch(/^4 feeders; 10 of 10 groups to come; 0 of 95 jobs taken/)
    const run = await playOut(session)
    const [early, late] = [sceneAt(run, 0.3), sceneAt(run, 0.7)]
    expect(early.state.emitted).toBeGreaterThan(0)
    expect(late.state.emitted).toBeGreaterThan(early.state.emitted)
    // Six workers on four feeders: at least one waits.
    expect(contentionSentence(scenario(), early.held)).toMatch(
      /^Worker [1-6] has a job of group \d+ and waits for worker [1-6], who is at one\./,
    )
    expect(spreadWords(sceneAt(run, 0.3))).toBe(spreadWords(early))
  })

  test('names an order without feeders, and does not exist for jobs without groups', () => {
    const { source } = grouped({ order: 'window', window: 3 })
    expect(source.kind === 'groups' && orderWords(source)).toBe('Shuffled in windows: 3')
    const scene = spreadSceneBefore(grouped({ order: 'window', window: 3 }))
    expect(scene !== null && spreadWords(scene)).toMatch(/^10 of 10 groups to come/)
    expect(spreadSceneBefore(valid({ version: 1, stages: [{ id: 'A' }], workers: 2 }))).toBeNull()
  })
})

describe('numbers of feeders', () => {
  test('are compared in words, also after one of them was chosen in one step of undo', async () => {
    const key = feederKey(scenario())
    await feederStudy(session).start(scenario())
    const points = feederStudy(session).store.getState().found ?? []
    const four = points.find(({ feeders }) => feeders === 4) ?? expect.fail('four were not played')
    expect(`${feedersNamed(4)}: ${feederDetails(four, true)}`).toMatch(
      /^4 feeders: .*apart.*; Workers wait for groups.*; Workers lose by changing groups.*; took .*skip$/,
    )
    editOrShowProblems(session, (now) => setFeeders(now, 6))
    expect(scenario().source).toMatchObject({ feeders: 6 })
    expect(feederKey(scenario())).toBe(key)
    undo(session)
    expect(scenario().source).toMatchObject({ feeders: 4 })
    await expect.poll(() => threads.open.size, PATIENCE).toBe(0)
  })
})
