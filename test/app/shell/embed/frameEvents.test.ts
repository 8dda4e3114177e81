import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { paint } from '../../../../src/app/session/page/painter.ts'
import { openScenario, showRecord } from '../../../../src/app/session/run/opening.ts'
import { playback } from '../../../../src/app/session/run/playback.ts'
import { createRun, movePlayback, runStore } from '../../../../src/app/session/run/runStore.ts'
import { showProblems } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { listenToEmbedder } from '../../../../src/app/shell/embed/embedder.ts'
import { frameAt } from '../../../../src/measures/frame/frame.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { endOf } from '../../../../src/trace/trace.ts'
import { madeUpAddress } from '../../../fixtures/madeUpAddress.ts'
import { pageSession } from '../../../fixtures/pageSession.ts'
import { jsonLink, scenarioWith, workedExample } from '../../../fixtures/scenarios.ts'
import { threadsHere } from '../../../fixtures/threadsHere.ts'
import { titleOf } from '../../pages.ts'

const BLOG = 'https://blog.example'
const example = scenarioWith({
  ...workedExample,
  stages: workedExample.stages.map((stage) => ({ ...stage, name: `Stage ${stage.id}` })),
})
const trace = await playSimulation(example, 0)
const END = endOf(trace)

type Heard = Record<string, unknown> & { readonly type: string; readonly to: string }
interface Around {
  readonly query?: string
  readonly alone?: boolean
  readonly ancestors?: readonly string[]
  readonly referrer?: string
}

/** The page in a frame, and a way to send it what the page around sends. */
function inFrame({ query = `?embed&origin=${BLOG}`, alone = false, ancestors, referrer = '' }: Around = {}) {
  const heard: Heard[] = []
  const parent = { postMessage: (message: object, to: string) => heard.push({ ...message, to } as Heard) }
  const listeners = new Set<(event: object) => void>()
  vi.stubGlobal('parent', parent)
  vi.stubGlobal('window', alone ? parent : {})
  vi.stubGlobal('location', { ancestorOrigins: ancestors })
  vi.stubGlobal('document', { referrer })
  vi.stubGlobal('requestAnimationFrame', setTimeout)
  vi.stubGlobal('addEventListener', (_: string, hear: (event: object) => void) => listeners.add(hear))
  vi.stubGlobal('removeEventListener', (_: string, hear: (event: object) => void) => listeners.delete(hear))
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const session = pageSession(madeUpAddress(query))
  const end = listenToEmbedder(session)
  const send = (data: object, source: unknown = parent, origin = BLOG) => {
    for (const hear of listeners) hear({ source, origin, data: { apportion: 1, ...data } })
  }
  const take = () => heard.splice(0)
  const types = () => take().map(({ type }) => type)
  return { session, heard, send, warn, end, listeners, take, types }
}

/** The page in a frame, with a run that has ended on its screen; from here on time stands still. */
async function withRun() {
  const frame = inFrame()
  await showRecord(frame.session, trace, 'x')
  vi.useFakeTimers()
  frame.take()
  const show = (time: number) => {
    movePlayback(frame.session, { time })
    paint(frame.session, 0, 0)
  }
  return { ...frame, show }
}

const turn = () => new Promise((resolve) => setTimeout(resolve))
const settled = async () => {
  for (let k = 0; k < 5; k++) await turn()
}

let threads: ReturnType<typeof threadsHere>
beforeEach(() => {
  threads = threadsHere()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('the page around', () => {
  test.each<[string, Around, string]>([
    ['the address', { query: `?embed&origin=${BLOG}`, ancestors: ['https://other.example'] }, BLOG],
    [
      'the browser',
      { query: '?embed', ancestors: [BLOG, 'https://outer.example'], referrer: 'https://other.example' },
      BLOG,
    ],
    ['the referrer', { query: '?embed', referrer: `${BLOG}/post` }, BLOG],
  ])('is known from %s, and is told that the frame is ready', (_, around, to) => {
    expect(inFrame(around).heard).toEqual([expect.objectContaining({ apportion: 1, type: 'ready', to })])
  })

  test('that is unknown is neither told anything nor heard, and the console says how to name it', () => {
    for (const query of ['?embed', '?embed&origin=*', '?embed&origin=null']) {
      const { session, heard, listeners, warn, end } = inFrame({ query })
      showProblems(session, [{ path: '', message: 'x' }])
      expect([heard, listeners.size]).toEqual([[], 0])
      expect(warn).toHaveBeenCalledWith(expect.stringContaining('?embed&origin=https://example.org'))
      end()
      warn.mockRestore()
    }
  })

  test('is the parent window of that origin: a window of the same origin beside it is not, nor is the parent once it is elsewhere', async () => {
    const { send, heard, take } = inFrame()
    take()
    send({ type: 'pause', id: 1 }, {}, BLOG)
    send({ type: 'pause', id: 2 }, undefined, 'https://moved.example')
    send({ type: 'pause', id: 3 }, undefined, `${BLOG}:444`)
    await settled()
    expect(heard).toEqual([])
  })
})

describe('a command', () => {
  test('to load with an engine runs the scenario there', async () => {
    const { session, send, take } = inFrame()
    take()
    send({ type: 'load', id: 1, scenario: jsonLink(workedExample), run: 'simulation' })
    await expect.poll(() => runStore(session).getState().phase).toBe('ended')
    await expect.poll(() => take().some(({ type, id }) => type === 'done' && id === 1)).toBe(true)
    expect([titleOf(session), runStore(session).getState().run?.trace.engine]).toEqual(['Worked example', 'simulation'])
  })

  test('to listen is answered with the state, and then with its number', async () => {
    const { session, send, take } = inFrame()
    openScenario(session, example)
    take()
    send({ type: 'listen', id: 4 })
    await settled()
    expect(take()).toEqual([
      {
        apportion: 1,
        type: 'ready',
        title: 'Worked example',
        engine: 'simulation',
        playing: false,
        time: 0,
        end: 0,
        status: 'Ready. Press Run.',
        to: BLOG,
      },
      { apportion: 1, type: 'done', id: 4, to: BLOG },
    ])
    send({ type: 'pause', id: 5 })
    await settled()
    expect(take().map(({ type }) => type)).toEqual(['done'])
  })

  test('that is refused is answered with its problems alone', async () => {
    const { session, send, take } = inFrame()
    take()
    send({ type: 'fly', id: 7 })
    send({ type: 'load', id: 8, scenario: '#s=1abcdeK0zS' })
    send({ type: 'load', scenario: 'no-such-example' })
    send({ type: 'seek', id: 9, time: 5 })
    await settled()
    const answers = take().sort((a, b) => String(a.id).localeCompare(String(b.id)))
    expect(answers.map(({ type, id }) => [type, id])).toEqual([
      ['problem', 7],
      ['problem', 8],
      ['problem', 9],
      ['problem', null],
    ])
    expect(answers[2]).toMatchObject({
      problems: [{ path: 'time', message: expect.stringContaining('there is no run yet') }],
    })
    expect(runStore(session).getState().run).toBeNull()
  })

  test('to load opens a scenario, and runs it only if asked to', async () => {
    const { session, send, take } = inFrame()
    send({ type: 'load', id: 1, scenario: jsonLink(workedExample) })
    await settled()
    expect([titleOf(session), runStore(session).getState().run, threads.startedCount()]).toEqual([
      'Worked example',
      null,
      0,
    ])
    expect(take().at(-1)).toMatchObject({ type: 'done', id: 1 })
  })

  test('to seek waits until a simulation has ended, whose length is not known before', async () => {
    const { session, send, take } = inFrame()
    const run = createRun(trace)
    runStore(session).setState({ phase: 'running', run })
    take()
    send({ type: 'seek', id: 1, time: 1_500_000 })
    await settled()
    expect(take()).toEqual([])
    runStore(session).setState({ phase: 'ended' })
    await settled()
    expect(take()).toEqual([{ apportion: 1, type: 'done', id: 1, to: BLOG }])
    expect(playback(session)).toMatchObject({ time: 1_500_000, playing: false })
  })

  test('to play resumes, begins again at the end, and leaves alone what plays', async () => {
    const { session, send, types } = inFrame()
    await showRecord(session, trace, 'x')
    movePlayback(session, { time: 1_000_000 })
    types()
    const play = async () => {
      send({ type: 'play', id: 1 })
      await settled()
      return [playback(session).time, playback(session).playing, types()]
    }
    expect(await play()).toEqual([1_000_000, true, ['playing', 'done']])
    expect(await play()).toEqual([1_000_000, true, ['done']])
    movePlayback(session, { time: END, playing: false })
    types()
    expect(await play()).toEqual([0, true, ['playing', 'done']])
  })

  test('to play never runs code of stages on workers, which waits for a press', async () => {
    const { session, send, take } = inFrame()
    const coded = scenarioWith({ ...workedExample, stages: [{ id: 'A', work: { code: 'return input' } }] })
    openScenario(session, coded, 'threads')
    take()
    send({ type: 'play', id: 1 })
    await settled()
    expect(take()).toMatchObject([
      {
        type: 'problem',
        id: 1,
        problems: [{ path: 'type', message: expect.stringContaining('until a person presses Run') }],
      },
    ])
    expect([runStore(session).getState().run, threads.startedCount()]).toEqual([null, 0])
  })
})

describe('the page around is told', () => {
  test('where the playhead is, with each decision that it comes to and its seats by name', async () => {
    const { show, take } = await withRun()
    show(0)
    vi.advanceTimersByTime(0)
    expect(take()).toMatchObject([
      { apportion: 1, type: 'time', time: 0, end: END, to: BLOG },
      {
        type: 'decision',
        decision: 1,
        time: 0,
        seats: { 'Stage A': expect.any(Number), 'Stage B': expect.any(Number) },
        to: BLOG,
      },
    ])
    show(400_000)
    vi.advanceTimersByTime(100)
    expect(take()).toMatchObject([{ type: 'time', time: 400_000 }])
    show(1_250_000)
    vi.advanceTimersByTime(100)
    expect(take()).toMatchObject([
      { type: 'time', time: 1_250_000, end: END },
      { type: 'decision', decision: 2, time: 1_000_000 },
    ])
    // Back is a decision too.
    show(400_000)
    vi.advanceTimersByTime(100)
    expect(take()).toMatchObject([{ type: 'time' }, { type: 'decision', decision: 1, time: 0 }])
  })

  test('of the targets of a decision, not of the workers that are still on their way', async () => {
    const stages = ['Unload', 'Store'].map((name, k) => ({
      id: `s${k}`,
      name,
      service: { kind: 'constant', mean: [2000, 1000][k] },
    }))
    const played = await playSimulation(
      scenarioWith({ source: { kind: 'batch', jobs: 8 }, stages, workers: 4, switchCost: 500 }),
      0,
    )
    const { session, show, take } = await withRun()
    runStore(session).setState({ run: createRun(played) })
    const apart: unknown[] = []
    for (let time = 0; time <= endOf(played); time += 250) {
      show(time)
      vi.advanceTimersByTime(100)
      const [told] = take().filter(({ type }) => type === 'decision')
      const { stages } = frameAt(played, time)
      if (told === undefined) continue
      expect(told.seats).toEqual({ Unload: stages[0].seats, Store: stages[1].seats })
      if (stages.some(({ seats, staffed }) => seats !== staffed)) apart.push(time)
    }
    expect(apart.length).toBeGreaterThan(0)
  })

  test('at most ten times a second, and then the latest', async () => {
    const { show, take } = await withRun()
    const told: number[] = []
    for (let ms = 0; ms < 1000; ms += 10) {
      show(ms * 100 + 7)
      vi.advanceTimersByTime(10)
      told.push(...take().flatMap(({ type, time }) => (type === 'time' ? [Number(time)] : [])))
    }
    expect(told.length).toBeGreaterThanOrEqual(9)
    expect(told.length).toBeLessThanOrEqual(11)
    vi.advanceTimersByTime(100)
    told.push(...take().flatMap(({ type, time }) => (type === 'time' ? [Number(time)] : [])))
    expect(told.at(-1)).toBe(99_007)
  })

  test.each([
    ['paused', 'ended', END - 1],
    ['ended', 'ended', END],
    ['paused', 'running', END],
  ] as const)(
    'once that playback begins, and is %s when the run is %s and it stops at %d',
    async (type, phase, time) => {
      const { session, take } = await withRun()
      movePlayback(session, { playing: true })
      runStore(session).setState({ phase, status: () => 'words' })
      movePlayback(session, { playing: true, time })
      expect(take()).toMatchObject([{ type: 'playing', playing: true, to: BLOG }])
      movePlayback(session, { playing: false })
      expect(take()).toMatchObject([
        { type, playing: false, time, end: END, title: 'Worked example', engine: 'simulation', status: 'words' },
      ])
    },
  )
})
