import { Suspense } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { Button } from '../../base/controls/Button.tsx'
import { lazyPart } from '../../base/page/lazyPart.tsx'
import { usePopup } from '../../base/ui/Menu.tsx'
import { runStore } from '../../session/run/runStore.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { toNextBreak } from './breaking.ts'
import { breakpointStore, switchCondition } from './breakpointStore.ts'
import { chipText } from './breakWords.ts'
import './breakWhen.css'

const BreakPanel = lazyPart(async () => (await import('./BreakPanel.tsx')).BreakPanel)

/** The conditions that pause the playback: a chip for each, a panel to choose them, and the button to the next break. */
export function BreakWhen() {
  const session = useSession()
  const { conditions, on, searching } = useStore(breakpointStore(session))
  const run = useStore(runStore(session), (state) => state.run)
  const present = useStore(scenarioStore(session), (state) => state.scenario)
  const scenario = run?.scenario ?? present
  const { open, setOpen, close, root, button, id } = usePopup()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape belongs to what is inside
    <div
      className="break-when"
      data-control="breaks"
      ref={root}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && open) close()
      }}
    >
      <div className="chips">
        {on.map((kind) => (
          <Button
            key={kind}
            className="chip"
            title={t('Delete this condition')}
            aria-label={t('No longer pause when {conditions}', { conditions: chipText(conditions[kind], scenario) })}
            onClick={() => {
              switchCondition(session, kind, false)
              button.current?.focus()
            }}
          >
            {chipText(conditions[kind], scenario)} <span aria-hidden="true">×</span>
          </Button>
        ))}
      </div>
      {on.length > 0 && (
        <Button
          className="button small"
          disabled={run === null || searching}
          title={t('To the next instant that meets one of these (n)')}
          onClick={() => toNextBreak(session)}
          text={searching ? t('Looking…') : t('Next pause')}
        />
      )}
      <Button
        ref={button}
        className="button small"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        text={t('Pause when…')}
      />
      <Suspense>{open && <BreakPanel id={id} scenario={scenario} />}</Suspense>
    </div>
  )
}
