import { useState } from 'react'
import { useStore } from 'zustand'
import { WORDS } from '../../../app/base/browser/frames.ts'
import { Fold } from '../../../app/base/controls/Fold.tsx'
import { currentPalette } from '../../../app/base/page/theme.ts'
import { useDrawing } from '../../../app/base/ui/useDrawing.ts'
import { onScene, type Scene } from '../../../app/session/page/painter.ts'
import { useInLesson } from '../../../app/session/page/showing.ts'
import { runStore } from '../../../app/session/run/runStore.ts'
import { scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { mountSpread } from '../draw/spreadDrawing.ts'
import { contentionSentence, orderWords, spreadSceneAt, spreadSceneBefore, spreadWords } from './spreadScene.ts'
import './spread.css'

/** How jobs that come in groups are spread, in the run on the page or else in the scenario. Nothing if jobs do not come in groups. */
export function SpreadPanel() {
  const session = useSession()
  const scenario = useStore(scenarioStore(session), (state) => state.scenario)
  const run = useStore(runStore(session), (state) => state.run)
  const inLesson = useInLesson()
  const shown = run !== null && run.scenario.source.kind === 'groups' ? run.scenario : scenario
  if (shown.source.kind !== 'groups') return null
  return (
    <article className="panel-fold spread" aria-label={t('Spread')}>
      <Fold id="spread" head={<h3>{t('Spread')}</h3>} note={orderWords(shown.source)} opens={inLesson}>
        <Picture scenario={shown} />
      </Fold>
    </article>
  )
}

function Picture({ scenario }: { readonly scenario: Scenario }) {
  const session = useSession()
  const [sentence, setSentence] = useState('')
  const host = useDrawing(
    mountSpread,
    (drawing) => {
      const sceneOf = (painted: Scene | null) =>
        painted !== null && painted.run.scenario === scenario ? spreadSceneAt(session, painted.run, painted.frame) : spreadSceneBefore(scenario)
      const ends = [
        onScene(session, (painted) => {
          const scene = sceneOf(painted)
          if (scene !== null) drawing.update({ palette: currentPalette(), scene, description: spreadWords(scene) })
        }),
        onScene(
          session,
          (painted) => {
            const scene = sceneOf(painted)
            if (scene !== null) setSentence(contentionSentence(scenario, scene.held))
          },
          WORDS,
        ),
      ]
      return () => {
        for (const end of ends) end()
      }
    },
    [scenario, session],
  )
  return (
    <>
      <div ref={host} />
      <p className="spread-said soft">{sentence}</p>
    </>
  )
}
