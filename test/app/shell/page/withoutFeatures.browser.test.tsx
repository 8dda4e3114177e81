import { createRoot } from 'react-dom/client'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { PipelineCanvas } from '../../../../src/app/draw/canvas/PipelineCanvas.tsx'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { SessionProvider } from '../../../../src/app/session/scenario/SessionProvider.tsx'
import { storedDraft } from '../../../../src/app/session/scenario/savedCanvas.ts'
import { edit, open } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession } from '../../../../src/app/session/session.ts'
import { App } from '../../../../src/app/shell/page/App.tsx'
import { setWorkers } from '../../../../src/scenario/edit/edits.ts'
import { valid } from '../../../fixtures/anyScenario.ts'
import { workedExample } from '../../../measures/scenarios.ts'

const ordered = valid({ ...workedExample, order: { kind: 'buffer', slots: 8 } })

test('the page without features starts, runs and saves, and names what it does not show', async () => {
  const session = createSession()
  open(session, ordered)
  const host = document.createElement('div')
  host.id = 'root'
  document.body.append(host)
  const root = createRoot(host)
  root.render(
    <SessionProvider session={session}>
      <App problems={[]} Canvas={PipelineCanvas} />
    </SessionProvider>,
  )
  await expect.element(page.getByText(/without the feature “order”/i)).toBeVisible()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect.poll(() => runStore(session).getState().run?.trace.ending).toBe('drained')
  edit(session, (scenario) => setWorkers(scenario, 5))
  await expect.poll(storedDraft).toMatchObject({ scenario: { workers: 5, order: { kind: 'buffer' } } })
  root.unmount()
  host.remove()
  // Tests of other files share the storage.
  localStorage.clear()
  sessionStorage.clear()
})
