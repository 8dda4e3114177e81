import { createRoot } from 'react-dom/client'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { PipelineCanvas } from '../../../../src/app/draw/canvas/PipelineCanvas.tsx'
import { installFeatures } from '../../../../src/app/session/features/features.tsx'
import { openLesson } from '../../../../src/app/session/page/showing.ts'
import { SessionProvider } from '../../../../src/app/session/scenario/SessionProvider.tsx'
import { createSession } from '../../../../src/app/session/session.ts'
import { App } from '../../../../src/app/shell/page/App.tsx'
import { openBeat } from '../../../../src/features/game/beatStore.ts'
import { gameFeature } from '../../../../src/features/game/feature.ts'
import { lessonsFeature } from '../../../../src/features/lessons/feature.ts'
import { publishFeature } from '../../../../src/features/publish/feature.ts'
import { publishingCommands } from '../../../../src/features/publish/publishing.ts'

test('of the panels beside the pipeline the latest is shown, alone, and those below it keep their place', async () => {
  const session = createSession()
  installFeatures(session, [lessonsFeature, gameFeature, publishFeature])
  const host = document.body.appendChild(document.createElement('div'))
  const root = createRoot(host)
  root.render(
    <SessionProvider session={session}>
      <App problems={[]} Canvas={PipelineCanvas} />
    </SessionProvider>,
  )
  const names = ['Lesson', 'Beat the scheduler', 'Essay']
  const open = {
    Lesson: () => openLesson(session, 'one-core'),
    'Beat the scheduler': () => openBeat(session),
    Essay: () => {
      for (const { name, act } of publishingCommands(session)) if (name === 'essay') act?.()
    },
  }
  const shows = async (name: string) => {
    await expect.element(page.getByRole('region', { name })).toBeVisible()
    for (const other of names.filter((each) => each !== name))
      expect(page.getByRole('region', { name: other }).query()).toBeNull()
  }
  for (const name of [
    'Lesson',
    'Essay',
    'Lesson',
    'Beat the scheduler',
    'Essay',
    'Beat the scheduler',
    'Lesson',
    'Essay',
  ] as const) {
    open[name]()
    await shows(name)
  }
  await page.getByRole('button', { name: 'Close the essay' }).click()
  await shows('Lesson')
  await expect.poll(() => document.activeElement?.textContent).toBe('When one core wins')
  root.unmount()
  host.remove()
  // Tests of other files share the storage.
  localStorage.clear()
  sessionStorage.clear()
})
