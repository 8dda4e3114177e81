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

  test('takes none of several, and says how many it takes', async () => {
    const session = pageSession()
    const before = titleOf(session)
    const { event, preventDefault } = drop(['A', 'B', 'C'].map(scenario))
    target(session).onDrop(event)
    await vi.dynamicImportSettled()
    expect(preventDefault).toHaveBeenCalledOnce()
    expect([titleOf(session), messagesOf(session)]).toEqual([before, ': Drop one file at a time.'])
  })

  test('leaves text that is dragged to the field below it', () => {
    const session = pageSession()
    const { onDrop, onDragOver } = target(session)
    const { event, preventDefault } = drop([])
    onDragOver(event)
    onDrop(event)
    expect([preventDefault.mock.calls, messagesOf(session)]).toEqual([[], ''])
  })
})
