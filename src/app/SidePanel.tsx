import { lazy, Suspense, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { say } from '../language/say.ts'
import { isElastic } from '../scenario/defaults.ts'
import { NoDecision } from './NoDecision.tsx'
import { replayStore } from './replayStore.ts'
import { runStore } from './runStore.ts'
import { scenarioStore, select } from './scenarioStore.ts'
import { useShown } from './useShown.ts'

// What the first screen does without is fetched when it is wanted.
const DecisionPanel = lazy(async () => ({ default: (await import('./DecisionPanel.tsx')).DecisionPanel }))
const DigestNote = lazy(async () => ({ default: (await import('./ReplayPanel.tsx')).DigestNote }))
const ElasticPanel = lazy(async () => ({ default: (await import('./ElasticPanel.tsx')).ElasticPanel }))
const FeederPanel = lazy(async () => ({ default: (await import('./FeederPanel.tsx')).FeederPanel }))
const FiguresPanel = lazy(async () => ({ default: (await import('./FiguresPanel.tsx')).FiguresPanel }))
const Inspector = lazy(async () => ({ default: (await import('./inspector/Inspector.tsx')).Inspector }))
const OrderPanel = lazy(async () => ({ default: (await import('./OrderPanel.tsx')).OrderPanel }))
const OutputPanel = lazy(async () => ({ default: (await import('./OutputPanel.tsx')).OutputPanel }))
const ReplayPanel = lazy(async () => ({ default: (await import('./ReplayPanel.tsx')).ReplayPanel }))
const SpreadPanel = lazy(async () => ({ default: (await import('./SpreadPanel.tsx')).SpreadPanel }))
const TextPanel = lazy(async () => ({ default: (await import('./text/TextPanel.tsx')).TextPanel }))
const TunePanel = lazy(async () => ({ default: (await import('./TunePanel.tsx')).TunePanel }))
const ScenarioSettings = lazy(async () => ({ default: (await import('./inspector/ScenarioSettings.tsx')).ScenarioSettings }))

const tabs = ['decision', 'figures', 'scenario', 'text'] as const
type Tab = (typeof tabs)[number]

/** Beside the pipeline: why the scheduler decided as it did, or what is selected. */
export function SidePanel() {
  const selected = useStore(scenarioStore, (state) => state.selected)
  const run = useStore(runStore, (state) => state.run)
  const tuned = useStore(scenarioStore, (state) => state.scenario.policy.kind === 'pid')
  const elastic = useShown(({ policy }) => isElastic(policy))
  const grouped = useShown(({ source }) => source.kind === 'groups')
  const ordered = useShown(({ order }) => order.kind !== 'none')
  const made = useStore(runStore, ({ output }) => output !== null)
  const expected = useStore(replayStore, (state) => state.expected !== null)
  const [tab, setTab] = useState<Tab>('decision')
  // Whoever selects something wants to see it; whoever runs wants to see why, or is waiting for the figures.
  useEffect(() => {
    if (selected === null) return
    setTab((now) => (now === 'text' ? now : 'scenario'))
    // Where the page is one column the form would open below the fold; whoever moves about in the text is there already.
    if (document.activeElement?.closest('.side') != null) return
    if (matchMedia('(max-width: 820px)').matches) document.querySelector('.side')?.scrollIntoView({ block: 'start', behavior: scrolling() })
  }, [selected])
  useEffect(() => {
    if (run !== null) setTab((now) => (now === 'figures' || now === 'text' ? now : 'decision'))
  }, [run])
  return (
    <aside className="side" aria-label={say('Details')}>
      <div className="side-head">
        <div className="tabs" role="tablist" aria-label={say('Details')}>
          <TabButton id="decision" tab={tab} choose={setTab}>
            {say('Decision')}
          </TabButton>
          <TabButton id="figures" tab={tab} choose={setTab}>
            {say('Figures')}
          </TabButton>
          <TabButton id="scenario" tab={tab} choose={setTab}>
            {say('Scenario')}
          </TabButton>
          <TabButton id="text" tab={tab} choose={setTab}>
            {say('Text')}
          </TabButton>
        </div>
        <button type="button" className="back" onClick={() => document.querySelector('.stage')?.scrollIntoView({ block: 'start', behavior: scrolling() })}>
          <span aria-hidden="true">↑</span> {say('Pipeline')}
        </button>
      </div>
      <div className="side-body" role="tabpanel" id={`panel-${tab}`} aria-labelledby={`tab-${tab}`}>
        {tab === 'decision' ? (
          <>
            <Suspense>{expected && <DigestNote />}</Suspense>
            <Suspense>{made && <OutputPanel />}</Suspense>
            <Suspense>
              {elastic && <ElasticPanel />}
              {tuned && <TunePanel />}
            </Suspense>
            <Suspense>{grouped && <SpreadPanel />}</Suspense>
            {run === null ? (
              <NoDecision />
            ) : (
              <Suspense>
                <DecisionPanel />
              </Suspense>
            )}
            <Suspense>{ordered && run !== null && <OrderPanel />}</Suspense>
            <Suspense>{grouped && <FeederPanel />}</Suspense>
            <Suspense>{run !== null && <ReplayPanel />}</Suspense>
          </>
        ) : (
          <Suspense>
            {tab === 'text' ? (
              <TextPanel />
            ) : tab === 'figures' ? (
              <FiguresPanel />
            ) : selected === null ? (
              <ScenarioSettings />
            ) : (
              <Inspector onClose={() => select(null)} />
            )}
          </Suspense>
        )}
      </div>
    </aside>
  )
}

function scrolling(): ScrollBehavior {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth'
}

interface TabButtonProps {
  readonly id: Tab
  readonly tab: Tab
  choose(tab: Tab): void
  readonly children: string
}

function TabButton({ id, tab, choose, children }: TabButtonProps) {
  return (
    <button
      type="button"
      role="tab"
      id={`tab-${id}`}
      aria-selected={tab === id}
      aria-controls={`panel-${id}`}
      tabIndex={tab === id ? 0 : -1}
      onClick={() => choose(id)}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
        const step = event.key === 'ArrowRight' ? 1 : -1
        const other = tabs[(tabs.indexOf(id) + step + tabs.length) % tabs.length]
        choose(other)
        document.getElementById(`tab-${other}`)?.focus()
      }}
    >
      {children}
    </button>
  )
}
