import { Children, isValidElement, type ReactElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { traceFileStore } from '../../../../src/app/session/page/showing.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { SessionContext } from '../../../../src/app/session/useSession.ts'
import { openTrace, readOpenFile, traceFileJob } from '../../../../src/app/share/files/openTrace.ts'
import { TraceDialog } from '../../../../src/app/share/files/TraceDialog.tsx'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { writeTraceJson } from '../../../../src/trace/formats/traceJson.ts'
import { scenarioWith, workedExample } from '../../../fixtures/scenarios.ts'
import { threadsHere } from '../../../fixtures/threadsHere.ts'
import { titleOf } from '../../pages.ts'

const text = [...writeTraceJson(await playSimulation(scenarioWith(workedExample), 0))].join('')
const fileOf = (size: number, name = 'run.json') =>
  Object.defineProperty(new File([text], name), 'size', { value: size })

/** What is shown, and the element of the dialog; null: there is no dialog. */
function dialogOf(session: Session) {
  // Without a browser React renders the first state of a store, here the present one.
  for (const store of [traceFileStore(session), traceFileJob(session).store])
    Object.assign(store, { getInitialState: store.getState })
  let root: ReactElement<Props> | null = null
  function Probe() {
    root = TraceDialog()
    return root
  }
  const html = renderToStaticMarkup(
    <SessionContext value={session}>
      <Probe />
    </SessionContext>,
  )
  return { html, root: root as ReactElement<Props> | null }
}

interface Props {
  readonly children?: ReactNode
  readonly text?: string
  readonly label?: string
  readonly onClick?: () => void
  readonly onClose?: () => void
  readonly cancel?: () => void
}

/** Returns the props of all elements inside one. */
function propsIn(node: ReactNode): Props[] {
  return Children.toArray(node).flatMap((each) =>
    isValidElement<Props>(each) ? [each.props, ...propsIn(each.props.children)] : [],
  )
}

const button = (session: Session, name: string) => propsIn(dialogOf(session).root).find(({ text }) => text === name)
const words = (session: Session) =>
  dialogOf(session)
    .html.replace(/<[^>]*>/g, ' ')
    .replace(/ +/g, ' ')
    .trim()

let threads: ReturnType<typeof threadsHere>
beforeEach(() => {
  threads = threadsHere()
})
afterEach(() => {
  vi.unstubAllGlobals()
})

/** A page on which a trace of this size waits for a click. */
async function waiting(size = 60_000_000, name?: string): Promise<Session> {
  const session = createSession()
  await openTrace(session, fileOf(size, name))
  return session
}

describe('the dialog of a trace that is opened', () => {
  test('is not there without a file, nor for one that is open before its size could be read', () => {
    const session = createSession()
    expect(dialogOf(session)).toEqual({ html: '', root: null })
    for (const [size, shown] of [
      [1_999_999, false],
      [2_000_000, true],
      [2_000_001, true],
    ] as const) {
      traceFileStore(session).setState({ file: fileOf(size) })
      expect([size, dialogOf(session).html !== '']).toEqual([size, shown])
    }
  })

  test('tells the size of the file and of the memory that it takes, twice that, and names it safely', async () => {
    const session = await waiting(60_000_000, 'a\u202eb.json')
    expect(words(session)).toBe(
      'Opening a trace of 60 MB a·b.json : reading it takes a while, and up to 120 MB of memory. Open Cancel',
    )
    expect(dialogOf(session).html).toContain(
      'aria-labelledby="trace-title"><div class="dialog-body"><header><h2 id="trace-title">',
    )
  })

  test('opens the trace when the person says so, and then is gone', async () => {
    const session = await waiting()
    button(session, 'Open')?.onClick?.()
    await expect.poll(() => titleOf(session)).toBe('Worked example')
    await expect.poll(() => dialogOf(session).html).toBe('')
  })

  test('shows how much is read, in the place of the question, and a button that cancels it', async () => {
    const session = await waiting()
    const before = titleOf(session)
    const release = threads.hold()
    const reading = readOpenFile(session)
    traceFileJob(session).store.setState({ phase: 'running', progress: 0.4 })
    expect(words(session)).toBe('Opening a trace of 60 MB run.json Cancel')
    expect(dialogOf(session).html).toContain('<progress value="0.4" max="1" aria-label="Reading the trace"></progress>')
    propsIn(dialogOf(session).root)
      .find(({ label }) => label === 'Reading the trace')
      ?.cancel?.()
    release()
    await reading
    expect([titleOf(session), dialogOf(session).html, traceFileStore(session).getState().file]).toEqual([
      before,
      '',
      null,
    ])
  })

  test.each<[string, (session: Session) => void]>([
    ['its button', (session) => button(session, 'Cancel')?.onClick?.()],
    ['Escape', (session) => dialogOf(session).root?.props.onClose?.()],
  ])('is left by %s: the file is given up, and the page stays', async (_, leave) => {
    const session = await waiting()
    const before = titleOf(session)
    leave(session)
    expect([traceFileStore(session).getState().file, dialogOf(session).html]).toEqual([null, ''])
    await readOpenFile(session)
    expect([titleOf(session), threads.startedCount()]).toEqual([before, 0])
  })
})
