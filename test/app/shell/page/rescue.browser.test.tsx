import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { useStore } from 'zustand'
import { ErrorBoundary } from '../../../../src/app/base/page/lazyPart.tsx'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { start } from '../../../../src/app/session/run/startStop.ts'
import { SessionProvider } from '../../../../src/app/session/scenario/SessionProvider.tsx'
import { open } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession } from '../../../../src/app/session/session.ts'
import { Rescue } from '../../../../src/app/shell/page/mount.tsx'
import { workedExample } from '../../../measures/scenarios.ts'

const session = createSession()

/** A page that a run breaks. */
function Breaks() {
  const run = useStore(runStore(session), (state) => state.run)
  if (run !== null) throw new Error('nothing fits')
  return <p>The page</p>
}

test('a page that breaks offers its contents for download, and works again once the cause is gone', async () => {
  const host = document.createElement('div')
  document.body.append(host)
  const root = createRoot(host)
  open(session, workedExample)
  root.render(
    <SessionProvider session={session}>
      <ErrorBoundary rescue={<Rescue />}>
        <Breaks />
      </ErrorBoundary>
    </SessionProvider>,
  )
  await expect.element(page.getByText('The page')).toBeVisible()
  const saved: { name: string; blob: Blob }[] = []
  const blobs: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${blobs.push(blob as Blob)}`)
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, blob: blobs[blobs.length - 1] })
  })

  await start(session)
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('This part of the page cannot be shown: nothing fits. Nothing is lost.')
  await page.getByRole('button', { name: 'Download scenario' }).click()
  await expect.poll(() => saved.length, { timeout: 60_000 }).toBe(1)
  await expect.poll(() => runStore(session).getState().run?.trace.ending, { timeout: 60_000 }).toBe('drained')
  await page.getByRole('button', { name: 'Download trace' }).click()
  await expect.poll(() => saved.length, { timeout: 60_000 }).toBe(2)
  expect(saved.map(({ name }) => name)).toEqual(['worked-example.scenario.json', 'worked-example.trace.json'])
  expect(JSON.parse(await saved[0].blob.text())).toMatchObject({ workers: 2 })
  expect(JSON.parse(await saved[1].blob.text())).toMatchObject({ format: 'apportion-trace', ending: 'drained' })

  runStore(session).setState({ run: null })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('The page')).toBeVisible()
  root.unmount()
  host.remove()
  vi.restoreAllMocks()
})
