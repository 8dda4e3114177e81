import { afterEach, expect, test, vi } from 'vitest'
import { showProblems } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { listenToEmbedder } from '../../../../src/app/shell/embed/embedder.ts'
import { madeUpAddress } from '../../../fixtures/madeUpAddress.ts'
import { pageSession } from '../../../fixtures/pageSession.ts'

const BLOG = 'https://blog.example'

/** The page in a frame of that origin, and a way to send it what any window may send. */
function inFrame() {
  const heard: (Record<string, unknown> & { readonly to: string })[] = []
  const parent = { postMessage: (message: Record<string, unknown>, to: string) => heard.push({ ...message, to }) }
  const listeners = new Set<(event: object) => void>()
  vi.stubGlobal('window', {})
  vi.stubGlobal('parent', parent)
  vi.stubGlobal('location', {})
  vi.stubGlobal('document', { referrer: '' })
  vi.stubGlobal('requestAnimationFrame', setTimeout)
  vi.stubGlobal('addEventListener', (_: string, hear: (event: object) => void) => listeners.add(hear))
  vi.stubGlobal('removeEventListener', (_: string, hear: (event: object) => void) => listeners.delete(hear))
  const session = pageSession(madeUpAddress(`?embed&origin=${BLOG}`))
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const end = listenToEmbedder(session)
  const send = (data: unknown, source: unknown = parent, origin = BLOG) => {
    for (const hear of listeners) hear({ source, origin, data })
  }
  return { session, heard, send, warn, end, listeners }
}

const turn = () => new Promise((resolve) => setTimeout(resolve))

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('obeys the page around, by its window and its origin, and answers it alone', async () => {
  const { heard, send, warn } = inFrame()
  expect(heard.map(({ type, to }) => [type, to])).toEqual([['ready', BLOG]])
  send({ apportion: 1, type: 'pause', id: 1 })
  await turn()
  send({ apportion: 1, type: 'pause', id: 2 }, undefined, 'https://evil.example')
  send({ apportion: 1, type: 'pause', id: 3 }, {})
  send({ type: 'pause', id: 4 })
  send(Object.create({ apportion: 1, type: 'pause', id: 5 }))
  await turn()
  expect(heard.slice(1)).toEqual([{ apportion: 1, type: 'done', id: 1, to: BLOG }])
  expect(warn.mock.calls).toEqual([
    ['Apportion hears https://blog.example alone; a message from https://evil.example was refused.'],
  ])
})

test('tells at most six problems, each with at most 500 characters of words', () => {
  const { session, heard } = inFrame()
  showProblems(
    session,
    Array.from({ length: 9 }, (_, k) => ({ path: `${k}`.repeat(600), message: 'x'.repeat(600) })),
  )
  const problems = heard[1].problems as { readonly path: string; readonly message: string }[]
  expect(problems.map(({ path, message }) => [path[0], path.length, message.length])).toEqual(
    Array.from({ length: 6 }, (_, k) => [`${k}`, 500, 500]),
  )
})

test('hears and tells nothing more once it has stopped', () => {
  const { session, heard, end, listeners } = inFrame()
  end()
  showProblems(session, [{ path: '', message: 'late' }])
  expect([heard.length, listeners.size]).toEqual([1, 0])
})
