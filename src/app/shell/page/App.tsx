import { type CSSProperties, Suspense, useCallback, useEffect } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import type { Problem, Scenario } from '../../../scenario/model/scenario.ts'
import { endAll } from '../../base/browser/frames.ts'
import { Button } from '../../base/controls/Button.tsx'
import { Tabs } from '../../base/controls/Tabs.tsx'
import { useLanguage } from '../../base/page/language.ts'
import { ErrorBoundary, lazyPart } from '../../base/page/lazyPart.tsx'
import { useNarrow } from '../../base/page/useSize.ts'
import { DialogOpened } from '../../base/ui/dialogOpened.ts'
import { CanvasTools } from '../../draw/canvas/CanvasTools.tsx'
import { followClipboard } from '../../draw/editing/pageKeys.ts'
import { Problems } from '../../draw/problems/Problems.tsx'
import { keepAnswer } from '../../session/answer/keepAnswer.ts'
import { Branches } from '../../session/branches/Branches.tsx'
import { registerCommands } from '../../session/commands.ts'
import { FeaturePanels, featuresOf, OpenLayers, useOpenLayers, useTabs } from '../../session/features/features.tsx'
import {
  closeDialog,
  openRecord,
  panelStore,
  raisePanel,
  showingStore,
  traceFileStore,
} from '../../session/page/showing.ts'
import { runStore } from '../../session/run/runStore.ts'
import { keepSaved } from '../../session/scenario/savedCanvas.ts'
import { scenarioStore, showProblems } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { DropTarget } from '../../share/files/DropTarget.tsx'
import { TraceDialog } from '../../share/files/TraceDialog.tsx'
import { followAddress } from '../../share/links/address.ts'
import { openStep } from '../../share/links/backSteps.ts'
import { PicturePanel } from '../../watch/output/PicturePanel.tsx'
import { KeysHelp } from '../../watch/shortcuts/KeysHelp.tsx'
import { followHeldKeys, paletteCommands } from '../../watch/shortcuts/keyboard.ts'
import { PaletteDialog } from '../../watch/shortcuts/PaletteDialog.tsx'
import { TimelinePanel } from '../../watch/timeline/TimelinePanel.tsx'
import { Transport } from '../../watch/transport/Transport.tsx'
import { AnswerBar } from '../answer/AnswerBar.tsx'
import { attendPage } from '../features/attendPage.ts'
import { Header } from '../header/Header.tsx'
import { Tools } from '../record/Tools.tsx'
import { SidePanel } from '../side/SidePanel.tsx'
import { Divider, splitStore } from './Divider.tsx'
import '../record/recordViews.css'

export const fetchCanvas = async () => (await import('../../draw/canvas/PipelineCanvas.tsx')).PipelineCanvas
export const fetchFront = async () => (await import('../front/Front.tsx')).Front
const LazyCanvas = lazyPart(fetchCanvas)
const IdleCanvas = lazyPart(() => idle().then(fetchCanvas))
const LazyFront = lazyPart(fetchFront)

export interface Parts {
  /** Else it is fetched: below the front page when the browser has nothing else to do. */
  readonly Canvas?: typeof LazyCanvas | undefined
  /** The front page, for a first visit. */
  readonly Front?: typeof LazyFront | undefined
}

/** The page. Everything that lasts as long as the page starts and ends here. `problems`: of the options in the address. */
export function App({
  problems,
  Front,
  Canvas = Front === undefined ? LazyCanvas : IdleCanvas,
}: Parts & { readonly problems: readonly Problem[] }) {
  const session = useSession()
  useEffect(() => {
    const ends = [
      ...attendPage(session),
      keepAnswer(session),
      registerCommands(session, paletteCommands),
      keepSaved(session),
      followAddress(session),
      ...featuresOf(session).flatMap(({ attend }) => attend?.(session) ?? []),
      followClipboard(session),
      followHeldKeys(session),
    ]
    if (problems.length > 0) showProblems(session, [...scenarioStore(session).getState().problems, ...problems])
    return endAll(ends)
  }, [problems, session])
  // Another language renders everything below again.
  useLanguage()
  const pictured = useShown(({ source }) => source.kind === 'image')
  const branched = useStore(scenarioStore(session), ({ whole }) => whole.branches.length > 0)
  const opening = useStore(traceFileStore(session), ({ file }) => file !== null)
  const { dialog, front, beside: latest } = useStore(showingStore(session))
  // A page of one column has room for one: the latest is first and hides the others, which keep their state.
  const beside = [...useOpenLayers('beside')].sort((a, b) => Number(b.of === latest) - Number(a.of === latest))
  const dialogs = [...useOpenLayers('dialog'), ...useOpenLayers('page')]
  const opened = useCallback((close: () => void) => openStep(session, close), [session])
  const share = useStore(splitStore(session), (state) => state.share)
  const unplayed = useStore(runStore(session), ({ run }) => run === null)
  const narrow = useNarrow()
  return (
    <DialogOpened value={opened}>
      <ErrorBoundary>
        <Suspense>{front && (Front === undefined ? <LazyFront /> : <Front />)}</Suspense>
      </ErrorBoundary>
      <DropTarget>
        <Header />
        <AnswerBar />
        <Problems />
        <FeaturePanels place="notice" of={{}} />
        <main className="desk" style={share === null ? undefined : ({ '--canvas': `${share}%` } as CSSProperties)}>
          <ErrorBoundary>
            <OpenLayers layers={beside} />
          </ErrorBoundary>
          <section className="stage" data-control="pipeline" aria-label={t('Pipeline')}>
            <ErrorBoundary>
              <Suspense>
                <Canvas />
              </Suspense>
            </ErrorBoundary>
            <CanvasTools />
            {narrow && !unplayed && (
              <Button
                className="button why"
                data-control="tools editing"
                onClick={() => raisePanel(session, true)}
                text={t('Why?')}
              />
            )}
          </section>
          <section className="record" aria-label={t('Record of the run')}>
            <Divider />
            <div className="record-head">
              <Transport />
              <RecordTabs />
              <Tools />
            </div>
            <ErrorBoundary>
              <RecordViews />
            </ErrorBoundary>
            <ErrorBoundary>{pictured && <PicturePanel />}</ErrorBoundary>
            {branched && <Branches />}
          </section>
          <ErrorBoundary>
            <SidePanel />
          </ErrorBoundary>
        </main>
        <ErrorBoundary>
          <KeysHelp />
          <Suspense>
            {dialog === 'palette' && <PaletteDialog onClose={() => closeDialog(session, 'palette')} />}
          </Suspense>
          {opening && <TraceDialog />}
          <OpenLayers layers={dialogs} />
        </ErrorBoundary>
      </DropTarget>
    </DialogOpened>
  )
}

/** Resolves when the browser has nothing else to do, and soon in any case. WebKit does not report idle time. */
function idle(): Promise<unknown> {
  return new Promise((resolve) =>
    'requestIdleCallback' in globalThis ? requestIdleCallback(resolve, { timeout: 2000 }) : setTimeout(resolve, 1000),
  )
}

/** Returns whether `is` holds for the scenario, or for that of the run on the screen. */
export function useShown(is: (scenario: Scenario) => boolean): boolean {
  const session = useSession()
  const now = useStore(scenarioStore(session), ({ scenario }) => is(scenario))
  const then = useStore(runStore(session), ({ run }) => run !== null && is(run.scenario))
  return now || then
}

/** Returns the views of features below the scrubber, and the key of the one that is shown. */
function useViews() {
  const added = useTabs('record')
  const chosen = useStore(panelStore(useSession()), ({ record }) => record)
  return { added, view: added.some(({ key }) => key === chosen) ? chosen : 'timeline' }
}

/** The tabs of what stands below the scrubber, in the row of the transport. */
function RecordTabs() {
  const session = useSession()
  const { added, view } = useViews()
  const tabs = [{ id: 'timeline', name: t('Timeline') }, ...added.map(({ key, name }) => ({ id: key, name: name() }))]
  return <Tabs control="views" label={t('Record')} tabs={tabs} chosen={view} choose={(id) => openRecord(session, id)} />
}

/** Below the scrubber: the timeline, or the view of a feature. */
function RecordViews() {
  const { added, view } = useViews()
  return (
    <div className="record-view" role="tabpanel" id={`panel-${view}`} aria-labelledby={`tab-${view}`}>
      {view === 'timeline' ? (
        <TimelinePanel />
      ) : (
        <Suspense>{added.map(({ key, Component }) => key === view && <Component key={key} />)}</Suspense>
      )}
    </div>
  )
}
