import { frontPreset } from '../../../scenario/presets/preset.ts'
import { endOf } from '../../../trace/trace.ts'
import { endAll } from '../../base/browser/frames.ts'
import { featureLayers, followLayers } from '../../session/features/features.tsx'
import { repaint } from '../../session/page/painter.ts'
import { seek } from '../../session/page/playhead.ts'
import { setFront, showingStore } from '../../session/page/showing.ts'
import { openScenario } from '../../session/run/opening.ts'
import { playback } from '../../session/run/playback.ts'
import { chooseSpeed, movePlayback, runStore } from '../../session/run/runStore.ts'
import { restoreDraft, scenarioStore } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'

/** Opens the front page above the page, and its scenario in both. Undo cannot go back before it. */
export function openFront(session: Session): void {
  restoreDraft(session, { scenario: frontPreset.scenario, draftProblems: [] })
  setFront(session, true)
}

/** Puts the scenario of the front page back when Back leads there. Undo restores the canvas before. */
export function restoreFront(session: Session): void {
  const { draft, scenario } = scenarioStore(session).getState()
  const { run, engine } = runStore(session).getState()
  if (draft === frontPreset.scenario && engine === 'simulation' && (run === null || run.scenario === scenario)) return
  openScenario(session, frontPreset.scenario, 'simulation')
}

/** Closes the front page. Its run stays on the page below, at an instant when workers have moved. */
export function closeFront(session: Session): void {
  if (!showingStore(session).getState().front) return
  setFront(session, false)
  const { run, speedChoice } = runStore(session).getState()
  if (run === null) return
  movePlayback(session, { reach: 0 })
  chooseSpeed(session, speedChoice)
  // The other lane ends later, and the end of this one says little.
  const end = endOf(run.trace)
  if (playback(session).time >= end) seek(session, end / 2)
  repaint(session)
}

/** Closes the front page as soon as the page below it is used. Returns a function that stops this. */
export function closeWhenLeft(session: Session): () => void {
  const layers = [...featureLayers(session, 'beside'), ...featureLayers(session, 'page')]
  const { opened } = scenarioStore(session).getState()
  const check = () => {
    const now = scenarioStore(session).getState()
    const isLeft =
      now.draft !== frontPreset.scenario ||
      now.opened !== opened ||
      runStore(session).getState().engine !== 'simulation' ||
      layers.some(({ isOpen }) => isOpen(session))
    if (isLeft) closeFront(session)
  }
  check()
  return endAll([
    scenarioStore(session).subscribe(check),
    runStore(session).subscribe(check),
    followLayers(session, layers, check),
  ])
}
