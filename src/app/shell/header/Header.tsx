import { Suspense, useState } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { setPolicy, setWorkers } from '../../../scenario/edit/edits.ts'
import { MAX_WORKERS } from '../../../scenario/model/limits.ts'
import { policies, policyGroups } from '../../../scenario/model/policies.ts'
import type { PolicyKind } from '../../../scenario/model/scenario.ts'
import type { Preset } from '../../../scenario/presets/preset.ts'
import { ErrorBoundary } from '../../base/page/ErrorBoundary.tsx'
import { lazyPart } from '../../base/page/lazyPart.tsx'
import { Mark } from '../../base/page/Mark.tsx'
import { themeStore } from '../../base/page/theme.ts'
import { Menu, type MenuEntry } from '../../base/ui/Menu.tsx'
import { openBeat } from '../../learn/game/beatStore.ts'
import { chooseEngine, openScenario, runStore, start, stop } from '../../session/run/runStore.ts'
import { emptyScenario } from '../../session/scenario/emptyScenario.ts'
import { edit, scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { libraryItems } from '../../share/library/libraryItems.ts'
import { libraryStore } from '../../share/library/libraryStore.ts'
import { moreItems } from './moreItems.ts'

const AboutDialog = lazyPart(async () => (await import('./AboutDialog.tsx')).AboutDialog)
const GalleryDialog = lazyPart(async () => (await import('../../learn/gallery/GalleryDialog.tsx')).GalleryDialog)
const LessonsDialog = lazyPart(async () => (await import('../../learn/lessons/LessonsDialog.tsx')).LessonsDialog)
const Library = lazyPart(async () => (await import('../../share/library/Library.tsx')).Library)
const ShareDialog = lazyPart(async () => (await import('../../share/dialog/ShareDialog.tsx')).ShareDialog)

/** The bar at the top: which scenario, how it is to be run, and Run. */
export function Header() {
  const scenario = useStore(scenarioStore, (state) => state.drawing)
  const faulty = useStore(scenarioStore, (state) => state.faults.length > 0)
  const { engine, phase, run } = useStore(runStore)
  // What could not be read is there to download from then on.
  useStore(scenarioStore, (state) => state.problems)
  const theme = useStore(themeStore, (state) => state.choice)
  const patterns = useStore(themeStore, ({ palette }) => palette?.patterns ?? false)
  const [sharing, setSharing] = useState(false)
  const [learning, setLearning] = useState(false)
  const [choosing, setChoosing] = useState(false)
  const [about, setAbout] = useState(false)
  const [presets, setPresets] = useState<readonly Preset[]>([])
  const library = useStore(libraryStore, (state) => state.wanted)
  const running = phase === 'running'
  const examples: MenuEntry[] = [
    { label: t('New pipeline'), about: t('One stage, as many workers as this machine has cores.'), act: () => openScenario(emptyScenario()) },
    {
      label: t('Lessons'),
      about: t('Ten lessons of a few minutes, which notice by themselves what you have done.'),
      control: 'lessons',
      act: () => setLearning(true),
    },
    {
      label: t('Gallery'),
      about: t('All these scenarios with pictures of their runs, on three ladders.'),
      control: 'gallery',
      act: () => setChoosing(true),
    },
    { label: t('Beat the scheduler'), about: t('Give the seats out yourself, decision by decision.'), control: 'game', act: () => openBeat() },
    ...libraryItems(),
    { rule: 'presets' },
    ...presets.map(({ title, about, scenario: its, engine: wish }) => ({ label: title, about, act: () => openScenario(its, wish) })),
  ]
  return (
    <header className="bar" data-control="header">
      <h1 className="brand">
        <Mark />
        Apportion
      </h1>
      <Menu
        label={t('Scenarios: {title}', { title: scenario.title || t('Untitled') })}
        className="title"
        control="presets"
        items={examples}
        coming={async () => setPresets((await import('../../../scenario/presets/presets.ts')).presets)}
      >
        <span className="title-text" dir="auto">
          {scenario.title || t('Untitled')}
        </span>
        <Chevron />
      </Menu>
      <Suspense>{library && <Library />}</Suspense>
      <div className="bar-controls">
        <fieldset className="segmented" data-control="engine">
          <legend className="unseen">{t('Engine')}</legend>
          <label>
            <input type="radio" name="engine" checked={engine === 'simulation'} onChange={() => chooseEngine('simulation')} />
            <span>{t('Simulation')}</span>
          </label>
          <label>
            <input type="radio" name="engine" checked={engine === 'threads'} onChange={() => chooseEngine('threads')} />
            <span>{t('Web Workers')}</span>
          </label>
        </fieldset>
        <label className="field policy" data-control="policy editing">
          <span>{t('Policy')}</span>
          <select value={scenario.policy.kind} onChange={(event) => edit((now) => setPolicy(now, event.target.value as PolicyKind))}>
            {policyGroups.map(({ title, kinds }) => (
              <optgroup key={title()} label={title()}>
                {kinds.map((kind) => (
                  <option key={kind} value={kind}>
                    {policies[kind].name()}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </label>
        <WorkersField workers={scenario.workers} />
        <div className="bar-actions">
          <Menu label={t('More')} control="more" items={moreItems(run, theme, patterns, () => setAbout(true))}>
            {t('More')}
          </Menu>
          <button type="button" className="button" data-control="share" onClick={() => setSharing(true)}>
            {t('Share')}
          </button>
          <button
            type="button"
            className="button run"
            data-control="run"
            disabled={faulty && !running}
            title={faulty && !running ? t('The pipeline cannot be played as it is drawn') : undefined}
            onClick={(event) => {
              // After a click of the pointer Space is to play and pause, not to press this button again.
              if (event.detail > 0) event.currentTarget.blur()
              void (running ? stop() : start())
            }}
          >
            <svg viewBox="0 0 12 12" width="11" height="11" aria-hidden="true">
              <path d={running ? 'M1.5 1.5h9v9h-9z' : 'M2 .8v10.4L11.2 6z'} fill="currentColor" />
            </svg>
            {running ? t('Stop') : t('Run')}
          </button>
        </div>
      </div>
      <ErrorBoundary name={t('The dialog')}>
        <Suspense>
          {sharing && <ShareDialog onClose={() => setSharing(false)} />}
          {choosing && <GalleryDialog onClose={() => setChoosing(false)} />}
          {learning && <LessonsDialog onClose={() => setLearning(false)} />}
          {about && <AboutDialog onClose={() => setAbout(false)} />}
        </Suspense>
      </ErrorBoundary>
    </header>
  )
}

/** The number of workers: what is typed stays until it is a number the scenario can have. */
function WorkersField({ workers }: { readonly workers: number }) {
  const [typed, setTyped] = useState<string | null>(null)
  function take(text: string) {
    setTyped(text)
    const n = Number(text)
    if (text.trim() !== '' && edit((now) => setWorkers(now, n), 'workers')) setTyped(null)
  }
  return (
    <label className="field" data-control="workers editing">
      <span>{t('Workers')}</span>
      <input
        type="number"
        min={1}
        max={MAX_WORKERS}
        step={1}
        value={typed ?? workers}
        aria-invalid={typed !== null}
        onChange={(event) => take(event.target.value)}
        onBlur={() => setTyped(null)}
      />
    </label>
  )
}

function Chevron() {
  return (
    <svg viewBox="0 0 10 6" width="9" height="6" aria-hidden="true">
      <path d="M1 1l4 4 4-4" fill="none" stroke="currentColor" strokeWidth="1.4" />
    </svg>
  )
}
