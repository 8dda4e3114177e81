import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { noAddress } from '../../../../src/app/session/address.ts'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { SessionProvider } from '../../../../src/app/session/scenario/SessionProvider.tsx'
import { open, scenarioStore } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { EmbedPage } from '../../../../src/app/shell/embed/EmbedPage.tsx'
import { defaultPreset } from '../../../../src/scenario/presets/preset.ts'
import { jsonLink, scenarioWith, workedExample } from '../../../fixtures/scenarios.ts'

const ends: (() => void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) end()
  await page.viewport(1280, 720)
})

/** The page in a frame at this address. `before` is called before it is shown. */
function openAt(query: string, before: (session: Session) => void = () => {}) {
  const session = createSession({ ...noAddress, read: () => new URL(`http://localhost/${query}`) })
  before(session)
  const host = document.body.appendChild(document.createElement('div'))
  const root = createRoot(host)
  flushSync(() =>
    root.render(
      <SessionProvider session={session}>
        <EmbedPage problems={[]} />
      </SessionProvider>,
    ),
  )
  let over = false
  const end = () => {
    if (!over) root.unmount()
    over = true
    host.remove()
  }
  ends.push(end)
  return { session, host, end, titleOf: () => scenarioStore(session).getState().scenario.title }
}
const problemsOf = (session: Session) => {
  const { problems, inPart } = scenarioStore(session).getState()
  return { paths: problems.map(({ path }) => path), inPart }
}

test('a frame opens the scenario in its fragment, else the example that it names, else that of a first visit, and runs none of them by itself', async () => {
  for (const [query, title] of [
    [`?embed&scenario=bursts${jsonLink(workedExample)}`, 'Worked example'],
    ['?embed&scenario=bursts', 'Bursts'],
    ['?embed&scenario=', defaultPreset.scenario.title],
    ['?embed', defaultPreset.scenario.title],
  ] as const) {
    const { session, titleOf, host } = openAt(query)
    await expect.poll(titleOf).toBe(title)
    await expect.poll(() => host.querySelector('h1')?.textContent).toBe(title)
    expect([runStore(session).getState().phase, problemsOf(session).paths]).toEqual(['idle', []])
  }
})

test('a frame runs what it opens on the engine of its address', async () => {
  for (const query of ['?embed&run=simulation', `?embed&run=simulation${jsonLink(workedExample)}`]) {
    const { session } = openAt(query, (session) => {
      open(session, scenarioWith(workedExample))
      runStore(session).setState({ engine: 'threads', chosenEngine: 'threads' })
    })
    await expect.poll(() => runStore(session).getState().phase, { timeout: 60_000 }).toBe('ended')
    expect(runStore(session).getState().run?.trace.engine).toBe('simulation')
  }
})

test('a frame reports what is wrong in its address: a scenario that cannot be opened changes nothing, another value only itself', async () => {
  const part = openAt('?embed&scenario=bursts&run=fast')
  await expect.poll(() => problemsOf(part.session)).toEqual({ paths: ['run'], inPart: true })
  expect(part.titleOf()).toBe('Bursts')
  const none = openAt('?embed&scenario=no-such-example&run=fast')
  await expect.poll(() => problemsOf(none.session)).toEqual({ paths: ['scenario', 'run'], inPart: false })
  expect(none.titleOf()).toBe(defaultPreset.scenario.title)
})

test('a frame has a timeline from 620 pixels of height on', async () => {
  await page.viewport(800, 620)
  const { host } = openAt('?embed')
  await expect.poll(() => host.querySelector('.timeline-desk')).not.toBeNull()
  await page.viewport(800, 619)
  await expect.poll(() => host.querySelector('.timeline-desk')).toBeNull()
})
