import { useEffect, useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { toJsonFragment, toShortFragment } from '../../../scenario/link/codec.ts'
import type { EngineName } from '../../../scenario/model/engines.ts'
import { MAX_SHORT } from '../../../scenario/model/limits.ts'
import type { Problem } from '../../../scenario/model/scenario.ts'
import { Button } from '../../base/controls/Button.tsx'
import { useLanguage } from '../../base/page/language.ts'
import { ErrorBoundary } from '../../base/page/lazyPart.tsx'
import { Mark } from '../../base/page/Mark.tsx'
import { useSize } from '../../base/page/useSize.ts'
import { PipelineCanvas } from '../../draw/canvas/PipelineCanvas.tsx'
import { Problems } from '../../draw/problems/Problems.tsx'
import { keepAnswer, runOrStop, useStoppable } from '../../session/answer/keepAnswer.ts'
import { FeaturePanels } from '../../session/features/features.tsx'
import { runStore } from '../../session/run/runStore.ts'
import { start } from '../../session/run/startStop.ts'
import { scenarioStore, showProblems } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import { KeysHelp } from '../../watch/shortcuts/KeysHelp.tsx'
import { TimelinePanel } from '../../watch/timeline/TimelinePanel.tsx'
import { Transport } from '../../watch/transport/Transport.tsx'
import { Figure } from '../answer/AnswerBar.tsx'
import { attendPage } from '../features/attendPage.ts'
import { listenToEmbedder } from './embedder.ts'
import { openText } from './openText.ts'
import { readAttributes } from './readCommand.ts'
import './embed.css'

/** Controls that are hidden in a frame. */
export const hiddenInFrame = [
  'more',
  'editing',
  'steps',
  'breaks',
  'speed',
  'search',
  'minimap',
  'keys',
  'branches',
] as const

/** From this height on, in pixels, there is room for the timeline. */
const TALL = 620

/** The page in a frame of another page: pipeline and transport. It writes no address and keeps nothing. */
export function EmbedPage({ problems }: { readonly problems: readonly Problem[] }) {
  const session = useSession()
  const host = useRef<HTMLDivElement>(null)
  const height = useSize(host)?.height ?? 0
  useEffect(() => {
    const parameters = session.address.read().searchParams
    const attributes = readAttributes(parameters)
    const ends = [...attendPage(session)]
    let mounted = true
    void openAddress(session, parameters.get('scenario'), attributes.run).then((found) => {
      if (!mounted) return
      ends.push(keepAnswer(session), listenToEmbedder(session))
      const all = [...found, ...attributes.problems, ...problems]
      if (all.length > 0) showProblems(session, all, found.length === 0)
    })
    return () => {
      mounted = false
      for (const end of ends) end()
    }
  }, [problems, session])
  // Another language renders everything below again.
  useLanguage()
  const title = useStore(scenarioStore(session), ({ scenario }) => scenario.title) || t('Untitled')
  return (
    <main className="embed" ref={host}>
      <h1 className="unseen">{title}</h1>
      <Problems />
      <FeaturePanels place="notice" of={{}} />
      <section className="stage" data-control="pipeline" aria-label={t('Pipeline')}>
        <ErrorBoundary>
          <PipelineCanvas />
        </ErrorBoundary>
      </section>
      <section className="record" aria-label={t('Record of the run')}>
        <RunButton />
        <Figure />
        <Transport />
        <OpenLink />
      </section>
      {height >= TALL && (
        <ErrorBoundary>
          <TimelinePanel />
        </ErrorBoundary>
      )}
      <KeysHelp />
    </main>
  )
}

/** Opens the scenario in the address, else the example it names, else that of a first visit. Returns the problems. */
async function openAddress(session: Session, name: string | null, run: EngineName | null): Promise<readonly Problem[]> {
  const { hash } = session.address.read()
  const text = hash === '' ? name : hash
  if (text !== null && text !== '') return openText(session, text, run)
  if (run === null) return []
  runStore(session).setState({ engine: run })
  void start(session)
  return []
}

function RunButton() {
  const session = useSession()
  const running = useStoppable(session)
  return (
    <Button
      className="button run"
      data-control="run"
      onClick={() => runOrStop(session)}
      text={running ? t('Stop') : t('Run')}
    />
  )
}

/** A link that opens the same in the whole page, in a new tab. */
function OpenLink() {
  const session = useSession()
  const whole = useStore(scenarioStore(session), (state) => state.whole)
  const link = useMemo(() => {
    const short = toShortFragment(whole)
    return session.address.read().pathname + (short.length <= MAX_SHORT ? short : toJsonFragment(whole))
  }, [session, whole])
  return (
    <a className="open-link" data-control="link" href={link} target="_blank" rel="noopener">
      <Mark />
      <span>{t('Open in Apportion')}</span>
    </a>
  )
}
