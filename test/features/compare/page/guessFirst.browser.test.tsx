import { createRoot } from 'react-dom/client'
import { expect, test } from 'vitest'
import { noAddress } from '../../../../src/app/session/address.ts'
import { FeaturePanels, installFeatures } from '../../../../src/app/session/features/features.tsx'
import { onScene, paint } from '../../../../src/app/session/page/painter.ts'
import { showRun } from '../../../../src/app/session/run/opening.ts'
import { createRun, movePlayback } from '../../../../src/app/session/run/runStore.ts'
import { SessionProvider } from '../../../../src/app/session/scenario/SessionProvider.tsx'
import { open } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession } from '../../../../src/app/session/session.ts'
import { compareFeature } from '../../../../src/features/compare/feature.ts'
import { makespanOf } from '../../../../src/measures/figures/totals.ts'
import { playTrial } from '../../../../src/runs/play/play.ts'
import { playCompared } from '../../../../src/runs/study/compare.ts'
import { setPolicy } from '../../../../src/scenario/edit/edits.ts'
import { frontPreset } from '../../../../src/scenario/presets/preset.ts'
import { duration } from '../../../../src/views/drawing/format.ts'

const { scenario } = frontPreset

/** Returns the page of an address with the panel above the decisions. */
function openAt(address: string) {
  const session = createSession({ ...noAddress, read: () => new URL(address) })
  installFeatures(session, [compareFeature])
  open(session, scenario)
  const host = document.createElement('div')
  document.body.append(host)
  createRoot(host).render(
    <SessionProvider session={session}>
      <FeaturePanels place="aboveDecision" of={{}} />
    </SessionProvider>,
  )
  return { session, host }
}

test('a link with ?guess asks before the first run, and shows the guess beside the result after it; another link does not ask', async () => {
  const { session, host } = openAt('http://localhost/?guess#s=x')
  const silent = openAt('http://localhost/#s=x')
  const fixed = (await playCompared(setPolicy(scenario, 'fixed'), false)).metrics.makespan
  await expect.poll(() => host.textContent, { timeout: 20_000 }).toContain(`With “Fixed” it takes ${duration(fixed)}.`)
  const slider = host.querySelector('input') ?? expect.fail('there is no slider')
  slider.focus()
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(slider, '40')
  slider.dispatchEvent(new Event('input', { bubbles: true }))
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe(duration(0.4 * fixed))
  const run = createRun(await playTrial(scenario, {}))
  const truth = makespanOf(run.trace)
  await showRun(session, run, truth - 1)
  const ends: number[] = []
  onScene(session, (scene) => ends.push(scene?.end ?? 0))
  paint(session, 0)
  expect(ends.at(-1)).toBe(truth - 1)
  expect(host.textContent).not.toContain(duration(truth))
  movePlayback(session, { time: truth })
  paint(session, 0)
  expect(ends.at(-1)).toBe(truth)
  await expect
    .poll(() => host.querySelector('label')?.textContent)
    .toBe(`You guessed ${duration(0.4 * fixed)}. It took ${duration(truth)}.`)
  expect(slider.disabled).toBe(true)
  expect(parseFloat(host.querySelector<HTMLElement>('.guess-bar span')?.style.width ?? '')).toBeCloseTo(
    (100 * truth) / fixed,
    3,
  )
  expect(silent.host.textContent).toBe('')
})
