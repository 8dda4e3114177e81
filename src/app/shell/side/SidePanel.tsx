import { Suspense } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { hasGains, isElastic } from '../../../scenario/model/defaults.ts'
import { Button } from '../../base/controls/Button.tsx'
import { Tabs } from '../../base/controls/Tabs.tsx'
import { controlStore } from '../../base/page/hide.ts'
import { lazyPart } from '../../base/page/lazyPart.tsx'
import { useNarrow } from '../../base/page/useSize.ts'
import { NoDecision } from '../../explain/decision/NoDecision.tsx'
import { digestStore } from '../../explain/results/digest.ts'
import { openPanel, type PanelName, panelStore } from '../../session/run/panelStore.ts'
import { runStore } from '../../session/run/runStore.ts'
import { useShown } from '../../session/run/useShown.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSecrets } from '../../session/secrets/secrets.ts'
import { useSession } from '../../session/useSession.ts'

// The first screen does without these: they are fetched when they are wanted.
const DecisionPanel = lazyPart(async () => (await import('../../explain/decision/DecisionPanel.tsx')).DecisionPanel)
const DigestNote = lazyPart(async () => (await import('../../explain/results/DigestNote.tsx')).DigestNote)
const ElasticPanel = lazyPart(async () => (await import('../../../features/pools/page/ElasticPanel.tsx')).ElasticPanel)
const FeederPanel = lazyPart(async () => (await import('../../../features/groups/page/FeederPanel.tsx')).FeederPanel)
const ResultsPanel = lazyPart(async () => (await import('../../explain/results/ResultsPanel.tsx')).ResultsPanel)
const FormSheet = lazyPart(async () => (await import('./FormSheet.tsx')).FormSheet)
const Inspector = lazyPart(async () => (await import('../../draw/inspector/Inspector.tsx')).Inspector)
const OrderPanel = lazyPart(async () => (await import('../../../features/order/page/OrderPanel.tsx')).OrderPanel)
const MysteryPanel = lazyPart(async () => (await import('../../../features/mystery/MysteryPanel.tsx')).MysteryPanel)
const OutputPanel = lazyPart(async () => (await import('../../watch/output/OutputPanel.tsx')).OutputPanel)
const ReplayPanel = lazyPart(async () => (await import('../../../features/replay/page/ReplayPanel.tsx')).ReplayPanel)
const SpreadPanel = lazyPart(async () => (await import('../../../features/groups/page/SpreadPanel.tsx')).SpreadPanel)
const RoomPanel = lazyPart(async () => (await import('../../../features/room/host/RoomPanel.tsx')).RoomPanel)
const TextPanel = lazyPart(async () => (await import('../../draw/text/TextPanel.tsx')).TextPanel)
const TunePanel = lazyPart(async () => (await import('../../../features/pools/page/TunePanel.tsx')).TunePanel)
const ScenarioSettings = lazyPart(async () => (await import('../../draw/inspector/ScenarioSettings.tsx')).ScenarioSettings)

const tabs: readonly PanelName[] = ['decision', 'figures', 'scenario', 'text', 'room']
const names = (): Readonly<Record<PanelName, string>> => ({
  decision: t('Decision'),
  figures: t('Results'),
  scenario: t('Settings'),
  text: t('JSON'),
  room: t('Room'),
})
/** The names of the tabs among the controls that can be hidden. */
const controls: Readonly<Record<PanelName, string>> = {
  decision: 'decisions',
  figures: 'figures',
  scenario: 'inspector editing',
  text: 'text editing',
  room: 'engine',
}

/** The panel beside the pipeline: why the scheduler decided as it did, or what is selected. */
export function SidePanel() {
  const session = useSession()
  const selected = useStore(scenarioStore(session), (state) => state.selected)
  const run = useStore(runStore(session), (state) => state.run)
  const hosting = useStore(runStore(session), ({ room }) => room !== null)
  const tuned = useStore(scenarioStore(session), (state) => hasGains(state.scenario.policy))
  const elastic = useShown(({ policy }) => isElastic(policy))
  const grouped = useShown(({ source }) => source.kind === 'groups')
  const ordered = useShown(({ order }) => order.kind !== 'none')
  const made = useStore(runStore(session), ({ output }) => output !== null)
  // The reasons of a decision would tell what is hidden.
  const secret = useSecrets().all.length > 0
  const expected = useStore(digestStore(session), (state) => state.expected !== null)
  const hidden = useStore(controlStore, (state) => state.hidden)
  const chosen = useStore(panelStore(session), (state) => state.panel)
  const all = hosting ? tabs : tabs.filter((id) => id !== 'room')
  const there = all.filter((id) => !controls[id].split(' ').some((name) => hidden.has(name)))
  const tab = there.includes(chosen) ? chosen : (there[0] ?? chosen)
  const sheet = useNarrow() && tab === 'scenario' && selected !== null
  return (
    <aside className="side" data-control="panels" aria-label={t('Details')}>
      <div className="side-head">
        <Tabs
          label={t('Details')}
          tabs={all.map((id) => ({ id, name: names()[id], control: controls[id] }))}
          chosen={tab}
          choose={(id) => openPanel(session, id)}
        />
        <Button className="back" onClick={() => document.querySelector('.stage')?.scrollIntoView({ block: 'start', behavior: scrolling() })}>
          <span aria-hidden="true">↑</span> {t('Pipeline')}
        </Button>
      </div>
      <div className="side-body" role="tabpanel" id={`panel-${tab}`} aria-labelledby={`tab-${tab}`}>
        {tab === 'decision' ? (
          <>
            <Suspense>{expected && <DigestNote />}</Suspense>
            {secret ? (
              <Suspense>
                <MysteryPanel />
              </Suspense>
            ) : run === null ? (
              <NoDecision />
            ) : (
              <Suspense>
                <DecisionPanel />
              </Suspense>
            )}
            <Suspense>{made && <OutputPanel />}</Suspense>
            <Suspense>
              {elastic && !secret && <ElasticPanel />}
              {tuned && !secret && <TunePanel />}
            </Suspense>
            <Suspense>{grouped && <SpreadPanel />}</Suspense>
            <Suspense>{ordered && run !== null && <OrderPanel />}</Suspense>
            <Suspense>{grouped && <FeederPanel />}</Suspense>
            <Suspense>{run !== null && !secret && <ReplayPanel />}</Suspense>
          </>
        ) : (
          <Suspense>
            {tab === 'text' ? (
              <TextPanel />
            ) : tab === 'room' ? (
              <RoomPanel />
            ) : tab === 'figures' ? (
              <ResultsPanel />
            ) : selected === null ? (
              <ScenarioSettings />
            ) : (
              !sheet && <Inspector />
            )}
          </Suspense>
        )}
      </div>
      <Suspense>{sheet && <FormSheet key={selected} selected={selected} />}</Suspense>
    </aside>
  )
}

function scrolling(): ScrollBehavior {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth'
}
