import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openScenario } from '../../../../src/app/session/run/opening.ts'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { takeFile } from '../../../../src/app/share/files/input.ts'
import { MAX_MICROS } from '../../../../src/scenario/model/limits.ts'
import { scenarioWith, workedExample } from '../../../fixtures/scenarios.ts'
import { threadsHere } from '../../../fixtures/threadsHere.ts'
import { canvasOf, messagesOf, scenarioOf, titleOf } from '../../pages.ts'

const statusOf = (session: Session) => runStore(session).getState().status()
const fileOf = (name: string, text: string) => new File([text], name)
const withWork = (works: readonly unknown[], more: object = {}) =>
  scenarioWith({
    title: 'My own',
    source: { kind: 'batch', jobs: 3 },
    stages: works.map((work, k) => ({ id: `s${k}`, work, ...more })),
    workers: 2,
  })

let threads: ReturnType<typeof threadsHere>
beforeEach(() => {
  threads = threadsHere()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('a text file on a page without features', () => {
  test.each([
    [['parseJson'], true],
    [['burn', 'gzip'], true],
    [['sha256', 'wait', 'burn'], true],
    [['validate', 'validate'], true],
    [[{ code: 'export default (x) => x' }], true],
    [['burn', { code: 'export default (x) => x' }], true],
    [['burn'], false],
    [['wait', 'burn'], false],
    [['qoi', 'mandelbrot'], false],
  ])('is read by the pipeline if one of its stages works on records or has code: %j', async (works, stays) => {
    const session = createSession()
    openScenario(session, withWork(works))
    await takeFile(session, fileOf('two.txt', 'a\nb\n'))
    expect([titleOf(session), canvasOf(session).scenario.source]).toMatchObject([
      stays ? 'My own' : scenarioOf('log-lines').title,
      { kind: 'lines', jobs: 2 },
    ])
    expect([statusOf(session), messagesOf(session)]).toEqual(['two.txt: 2 lines. Press Run.', ''])
  })

  test('is known by its bytes, so that a link opens with the same file alone', async () => {
    const session = createSession()
    openScenario(session, withWork(['gzip']))
    const text = 'a\r\n\nж\n'
    await takeFile(session, fileOf('two.txt', text))
    expect(canvasOf(session).scenario.source).toEqual({
      kind: 'lines',
      jobs: 2,
      digest: createHash('sha256').update(text).digest('hex'),
    })
  })

  test('is kept for the run, on threads of this page, whatever engine was chosen', async () => {
    for (const [works, chosen, engine] of [
      [['burn'], 'simulation', 'threads'],
      [['burn'], 'threads', 'threads'],
      [['burn'], 'room', 'threads'],
      [['gzip'], 'simulation', 'threads'],
      [['gzip'], 'room', 'room'],
    ] as const) {
      const session = createSession()
      runStore(session).setState({ chosenEngine: chosen, engine: chosen })
      openScenario(session, withWork(works))
      const file = fileOf('one.txt', 'a')
      await takeFile(session, file)
      expect([works, chosen, runStore(session).getState().engine]).toEqual([works, chosen, engine])
      expect([runStore(session).getState().file, statusOf(session)]).toEqual([file, 'one.txt: 1 line. Press Run.'])
    }
  })

  test.each([1, 3])(
    'may have as many lines as threads can serve at all %d stages, and not one more',
    async (stages) => {
      const most = Math.floor(200_000 / stages)
      const session = createSession()
      openScenario(session, withWork(Array(stages).fill('gzip')))
      await takeFile(session, fileOf('more.txt', 'x\n'.repeat(most + 1)))
      expect(messagesOf(session)).toBe(
        `: more.txt cannot be read: the file has more than ${most} lines; allowed: ${most}`,
      )
      expect(statusOf(session)).toBe('Ready. Press Run.')
      await takeFile(session, fileOf('most.txt', 'x\n'.repeat(most)))
      expect(canvasOf(session).scenario.source).toMatchObject({ jobs: most })
    },
  )

  test('is not opened if it has more lines than the pipeline may have jobs: the page says why, and the status line is as before', async () => {
    const session = createSession()
    const slow = withWork(['gzip'], { service: { kind: 'constant', mean: Math.floor(MAX_MICROS / 1000) } })
    openScenario(session, slow)
    await takeFile(session, fileOf('many.txt', 'x\n'.repeat(2000)))
    expect(messagesOf(session)).not.toBe('')
    expect([canvasOf(session).scenario, runStore(session).getState().file, statusOf(session)]).toEqual([
      slow,
      null,
      'Ready. Press Run.',
    ])
  })
})

describe('while the lines of a file are counted', () => {
  /** A file whose lines are counted once `release` is called. */
  const held = async (session: Session, name: string, text: string) => {
    const release = threads.hold()
    const taken = takeFile(session, fileOf(name, text))
    await expect.poll(() => statusOf(session)).toContain(`Reading ${name}.`)
    return { release, taken }
  }

  test('another scenario may be opened, which stays with its engine and without a file', async () => {
    const session = createSession()
    const { release, taken } = await held(session, 'two.txt', 'a\nb')
    const other = scenarioWith(workedExample)
    openScenario(session, other)
    runStore(session).setState({ status: () => 'Another scenario.' })
    release()
    await taken
    const { engine, file } = runStore(session).getState()
    expect([canvasOf(session).scenario, engine, file, statusOf(session), messagesOf(session)]).toEqual([
      other,
      'simulation',
      null,
      'Another scenario.',
      '',
    ])
  })
})
