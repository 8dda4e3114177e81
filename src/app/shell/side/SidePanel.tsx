import { Suspense, useCallback, useContext, useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { Button } from '../../base/controls/Button.tsx'
import { Tabs } from '../../base/controls/Tabs.tsx'
import { controlStore } from '../../base/page/hiddenControls.ts'
import { lazyPart } from '../../base/page/lazyPart.tsx'
import { useNarrow } from '../../base/page/useSize.ts'
import { DialogOpened } from '../../base/ui/dialogOpened.ts'
import { NoDecision } from '../../explain/decision/NoDecision.tsx'
import { ResultsPanel } from '../../explain/results/ResultsPanel.tsx'
import { FeaturePanels, featuresOf, useTabs } from '../../session/features/features.tsx'
import { openPanel, panelStore, raisePanel } from '../../session/page/showing.ts'
import { runStore } from '../../session/run/runStore.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { OutputPanel } from '../../watch/output/OutputPanel.tsx'
import type { ShowingFeature } from './MissingFeatures.tsx'
import { MissingFeatures } from './MissingFeatures.tsx'

const settings = () => import('./SettingsForm.tsx')
const FormSheet = lazyPart(async () => (await settings()).FormSheet)
const SettingsForm = lazyPart(async () => (await settings()).SettingsForm)
const DecisionPanel = lazyPart(async () => (await import('../../explain/decision/DecisionPanel.tsx')).DecisionPanel)
const TextPanel = lazyPart(async () => (await import('../../draw/text/TextPanel.tsx')).TextPanel)

/** The features that show a part of a scenario. */
const showing: readonly ShowingFeature[] = ['order', 'groups', 'pools', 'code']

/** The tabs of every page, each with the control that hides it. Those of features follow. */
const ownTabs = () => [
  { id: 'decision', name: t('Decision'), control: 'decisions' },
  { id: 'figures', name: t('Results'), control: 'figures' },
  { id: 'scenario', name: t('Settings'), control: 'inspector editing' },
  { id: 'text', name: t('JSON'), control: 'text editing' },
]

/** The panel beside the pipeline: why the scheduler decided as it did, or what is selected. */
export function SidePanel() {
  const session = useSession()
  const selected = useStore(scenarioStore(session), (state) => state.selected)
  const run = useStore(runStore(session), (state) => state.run)
  const hasOutput = useStore(runStore(session), ({ output }) => output !== null)
  const added = useTabs('side')
  const hidden = useStore(controlStore, (state) => state.hidden)
  const chosen = useStore(panelStore(session), (state) => state.panel)
  const all = [...ownTabs(), ...added.map(({ key, name, control = '' }) => ({ id: key, name: name(), control }))]
  const shownTabs = all
    .filter(({ control }) => !control.split(' ').some((name) => hidden.has(name)))
    .map(({ id }) => id)
  const tab = shownTabs.includes(chosen) ? chosen : (shownTabs[0] ?? chosen)
  const Added = added.find(({ key }) => key === tab)?.Component
  const missing = showing.filter((key) => !featuresOf(session).some((feature) => feature.key === key))
  const narrow = useNarrow()
  const sheet = narrow && tab === 'scenario' && selected !== null
  const raised = useStore(panelStore(session), (state) => state.raised) && narrow && run !== null && !sheet
  const opened = useContext(DialogOpened)
  const aside = useRef<HTMLElement>(null)
  const lower = useCallback(() => {
    raisePanel(session, false)
    document.querySelector<HTMLElement>('.why')?.focus()
  }, [session])
  useEffect(() => {
    if (!raised) return
    aside.current?.focus({ preventScroll: true })
    const stay = stayAtPipeline()
    const close = opened(lower)
    return () => {
      stay.abort()
      close()
    }
  }, [raised, opened, lower])
  return (
    <aside
      ref={aside}
      className="side"
      tabIndex={-1}
      data-raised={raised}
      data-control="panels"
      aria-label={t('Details')}
      onKeyDown={(event) => raised && event.key === 'Escape' && !event.defaultPrevented && lower()}
    >
      <div className="side-head">
        <Tabs label={t('Details')} tabs={all} chosen={tab} choose={(id) => openPanel(session, id)} />
        {raised ? (
          <Button className="icon" aria-label={t('Close')} onClick={lower} text="×" />
        ) : (
          <Button className="back" onClick={scrollToPipeline}>
            <span aria-hidden="true">↑</span> {t('Pipeline')}
          </Button>
        )}
      </div>
      <div className="side-body" role="tabpanel" id={`panel-${tab}`} aria-labelledby={`tab-${tab}`}>
        {tab === 'decision' ? (
          <>
            {missing.length > 0 && <MissingFeatures keys={missing} />}
            <FeaturePanels place="aboveDecision" of={{}} />
            {run === null ? (
              <NoDecision />
            ) : (
              <Suspense>
                <DecisionPanel />
              </Suspense>
            )}
            <Suspense>{hasOutput && <OutputPanel />}</Suspense>
            <FeaturePanels place="decision" of={{}} />
          </>
        ) : (
          <Suspense>
            {tab === 'text' ? (
              <TextPanel />
            ) : Added !== undefined ? (
              <Added />
            ) : tab === 'figures' ? (
              <ResultsPanel />
            ) : (
              !sheet && <SettingsForm selected={selected} />
            )}
          </Suspense>
        )}
      </div>
      <Suspense>{sheet && <FormSheet key={selected} selected={selected} />}</Suspense>
    </aside>
  )
}

/** Scrolls to the pipeline, and again whenever the height of the page changes, until a press, the wheel or a key. Returns a controller that ends it. */
function stayAtPipeline(): AbortController {
  const staying = new AbortController()
  const resized = new ResizeObserver(scrollToPipeline)
  resized.observe(document.body)
  staying.signal.onabort = () => resized.disconnect()
  for (const type of ['pointerdown', 'wheel', 'keydown'])
    addEventListener(type, () => staying.abort(), { capture: true, signal: staying.signal })
  return staying
}

function scrollToPipeline(): void {
  const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth'
  document.querySelector('.stage')?.scrollIntoView({ block: 'start', behavior })
}
