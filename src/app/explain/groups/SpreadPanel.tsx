import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { mountSpread } from '../../../views/groups/spreadDrawing.ts'
import type { SpreadScene } from '../../../views/groups/spreadMarks.ts'
import { currentPalette, themeStore } from '../../base/page/theme.ts'
import { onScene, repaint } from '../../session/run/painter.ts'
import { playback } from '../../session/run/playback.ts'
import { runStore } from '../../session/run/runStore.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import { contentionSentence, orderWords, spreadSceneAt, spreadSceneBefore, spreadWords } from './spreadScene.ts'
import './spread.css'

/** Words are renewed so often while a run plays: faster nobody can read. */
const EVERY_MS = 140

/** How jobs that come in groups are spread: of the run on the screen, else of the scenario. Nothing where they come one by one. */
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
  const host = useRef<HTMLDivElement>(null)
  const [sentence, setSentence] = useState('')
  useStore(themeStore)
  useEffect(() => (host.current === null ? undefined : follow(session, host.current, scenario, setSentence)), [scenario, session])
  return (
    <>
      <div ref={host} className="spread-picture" />
      <p className="spread-said soft">{sentence}</p>
    </>
  )
}

/** Draws at every frame and hands over the words now and then; returns what ends it. */
function follow(session: Session, host: HTMLElement, scenario: Scenario, hear: (sentence: string) => void): () => void {
  const drawing = mountSpread(host)
  let last = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const show = (scene: SpreadScene): void => {
    drawing.update({ palette: currentPalette(), scene, description: spreadWords(scene) })
    clearTimeout(timer)
    const tell = () => {
      last = performance.now()
      hear(contentionSentence(scenario, scene.held))
    }
    const wait = playback(session).playing ? EVERY_MS - (performance.now() - last) : 0
    if (wait <= 0) tell()
    else timer = setTimeout(tell, wait)
  }
  const end = onScene(session, (painted) => {
    const ours = painted !== null && painted.run.scenario === scenario
    const scene = ours ? spreadSceneAt(session, painted.run, painted.frame) : spreadSceneBefore(scenario)
    if (scene !== null) show(scene)
  })
  const sized = new ResizeObserver(() => drawing.resize())
  sized.observe(host)
  repaint(session)
  return () => {
    clearTimeout(timer)
    end()
    sized.disconnect()
    drawing.destroy()
  }
}
