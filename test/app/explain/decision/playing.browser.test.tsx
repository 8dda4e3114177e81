import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { keepFold } from '../../../../src/app/base/browser/browserStorage.ts'
import { DecisionPanel } from '../../../../src/app/explain/decision/DecisionPanel.tsx'
import { installFeatures } from '../../../../src/app/session/features/features.tsx'
import { onScene, paint } from '../../../../src/app/session/page/painter.ts'
import { seek, togglePlaying } from '../../../../src/app/session/page/playhead.ts'
import { openScenario } from '../../../../src/app/session/run/opening.ts'
import { playback } from '../../../../src/app/session/run/playback.ts'
import { runWhen } from '../../../../src/app/session/run/runStore.ts'
import { start } from '../../../../src/app/session/run/startStop.ts'
import { SessionProvider } from '../../../../src/app/session/scenario/SessionProvider.tsx'
import { createSession } from '../../../../src/app/session/session.ts'
import { replayFeature } from '../../../../src/features/replay/feature.ts'
import type { Frame } from '../../../../src/measures/frame/frame.ts'
import { movesLine } from '../../../../src/measures/workers/workerWords.ts'
import { defaultPreset } from '../../../../src/scenario/presets/preset.ts'
import { decisionIndexAt } from '../../../../src/trace/follow.ts'
import { count } from '../../../../src/views/drawing/format.ts'

/** The panel beside a run of the default scenario that has ended, paused. */
async function renderedPanel() {
  const session = createSession()
  installFeatures(session, [replayFeature])
  openScenario(session, defaultPreset.scenario)
  void start(session)
  const { run } = await runWhen(session, ({ phase }) => phase === 'ended')
  if (run === null) return expect.fail('no run')
  const host = document.body.appendChild(document.createElement('div'))
  const root = createRoot(host)
  root.render(
    <SessionProvider session={session}>
      <DecisionPanel />
    </SessionProvider>,
  )
  onTestFinished(() => {
    root.unmount()
    host.remove()
  })
  return { session, run, host }
}

test('a decision shows its sentence, what the scheduler saw, and what would have changed it; three folds have the details', async () => {
  for (const id of ['flips', 'more', 'rounds', 'whyNot']) keepFold(id, false)
  const { session, host } = await renderedPanel()
  seek(session, 500_000)
  const tables = () => {
    paint(session, 0, 0)
    return host.querySelectorAll('table').length
  }
  await expect.poll(tables).toBe(1)
  const heads = () => [...host.querySelectorAll('h3')].map((head) => head.firstChild?.textContent?.trim())
  expect(heads()).toEqual([
    'What the scheduler saw',
    'What would have changed it',
    'How the seats were given',
    'Why not?',
    'More about this decision',
  ])
  await page.getByText('More about this decision').click()
  await expect
    .poll(heads)
    .toEqual(
      expect.arrayContaining([
        'Ballot',
        'Other policies on these votes',
        'Service time: estimated and actual',
        'Replay',
      ]),
    )
  await page.getByText('More about this decision').click()
  await page.getByText('Lower and higher targets, by stage').click()
  await expect.poll(() => host.querySelectorAll('table.flips').length).toBe(1)
  await page.getByText('Lower and higher targets, by stage').click()
})

test('during playback the decision is one line about the present instant; a pause shows the whole decision', async () => {
  const { session, run, host } = await renderedPanel()
  let shown: Frame | null = null
  onScene(session, (scene) => {
    shown = scene?.frame ?? null
  })
  const panel = page.getByRole('article', { name: 'Decision' })
  let now = 0
  const frame = (ms: number) => {
    now += ms
    paint(session, ms, now)
  }
  seek(session, 1_000_000)
  frame(0)
  togglePlaying(session)
  frame(500)
  const line = () => host.querySelector('.sentence')?.textContent
  const drawn = () => {
    frame(17)
    return line()
  }
  await expect.poll(drawn).toMatch(/in the last second/)
  for (let k = 0; k < 20; k++) {
    frame(37)
    if (shown === null) return expect.fail('nothing is drawn')
    expect(line()).toBe(movesLine(run.chart, shown))
  }
  expect(host.querySelectorAll('table')).toHaveLength(0)
  togglePlaying(session)
  await expect
    .element(panel.getByRole('heading', { level: 2 }).first())
    .toHaveTextContent(`Decision ${count(decisionIndexAt(run.trace, playback(session).time) + 1)}`)
})
