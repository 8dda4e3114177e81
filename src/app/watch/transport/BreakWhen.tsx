import { Suspense } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { lazyPart } from '../../base/page/lazyPart.tsx'
import { usePopup } from '../../base/ui/usePopup.ts'
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
      {on.map((kind) => (
        <button
          key={kind}
          type="button"
          className="chip"
          title={t('No longer break for this')}
          aria-label={t('No longer break when {conditions}', { conditions: chipText(conditions[kind], scenario) })}
          onClick={() => {
            switchCondition(session, kind, false)
            button.current?.focus()
          }}
        >
          {chipText(conditions[kind], scenario)} <span aria-hidden="true">×</span>
        </button>
      ))}
      {on.length > 0 && (
        <button
          type="button"
          className="button small"
          disabled={run === null || searching}
          title={t('To the next instant that meets one of these (n)')}
          onClick={() => toNextBreak(session)}
        >
          {searching ? t('Looking…') : t('Next break')}
        </button>
      )}
      <button ref={button} type="button" className="button small" aria-haspopup="dialog" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        {t('Break when…')}
      </button>
      <Suspense>{open && <BreakPanel id={id} scenario={scenario} />}</Suspense>
    </div>
  )
}
