import type { DragEvent, ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Session } from '../../../../src/app/session/session.ts'
import { SessionContext } from '../../../../src/app/session/useSession.ts'
import { DropTarget } from '../../../../src/app/share/files/DropTarget.tsx'
import { pageSession } from '../../../fixtures/pageSession.ts'
import { workedExample } from '../../../fixtures/scenarios.ts'
import { threadsHere } from '../../../fixtures/threadsHere.ts'
import { messagesOf, titleOf } from '../../pages.ts'

type Handlers = Record<'onDragOver' | 'onDragLeave' | 'onDrop', (event: DragEvent) => void>

/** The page as a place to drop files, and what it does on events. */
function target(session: Session): Handlers {
  let handlers: Handlers | null = null
  expect(shownAfter(session, [(given) => (handlers = given)])).toBe('<div class="page">page</div>')
  return handlers ?? expect.fail('nothing was rendered')
}

/** Returns what the page shows after some steps, each of which gets its handlers. They are taken while it is rendered, which renders it again. */
function shownAfter(session: Session, steps: readonly ((handlers: Handlers) => void)[]): string {
  const left = [...steps]
  function Probe() {
    const element = DropTarget({ children: 'page' }) as ReactElement<Handlers>
    left.shift()?.(element.props)
    return element
  }
  return renderToStaticMarkup(
    <SessionContext value={session}>
      <Probe />
    </SessionContext>,
  )
}

function drop(files: readonly File[]) {
  const preventDefault = vi.fn()
  return {
    preventDefault,
    event: {
      preventDefault,
      dataTransfer: { files, types: files.length > 0 ? ['Files'] : ['text/plain'] },
    } as unknown as DragEvent,
  }
}
const scenario = (title: string) => new File([JSON.stringify({ ...workedExample, title })], `${title}.json`)

beforeEach(() => {
  threadsHere()
})
afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the whole page', () => {
  test('takes one file that is dropped, and the browser does not open it', async () => {
    const session = pageSession()
    const { event, preventDefault } = drop([scenario('Dropped')])
    target(session).onDrop(event)
    expect(preventDefault).toHaveBeenCalledOnce()
    await expect.poll(() => titleOf(session)).toBe('Dropped')
  })

  test('takes none of several, and says how many there were', async () => {
    const session = pageSession()
    const before = titleOf(session)
    const { event, preventDefault } = drop(['A', 'B', 'C'].map(scenario))
    target(session).onDrop(event)
    await vi.dynamicImportSettled()
    expect(preventDefault).toHaveBeenCalledOnce()
    expect([titleOf(session), messagesOf(session)]).toEqual([before, ': 3 files were dropped; allowed: one at a time.'])
  })

  test('leaves text that is dragged to the field below it', () => {
    const session = pageSession()
    const { onDrop, onDragOver } = target(session)
    const { event, preventDefault } = drop([])
    onDragOver(event)
    onDrop(event)
    expect([preventDefault.mock.calls, messagesOf(session)]).toEqual([[], ''])
  })

  test('lets files be dropped while they are over it', () => {
    const { event, preventDefault } = drop([scenario('A')])
    target(pageSession()).onDragOver(event)
    expect(preventDefault).toHaveBeenCalledOnce()
  })

  test('takes the file that was dropped, though the browser forgets its list once the event is over', async () => {
    const session = pageSession()
    const files = [scenario('Kept')]
    target(session).onDrop(drop(files).event)
    files.length = 0
    await expect.poll(() => titleOf(session)).toBe('Kept')
  })

  test('refuses two files as it refuses three', async () => {
    const session = pageSession()
    target(session).onDrop(drop(['A', 'B'].map(scenario)).event)
    await vi.dynamicImportSettled()
    expect(messagesOf(session)).toBe(': 2 files were dropped; allowed: one at a time.')
  })
})

describe('the note that a file may be dropped', () => {
  const NOTE =
    '<div class="page over">page<div class="drop-note">Drop a scenario, a trace, a log, or a text file of JSON lines</div></div>'
  const PLAIN = '<div class="page">page</div>'
  const over = (...types: readonly string[]) =>
    ({ preventDefault() {}, dataTransfer: { types } }) as unknown as DragEvent
  const enter = ({ onDragOver }: Handlers) => onDragOver(over('text/uri-list', 'Files'))
  /** The pointer goes on to another element, which is inside the page or not. */
  const leave =
    (inside: boolean) =>
    ({ onDragLeave }: Handlers) =>
      onDragLeave({
        relatedTarget: 'other',
        currentTarget: { contains: (other: unknown) => inside && other === 'other' },
      } as unknown as DragEvent)
  const dropped =
    (files: readonly File[]) =>
    ({ onDrop }: Handlers) =>
      onDrop(drop(files).event)

  test.each<[string, readonly ((handlers: Handlers) => void)[], string]>([
    ['is there while files are over the page', [enter], NOTE],
    ['stays while they move over it', [enter, enter], NOTE],
    ['is not there for text', [({ onDragOver }) => onDragOver(over('text/plain', 'text/html'))], PLAIN],
    ['stays when they move to an element of the page', [enter, leave(true)], NOTE],
    ['goes when they leave the page', [enter, leave(false)], PLAIN],
    ['goes when they are dropped', [enter, dropped([scenario('A')])], PLAIN],
    ['goes when too many are dropped', [enter, dropped([scenario('A'), scenario('B')])], PLAIN],
    ['goes when what is dropped is no file', [enter, dropped([])], PLAIN],
  ])('%s', (_, steps, html) => {
    expect(shownAfter(pageSession(), steps)).toBe(html)
  })
})
