import { Suspense } from 'react'
import { useStore } from 'zustand'
import { t, tStored } from '../../../language/translate.ts'
import { presets } from '../../../scenario/presets/presets.ts'
import { Button } from '../../base/controls/Button.tsx'
import { isHidden } from '../../base/page/hiddenControls.ts'
import { ErrorBoundary, lazyPart } from '../../base/page/lazyPart.tsx'
import { Mark } from '../../base/page/Mark.tsx'
import { themeStore } from '../../base/page/theme.ts'
import { useMedia } from '../../base/page/useSize.ts'
import type { MenuSection } from '../../base/ui/command.ts'
import { Menu, type MenuEntry } from '../../base/ui/Menu.tsx'
import { runOrStop, useStoppable } from '../../session/answer/keepAnswer.ts'
import { menuOf } from '../../session/commands.ts'
import { OpenLayers, openerOf, useOpenLayers } from '../../session/features/features.tsx'
import { openDialog, showingStore } from '../../session/page/showing.ts'
import { openScenario } from '../../session/run/opening.ts'
import { runStore } from '../../session/run/runStore.ts'
import { roomRefusal } from '../../session/run/startStop.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { AboutDialog } from './AboutDialog.tsx'

const ShareDialog = lazyPart(async () => (await import('../../share/dialog/ShareDialog.tsx')).ShareDialog)

/** Below this width the style sheet hides the menu Learn; its items are in the menu More. */
const NARROW = '(max-width: 1240px)'

/** How many built-in scenarios the menu names; the gallery has all. */
const MAX_SCENARIOS = 6

/** The bar at the top: the scenario, how to run it, and Run. */
export function Header() {
  const session = useSession()
  const scenarios = scenarioStore(session)
  const scenario = useStore(scenarios, (state) => state.draft)
  const faulty = useStore(scenarios, (state) => state.draftProblems.length > 0)
  const { engine, run, room } = useStore(runStore(session))
  // What could not be read can be downloaded from the menu.
  useStore(scenarios, (state) => state.problems)
  // The menus show the present choices.
  useStore(themeStore)
  const titleLayers = useOpenLayers('title')
  const { dialog, front } = useStore(showingStore(session))
  const close = () => openDialog(session, null)
  const running = useStoppable(session)
  const narrow = useMedia(NARROW)
  const why = running
    ? null
    : faulty
      ? t('Fix the marked problems first.')
      : engine === 'room'
        ? roomRefusal(room, scenario)
        : null
  const more: readonly MenuSection[] = [
    'about',
    ...(narrow && !isHidden('presets') ? (['learn'] as const) : []),
    ...(['more', 'trace', 'export', 'files', 'themes', 'languages', 'unreadable', 'link'] as const),
  ]
  const gallery = openerOf(session, 'gallery')
  const examples: MenuEntry[] = [
    ...menuOf(session, 'scenarios'),
    { rule: 'presets' },
    ...presets
      .slice(0, gallery === undefined ? presets.length : MAX_SCENARIOS)
      .map(({ title, about, scenario: preset, engine }) => ({
        label: title,
        about,
        act: () => openScenario(session, preset, engine),
      })),
    ...(gallery === undefined
      ? []
      : [
          { rule: 'all' },
          {
            label: t('All scenarios …'),
            act: () => gallery(session),
          },
        ]),
  ]
  return (
    <header className="bar" data-control="header">
      <h1 className="brand">
        <Mark />
        Apportion
      </h1>
      <Menu
        label={t('Scenarios: {title}', { title: tStored(scenario.title) || t('Untitled') })}
        className="title"
        control="presets"
        items={examples}
      >
        <span className="title-text" dir="auto">
          {tStored(scenario.title) || t('Untitled')}
        </span>
        <Chevron />
      </Menu>
      <OpenLayers layers={titleLayers} />
      <div className="bar-actions">
        <div className="bar-menus">
          <Menu label={t('Learn')} control="presets" className="button learn" items={menuOf(session, 'learn')}>
            {t('Learn')}
          </Menu>
        </div>
        <Menu label={t('More')} control="more" items={menuOf(session, ...more)}>
          {t('More')}
        </Menu>
        <Button data-control="share" onClick={() => openDialog(session, 'share')} text={t('Share')} />
        {/* The front page has the button until it is pressed. */}
        {!(front && run === null) && (
          <Button
            className="button run"
            data-control="run"
            disabled={why !== null}
            title={why ?? undefined}
            onClick={(event) => {
              // After a click Space plays and pauses, instead of pressing this button again.
              if (event.detail > 0) event.currentTarget.blur()
              runOrStop(session)
            }}
          >
            <svg viewBox="0 0 12 12" width="11" height="11" aria-hidden="true">
              <path d={running ? 'M1.5 1.5h9v9h-9z' : 'M2 .8v10.4L11.2 6z'} fill="currentColor" />
            </svg>
            {running ? t('Stop') : t('Run')}
          </Button>
        )}
      </div>
      <ErrorBoundary>
        <Suspense>
          {dialog === 'share' && <ShareDialog onClose={close} />}
          {dialog === 'about' && <AboutDialog onClose={close} />}
        </Suspense>
      </ErrorBoundary>
    </header>
  )
}

function Chevron() {
  return (
    <svg viewBox="0 0 10 6" width="9" height="6" aria-hidden="true">
      <path d="M1 1l4 4 4-4" fill="none" stroke="currentColor" strokeWidth="1.4" />
    </svg>
  )
}
