import { Suspense, useEffect } from 'react'
import { useStore } from 'zustand'
import { say } from '../language/say.ts'
import type { Problem } from '../scenario/scenario.ts'
import { followAddress } from './address.ts'
import { askStore } from './askStore.ts'
import { beatStore } from './beat/beatStore.ts'
import { CanvasTools } from './CanvasTools.tsx'
import { followClipboard } from './canvas/followClipboard.ts'
import type { PipelineCanvas } from './canvas/PipelineCanvas.tsx'
import { controlStore } from './controls.ts'
import { DropTarget } from './DropTarget.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Header } from './Header.tsx'
import { listenToKeys } from './keys.ts'
import { languageStore, useLanguage } from './language.ts'
import { later } from './later.tsx'
import { followLessons, lessonStore } from './lessons/lessonStore.ts'
import { logStore } from './logStore.ts'
import { onFrame } from './loop.ts'
import { Parliament } from './Parliament.tsx'
import { Problems } from './Problems.tsx'
import { onScene, paint, repaint, WORDS_MS } from './painter.ts'
import { paintPipeline, tellEnds } from './paintPipeline.ts'
import { RecordViews } from './RecordViews.tsx'
import { SidePanel } from './SidePanel.tsx'
import { refuse, scenarioStore } from './scenarioStore.ts'
import { showingStore } from './showing.ts'
import { keepSaved } from './storage.ts'
import { TimelinePanel } from './TimelinePanel.tsx'
import { Transport } from './Transport.tsx'
import { followTheme, themeStore } from './theme.ts'
import { traceFileStore } from './traceFile.ts'
import { keepTravelling } from './travel.ts'
import { followRuns } from './unfinished/followRuns.ts'
import { useShown } from './useShown.ts'

// What the first screen does without is fetched when it is wanted.
const AskDialog = later(async () => (await import('./AskDialog.tsx')).AskDialog)
const BeatPanel = later(async () => (await import('./beat/BeatPanel.tsx')).BeatPanel)
const LessonPanel = later(async () => (await import('./lessons/LessonPanel.tsx')).LessonPanel)
const LogDialog = later(async () => (await import('./LogDialog.tsx')).LogDialog)
const Branches = later(async () => (await import('./Branches.tsx')).Branches)
const LazyCanvas = later(async () => (await import('./canvas/PipelineCanvas.tsx')).PipelineCanvas)
const PicturePanel = later(async () => (await import('./PicturePanel.tsx')).PicturePanel)
const FilmDialog = later(async () => (await import('./film/FilmDialog.tsx')).FilmDialog)
const Handout = later(async () => (await import('./handout/Handout.tsx')).Handout)
const Presenter = later(async () => (await import('./present/Presenter.tsx')).Presenter)
const TraceDialog = later(async () => (await import('./TraceDialog.tsx')).TraceDialog)

interface Props {
  /** With what the address asked of the page. */
  readonly problems: readonly Problem[]
  /** The pipeline, where it is there already: else it is fetched. */
  readonly Canvas?: typeof PipelineCanvas | typeof LazyCanvas
}

/** The page. Everything that lasts as long as the page begins and ends here. */
export function App({ problems, Canvas = LazyCanvas }: Props) {
  useEffect(() => {
    const ends = [
      followTheme(),
      keepSaved(),
      followAddress(),
      followRuns(),
      followLessons(),
      listenToKeys(),
      followClipboard(),
      keepTravelling(),
      onScene(paintPipeline),
      onScene(tellEnds, { every: WORDS_MS }),
      themeStore.subscribe(repaint),
      languageStore.subscribe(repaint),
      onFrame(paint),
    ]
    if (problems.length > 0) refuse([...scenarioStore.getState().problems, ...problems])
    return () => {
      for (const end of ends) end()
    }
  }, [problems])
  const bare = useStore(controlStore, ({ hidden }) => hidden.has('parliament'))
  // Whatever is below is drawn again in another language.
  useLanguage()
  const pictured = useShown(({ source }) => source.kind === 'image')
  const branched = useStore(scenarioStore, ({ whole }) => whole.branches.length > 0)
  const asking = useStore(askStore, ({ draft }) => draft !== null)
  const opening = useStore(traceFileStore, ({ file }) => file !== null)
  const lesson = useStore(lessonStore, ({ key }) => key)
  const beating = useStore(beatStore, ({ open }) => open)
  const logging = useStore(logStore, ({ open }) => open)
  const { film: filmed, presenting, printing } = useStore(showingStore)
  return (
    <DropTarget>
      <Header />
      <Problems />
      <main className="desk">
        <ErrorBoundary name={say('The lesson')}>
          <Suspense>{beating ? <BeatPanel /> : lesson !== null && <LessonPanel key={lesson} name={lesson} />}</Suspense>
        </ErrorBoundary>
        <section className="stage" data-control="pipeline" aria-label={say('Pipeline')}>
          <ErrorBoundary name={say('The pipeline')}>
            <Suspense>
              <Canvas insetTop={bare ? 0 : 142} onRedraw={repaint} />
            </Suspense>
          </ErrorBoundary>
          <Parliament />
          <CanvasTools />
        </section>
        <section className="record" aria-label={say('Record of the run')}>
          <Suspense>{branched && <Branches />}</Suspense>
          <Transport />
          <ErrorBoundary name={say('The record')}>
            <RecordViews>
              <TimelinePanel />
            </RecordViews>
          </ErrorBoundary>
          <ErrorBoundary name={say('The picture')}>
            <Suspense>{pictured && <PicturePanel />}</Suspense>
          </ErrorBoundary>
        </section>
        <ErrorBoundary name={say('The side panel')}>
          <SidePanel />
        </ErrorBoundary>
      </main>
      <ErrorBoundary name={say('The dialog')}>
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
