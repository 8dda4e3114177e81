import { type CSSProperties, Suspense, useEffect } from 'react'
import { useStore } from 'zustand'
import { beatStore } from '../../../features/game/beatStore.ts'
import { askStore } from '../../../features/logs/ask/askStore.ts'
import { logStore } from '../../../features/logs/page/logStore.ts'
import { t } from '../../../language/translate.ts'
import type { Problem } from '../../../scenario/model/scenario.ts'
import { controlStore } from '../../base/page/hide.ts'
import { useLanguage } from '../../base/page/language.ts'
import { ErrorBoundary, lazyPart } from '../../base/page/lazyPart.tsx'
import { CanvasTools } from '../../draw/canvas/CanvasTools.tsx'
import { Parliament } from '../../draw/canvas/Parliament.tsx'
import type { PipelineCanvas } from '../../draw/canvas/PipelineCanvas.tsx'
import { canvasStore } from '../../draw/editing/canvasStore.ts'
import { followClipboard } from '../../draw/editing/followClipboard.ts'
import { Problems } from '../../draw/problems/Problems.tsx'
import { registerCommands } from '../../session/commands.ts'
import { followLessons, lessonStore } from '../../session/run/lessonStore.ts'
import { panelStore } from '../../session/run/panelStore.ts'
import { runStore } from '../../session/run/runStore.ts'
import { closeDialog, showingStore } from '../../session/run/showing.ts'
import { useShown } from '../../session/run/useShown.ts'
import { keepSaved } from '../../session/scenario/savedCanvas.ts'
import { scenarioStore, showProblems } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { DropTarget } from '../../share/files/DropTarget.tsx'
import { traceFileStore } from '../../share/files/openTrace.ts'
import { followAddress } from '../../share/links/address.ts'
import { followRuns } from '../../share/unfinished/followRuns.ts'
import { followHeldKeys } from '../../watch/shortcuts/heldKeys.ts'
import { KeysHelp } from '../../watch/shortcuts/KeysHelp.tsx'
import { paletteCommands } from '../../watch/shortcuts/paletteCommands.ts'
import { Transport } from '../../watch/transport/Transport.tsx'
import { attendPage } from '../features/attendPage.ts'
import type { Front as FrontPage } from '../front/Front.tsx'
import { Header } from '../header/Header.tsx'
import { RecordViews } from '../record/RecordViews.tsx'
import { SidePanel } from '../side/SidePanel.tsx'
import { Divider } from './Divider.tsx'
import { usualShare } from './split.ts'
import { splitStore } from './splitStore.ts'

// The first screen does without these: they are fetched when they are wanted.
const AskDialog = lazyPart(async () => (await import('../../../features/logs/ask/AskDialog.tsx')).AskDialog)
const BeatPanel = lazyPart(async () => (await import('../../../features/game/BeatPanel.tsx')).BeatPanel)
const LessonPanel = lazyPart(async () => (await import('../../../features/lessons/page/LessonPanel.tsx')).LessonPanel)
const LogDialog = lazyPart(async () => (await import('../../../features/logs/page/LogDialog.tsx')).LogDialog)
const Branches = lazyPart(async () => (await import('../../session/branches/Branches.tsx')).Branches)
const LazyCanvas = lazyPart(async () => (await import('../../draw/canvas/PipelineCanvas.tsx')).PipelineCanvas)
const IdleCanvas = lazyPart(async () => {
  await idle()
  return (await import('../../draw/canvas/PipelineCanvas.tsx')).PipelineCanvas
})
const PaletteDialog = lazyPart(async () => (await import('../../watch/shortcuts/PaletteDialog.tsx')).PaletteDialog)
const PicturePanel = lazyPart(async () => (await import('../../watch/output/PicturePanel.tsx')).PicturePanel)
const EssayPanel = lazyPart(async () => (await import('../../../features/publish/essay/EssayPanel.tsx')).EssayPanel)
const FilmDialog = lazyPart(async () => (await import('../../../features/publish/film/FilmDialog.tsx')).FilmDialog)
const Handout = lazyPart(async () => (await import('../../../features/publish/handout/Handout.tsx')).Handout)
const Presenter = lazyPart(async () => (await import('../../../features/publish/present/Presenter.tsx')).Presenter)
const RunVerdict = lazyPart(async () => (await import('../../../features/compare/page/RunVerdict.tsx')).RunVerdict)
const TraceDialog = lazyPart(async () => (await import('../../share/files/TraceDialog.tsx')).TraceDialog)

/** Parts that are there already. */
export interface Parts {
  /** Else it is fetched: below the front page when the browser has nothing else to do. */
  readonly Canvas?: typeof PipelineCanvas | typeof LazyCanvas | undefined
  /** The front page, for a first visit. */
  readonly Front?: typeof FrontPage | undefined
}

interface Props extends Parts {
  /** Problems with what the address asked of the page. */
  readonly problems: readonly Problem[]
}

/** The page. Everything that lasts as long as the page begins and ends here. */
export function App({ problems, Front, Canvas = Front === undefined ? LazyCanvas : IdleCanvas }: Props) {
  const session = useSession()
  useEffect(() => {
    const ends = [
      ...attendPage(session),
      registerCommands(session, paletteCommands),
      keepSaved(session),
      followAddress(session),
      followRuns(session),
      followLessons(session),
      followClipboard(session),
      followHeldKeys(session),
    ]
    if (problems.length > 0) showProblems(session, [...scenarioStore(session).getState().problems, ...problems])
    return () => {
      for (const end of ends) end()
    }
  }, [problems, session])
  const bare = useStore(controlStore, ({ hidden }) => hidden.has('parliament'))
  // Another language renders everything below again.
  useLanguage()
  const pictured = useShown(({ source }) => source.kind === 'image')
  const branched = useStore(scenarioStore(session), ({ whole }) => whole.branches.length > 0)
  const asking = useStore(askStore(session), ({ draft }) => draft !== null)
  const opening = useStore(traceFileStore(session), ({ file }) => file !== null)
  const lesson = useStore(lessonStore(session), ({ key }) => key)
  const beating = useStore(beatStore(session), ({ open }) => open)
  const logging = useStore(logStore(session), ({ open }) => open)
  const { openFilm: filmed, presenting, printing, writing, dialog, front } = useStore(showingStore(session))
  const docked = useStore(canvasStore(session), (state) => state.docked)
  const share = useStore(splitStore(session), (state) => state.share)
  // Before the first run there is little below the canvas.
  const unplayed = useStore(runStore(session), ({ run }) => run === null)
  const timed = useStore(panelStore(session), ({ record }) => record === 'timeline')
  const tall = unplayed && timed && !pictured && !branched
  return (
    <>
      <ErrorBoundary name={t('The front page')}>{front && Front !== undefined && <Front />}</ErrorBoundary>
      <DropTarget>
        <Header />
        <Problems />
        <main className="desk" data-tall={tall} style={share === null ? undefined : ({ '--canvas': `${share}%` } as CSSProperties)}>
          <ErrorBoundary name={t('The lesson')}>
            <Suspense>{beating ? <BeatPanel /> : lesson !== null ? <LessonPanel key={lesson} name={lesson} /> : writing && <EssayPanel />}</Suspense>
          </ErrorBoundary>
          <section className="stage" data-docked={docked} data-control="pipeline" aria-label={t('Pipeline')}>
            <ErrorBoundary name={t('The pipeline')}>
              <Suspense>
                <Canvas insetTop={bare ? 0 : 142} docks />
              </Suspense>
            </ErrorBoundary>
            <Parliament />
            <CanvasTools />
          </section>
          <section className="record" aria-label={t('Record of the run')}>
            <Divider usual={tall ? usualShare.before : usualShare.after} />
            <Transport Verdict={RunVerdict} />
            <ErrorBoundary name={t('The record')}>
              <RecordViews />
            </ErrorBoundary>
            <ErrorBoundary name={t('The picture')}>
              <Suspense>{pictured && <PicturePanel />}</Suspense>
            </ErrorBoundary>
            <Suspense>{branched && <Branches />}</Suspense>
          </section>
          <ErrorBoundary name={t('The side panel')}>
            <SidePanel />
          </ErrorBoundary>
        </main>
        <ErrorBoundary name={t('The dialog')}>
          <KeysHelp />
          <Suspense>{dialog === 'palette' && <PaletteDialog onClose={() => closeDialog(session, 'palette')} />}</Suspense>
          <Suspense>{logging && <LogDialog />}</Suspense>
          <Suspense>{asking && <AskDialog />}</Suspense>
          <Suspense>{opening && <TraceDialog />}</Suspense>
          <Suspense>{filmed !== null && <FilmDialog run={filmed} />}</Suspense>
          <Suspense>{presenting && <Presenter />}</Suspense>
          <Suspense>{printing && <Handout />}</Suspense>
        </ErrorBoundary>
      </DropTarget>
    </>
  )
}

/** Resolves when the browser has nothing else to do, and soon in any case. WebKit does not tell. */
function idle(): Promise<unknown> {
  return new Promise((resolve) => ('requestIdleCallback' in globalThis ? requestIdleCallback(resolve, { timeout: 2000 }) : setTimeout(resolve, 1000)))
}
