import { Suspense, useEffect } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import type { Problem } from '../../../scenario/model/scenario.ts'
import { onFrame } from '../../base/browser/frameLoop.ts'
import { ErrorBoundary } from '../../base/page/ErrorBoundary.tsx'
import { controlStore } from '../../base/page/hiddenControls.ts'
import { languageStore, useLanguage } from '../../base/page/language.ts'
import { lazyPart } from '../../base/page/lazyPart.tsx'
import { followTheme, themeStore } from '../../base/page/theme.ts'
import { CanvasTools } from '../../draw/canvas/CanvasTools.tsx'
import { Parliament } from '../../draw/canvas/Parliament.tsx'
import type { PipelineCanvas } from '../../draw/canvas/PipelineCanvas.tsx'
import { paintPipeline, tellEnds } from '../../draw/canvas/paintPipeline.ts'
import { followClipboard } from '../../draw/editing/followClipboard.ts'
import { Problems } from '../../draw/problems/Problems.tsx'
import { askStore } from '../../explain/ask/askStore.ts'
import { logStore } from '../../explain/logs/logStore.ts'
import { beatStore } from '../../learn/game/beatStore.ts'
import { followLessons, lessonStore } from '../../session/run/lessonStore.ts'
import { onScene, paint, repaint, WORDS_MS } from '../../session/run/painter.ts'
import { showingStore } from '../../session/run/showing.ts'
import { useShown } from '../../session/run/useShown.ts'
import { keepSaved } from '../../session/scenario/savedCanvas.ts'
import { refuse, scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { DropTarget } from '../../share/files/DropTarget.tsx'
import { traceFileStore } from '../../share/files/openTrace.ts'
import { followAddress } from '../../share/links/address.ts'
import { followRuns } from '../../share/unfinished/followRuns.ts'
import { followHeldKeys } from '../../watch/shortcuts/heldKeys.ts'
import { KeysHelp } from '../../watch/shortcuts/KeysHelp.tsx'
import { listenToKeys } from '../../watch/shortcuts/keyboard.ts'
import { TimelinePanel } from '../../watch/timeline/TimelinePanel.tsx'
import { Transport } from '../../watch/transport/Transport.tsx'
import { registerFeatures } from '../features/registerFeatures.ts'
import { Header } from '../header/Header.tsx'
import { RecordViews } from '../record/RecordViews.tsx'
import { SidePanel } from '../side/SidePanel.tsx'

// The first screen does without these: they are fetched when they are wanted.
const AskDialog = lazyPart(async () => (await import('../../explain/ask/AskDialog.tsx')).AskDialog)
const BeatPanel = lazyPart(async () => (await import('../../learn/game/BeatPanel.tsx')).BeatPanel)
const LessonPanel = lazyPart(async () => (await import('../../learn/lessons/LessonPanel.tsx')).LessonPanel)
const LogDialog = lazyPart(async () => (await import('../../explain/logs/LogDialog.tsx')).LogDialog)
const Branches = lazyPart(async () => (await import('../../session/branches/Branches.tsx')).Branches)
const LazyCanvas = lazyPart(async () => (await import('../../draw/canvas/PipelineCanvas.tsx')).PipelineCanvas)
const PicturePanel = lazyPart(async () => (await import('../../watch/output/PicturePanel.tsx')).PicturePanel)
const FilmDialog = lazyPart(async () => (await import('../../share/film/FilmDialog.tsx')).FilmDialog)
const Handout = lazyPart(async () => (await import('../../share/handout/Handout.tsx')).Handout)
const Presenter = lazyPart(async () => (await import('../present/Presenter.tsx')).Presenter)
const TraceDialog = lazyPart(async () => (await import('../../share/files/TraceDialog.tsx')).TraceDialog)

interface Props {
  /** Problems with what the address asked of the page. */
  readonly problems: readonly Problem[]
  /** The canvas, if it is there already; else it is fetched. */
  readonly Canvas?: typeof PipelineCanvas | typeof LazyCanvas
}

/** The page. Everything that lasts as long as the page begins and ends here. */
export function App({ problems, Canvas = LazyCanvas }: Props) {
  const session = useSession()
  useEffect(() => {
    const ends = [
      followTheme(),
      keepSaved(session),
      followAddress(session),
      followRuns(session),
      followLessons(session),
      registerFeatures(session),
      listenToKeys(session),
      followClipboard(session),
      followHeldKeys(session),
      onScene(session, (painted) => paintPipeline(session, painted)),
      onScene(session, (painted) => tellEnds(session, painted), { every: WORDS_MS }),
      themeStore.subscribe(() => repaint(session)),
      languageStore.subscribe(() => repaint(session)),
      onFrame((elapsedMs) => paint(session, elapsedMs)),
    ]
    if (problems.length > 0) refuse(session, [...scenarioStore(session).getState().problems, ...problems])
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
  const { film: filmed, presenting, printing } = useStore(showingStore(session))
  return (
    <DropTarget>
      <Header />
      <Problems />
      <main className="desk">
        <ErrorBoundary name={t('The lesson')}>
          <Suspense>{beating ? <BeatPanel /> : lesson !== null && <LessonPanel key={lesson} name={lesson} />}</Suspense>
        </ErrorBoundary>
        <section className="stage" data-control="pipeline" aria-label={t('Pipeline')}>
          <ErrorBoundary name={t('The pipeline')}>
            <Suspense>
              <Canvas insetTop={bare ? 0 : 142} />
            </Suspense>
          </ErrorBoundary>
          <Parliament />
          <CanvasTools />
        </section>
        <section className="record" aria-label={t('Record of the run')}>
          <Suspense>{branched && <Branches />}</Suspense>
          <Transport />
          <ErrorBoundary name={t('The record')}>
            <RecordViews>
              <TimelinePanel />
            </RecordViews>
          </ErrorBoundary>
          <ErrorBoundary name={t('The picture')}>
            <Suspense>{pictured && <PicturePanel />}</Suspense>
          </ErrorBoundary>
        </section>
        <ErrorBoundary name={t('The side panel')}>
          <SidePanel />
        </ErrorBoundary>
      </main>
      <ErrorBoundary name={t('The dialog')}>
        <KeysHelp />
        <Suspense>{logging && <LogDialog />}</Suspense>
        <Suspense>{asking && <AskDialog />}</Suspense>
        <Suspense>{opening && <TraceDialog />}</Suspense>
        <Suspense>{filmed !== null && <FilmDialog run={filmed} />}</Suspense>
        <Suspense>{presenting && <Presenter />}</Suspense>
        <Suspense>{printing && <Handout />}</Suspense>
      </ErrorBoundary>
    </DropTarget>
  )
}
