import { lazy, Suspense, useEffect } from 'react'
import { useStore } from 'zustand'
import { say } from '../language/say.ts'
import { followAddress } from './address.ts'
import { askStore } from './askStore.ts'
import { CanvasTools } from './CanvasTools.tsx'
import { followClipboard } from './canvas/followClipboard.ts'
import { PipelineCanvas } from './canvas/PipelineCanvas.tsx'
import { DropTarget } from './DropTarget.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Header } from './Header.tsx'
import { listenToKeys } from './keys.ts'
import { languageStore, useLanguage } from './language.ts'
import { logStore } from './logStore.ts'
import { onFrame } from './loop.ts'
import { Parliament } from './Parliament.tsx'
import { Problems } from './Problems.tsx'
import { onScene, paint, repaint } from './painter.ts'
import { paintPipeline } from './paintPipeline.ts'
import { RecordViews } from './RecordViews.tsx'
import { SidePanel } from './SidePanel.tsx'
import { scenarioStore } from './scenarioStore.ts'
import { keepSaved } from './storage.ts'
import { TimelinePanel } from './TimelinePanel.tsx'
import { Transport } from './Transport.tsx'
import { followTheme, themeStore } from './theme.ts'
import { traceFileStore } from './traceFile.ts'
import { keepTravelling } from './travel.ts'
import { useShown } from './useShown.ts'

// What the first screen does without is fetched when it is wanted.
const AskDialog = lazy(async () => ({ default: (await import('./AskDialog.tsx')).AskDialog }))
const LogDialog = lazy(async () => ({ default: (await import('./LogDialog.tsx')).LogDialog }))
const Branches = lazy(async () => ({ default: (await import('./Branches.tsx')).Branches }))
const PicturePanel = lazy(async () => ({ default: (await import('./PicturePanel.tsx')).PicturePanel }))
const TraceDialog = lazy(async () => ({ default: (await import('./TraceDialog.tsx')).TraceDialog }))

/** The page. Everything that lasts as long as the page begins and ends here. */
export function App() {
  useEffect(() => {
    const ends = [
      followTheme(),
      keepSaved(),
      followAddress(),
      listenToKeys(),
      followClipboard(),
      keepTravelling(),
      onScene(paintPipeline),
      themeStore.subscribe(repaint),
      languageStore.subscribe(repaint),
      onFrame(paint),
    ]
    return () => {
      for (const end of ends) end()
    }
  }, [])
  // Whatever is below is drawn again in another language.
  useLanguage()
  const painted = useStore(themeStore, ({ palette }) => palette !== null)
  const pictured = useShown(({ source }) => source.kind === 'image')
  const branched = useStore(scenarioStore, ({ whole }) => whole.branches.length > 0)
  const asking = useStore(askStore, ({ draft }) => draft !== null)
  const opening = useStore(traceFileStore, ({ file }) => file !== null)
  const logging = useStore(logStore, ({ open }) => open)
  return (
    <DropTarget>
      <Header />
      <Problems />
      <main className="desk">
        <section className="stage" aria-label={say('Pipeline')}>
          <ErrorBoundary name={say('The pipeline')}>
            <PipelineCanvas insetTop={142} onRedraw={repaint} />
          </ErrorBoundary>
          {painted && <Parliament />}
          <CanvasTools />
        </section>
        <section className="record" aria-label={say('Record of the run')}>
          <Suspense>{branched && <Branches />}</Suspense>
          <Transport />
          <ErrorBoundary name={say('The record')}>
            {painted && (
              <RecordViews>
                <TimelinePanel />
              </RecordViews>
            )}
          </ErrorBoundary>
          <ErrorBoundary name={say('The picture')}>
            <Suspense>{painted && pictured && <PicturePanel />}</Suspense>
          </ErrorBoundary>
        </section>
        <ErrorBoundary name={say('The side panel')}>
          <SidePanel />
        </ErrorBoundary>
      </main>
      <Suspense>{logging && <LogDialog />}</Suspense>
      <Suspense>{asking && <AskDialog />}</Suspense>
      <Suspense>{opening && <TraceDialog />}</Suspense>
    </DropTarget>
  )
}
