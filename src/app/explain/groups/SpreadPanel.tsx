import { useState } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { mountSpread } from '../../../views/groups/spreadDrawing.ts'
import { currentPalette } from '../../base/page/theme.ts'
import { useDrawing } from '../../base/ui/useDrawing.ts'
import { onScene } from '../../session/run/painter.ts'
import { playback } from '../../session/run/playback.ts'
import { runStore } from '../../session/run/runStore.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import { contentionSentence, orderWords, spreadSceneAt, spreadSceneBefore, spreadWords } from './spreadScene.ts'
import './spread.css'

/** The sentence changes at most so often while a run plays: nobody reads faster. */
const EVERY_MS = 140

/** How jobs that come in groups are spread, in the run on the page or else in the scenario. Nothing if jobs do not come in groups. */
export function SpreadPanel() {
  const session = useSession()
  const scenario = useStore(scenarioStore(session), (state) => state.scenario)
  const run = useStore(runStore(session), (state) => state.run)
  const shown = run !== null && run.scenario.source.kind === 'groups' ? run.scenario : scenario
  if (shown.source.kind !== 'groups') return null
  return (
    <article className="spread" aria-label={t('Spread')}>
      <header>
        <h2>{t('Spread')}</h2>
        <span className="soft">{orderWords(shown.source)}</span>
      </header>
      <Picture scenario={shown} />
    </article>
  )
}

function Picture({ scenario }: { readonly scenario: Scenario }) {
  const session = useSession()
  const [sentence, setSentence] = useState('')
  const host = useDrawing(mountSpread, (drawing) => followSpread(session, scenario, drawing, setSentence), [scenario, session])
  return (
    <>
      <div ref={host} className="spread-picture" />
      <p className="spread-said soft">{sentence}</p>
    </>
  )
}

/** Draws at every frame and hands over the sentence now and then. Returns what ends it. */
function followSpread(session: Session, scenario: Scenario, drawing: ReturnType<typeof mountSpread>, hear: (sentence: string) => void): () => void {
  let last = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = onScene(session, (painted) => {
    const ours = painted !== null && painted.run.scenario === scenario
    const scene = ours ? spreadSceneAt(session, painted.run, painted.frame) : spreadSceneBefore(scenario)
    if (scene === null) return
    drawing.update({ palette: currentPalette(), scene, description: spreadWords(scene) })
    clearTimeout(timer)
    const tell = () => {
      last = performance.now()
      hear(contentionSentence(scenario, scene.held))
    }
    const wait = playback(session).playing ? EVERY_MS - (performance.now() - last) : 0
    if (wait <= 0) tell()
    else timer = setTimeout(tell, wait)
  })
  return () => {
    clearTimeout(timer)
    end()
  }
}
