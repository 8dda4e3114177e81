import { createRoot } from 'react-dom/client'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { traceFileStore } from '../../../../src/app/session/page/showing.ts'
import { SessionProvider } from '../../../../src/app/session/scenario/SessionProvider.tsx'
import { createSession } from '../../../../src/app/session/session.ts'
import { TraceDialog } from '../../../../src/app/share/files/TraceDialog.tsx'

test('the dialog of a large trace opens over the page for each file, and Escape gives the file up', async () => {
  const session = createSession()
  const host = document.body.appendChild(document.createElement('div'))
  const root = createRoot(host)
  root.render(
    <SessionProvider session={session}>
      <TraceDialog />
    </SessionProvider>,
  )
  for (const name of ['first.json', 'second.json']) {
    traceFileStore(session).setState({ file: new File([new Uint8Array(2_000_000)], name) })
    await expect.element(page.getByRole('dialog', { name: 'Opening a trace of 2 MB' })).toBeVisible()
    expect([host.querySelector('dialog:modal')?.querySelector('strong')?.textContent]).toEqual([name])
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => traceFileStore(session).getState().file).toBeNull()
    await expect.poll(() => host.querySelector('dialog')).toBeNull()
  }
  root.unmount()
  host.remove()
})
