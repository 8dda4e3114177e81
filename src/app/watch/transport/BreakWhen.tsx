import { Suspense } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import type { Condition } from '../../../measures/decisions/breakpoints.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { clock, count } from '../../../views/drawing/format.ts'
import { Button } from '../../base/controls/Button.tsx'
import { ruleName } from '../../base/words/ruleName.ts'
import { runStore } from '../../session/run/runStore.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { Causes } from './BreakPanel.tsx'
import { breakpointStore, switchCondition } from './breakpointStore.ts'
import { searchNextBreak } from './breakSearch.ts'
import './breakWhen.css'

/** Why the playback has stopped; a chip for each condition that stops it, and the button to the next stop. */
export function Breaks() {
  const session = useSession()
  const { conditions, on, searching } = useStore(breakpointStore(session))
  const run = useStore(runStore(session), (state) => state.run)
  const present = useStore(scenarioStore(session), (state) => state.scenario)
  const scenario = run?.scenario ?? present
  return (
    <>
      <StoppedLine />
      {on.length > 0 && (
        <div className="break-when" data-control="breaks">
          <div className="chips">
            {on.map((kind) => (
              <Button
                key={kind}
                className="chip"
                title={t('Delete this condition')}
                aria-label={t('No longer pause when {conditions}', {
                  conditions: chipText(conditions[kind], scenario),
                })}
                onClick={() => {
                  switchCondition(session, kind, false)
                  document.querySelector<HTMLElement>('.tools > button')?.focus()
                }}
              >
                {chipText(conditions[kind], scenario)} <span aria-hidden="true">×</span>
              </Button>
            ))}
          </div>
          <Button
            className="button small"
            disabled={run === null || searching}
            title={`${t('Next pause')} (n)`}
            onClick={() => searchNextBreak(session)}
            text={searching ? t('Looking…') : t('Next pause')}
          />
        </div>
      )}
    </>
  )
}

export function chipText(condition: Condition, { stages }: Scenario): string {
  const at = (stage: number | null) => (stage !== null && stage < stages.length ? stages[stage].name : t('any stage'))
  switch (condition.kind) {
    case 'deserted':
      return t('{stage} loses its last worker', { stage: at(condition.stage) })
    case 'queue':
      return t('more than {above} wait at {stage}', { above: count(condition.above), stage: at(condition.stage) })
    case 'disagree':
      return t('{condition} would differ', { condition: ruleName(condition) })
    case 'moves':
      return t('{times, plural, one {# move} other {# moves}} in 1 s', { times: condition.times })
  }
}

/** Why the playback has stopped. Screen readers read it when it changes. */
function StoppedLine() {
  const session = useSession()
  const stopped = useStore(breakpointStore(session), (state) => state.stopped)
  const { run, playing } = useStore(runStore(session))
  const shown = stopped !== null && stopped.run === run && !playing ? stopped : null
  return (
    <p className="stopped" aria-live="polite">
      {shown === null ? null : shown.hit === null ? (
        t('There is no later stop.')
      ) : (
        <Suspense>
          {t('Stopped at {time}:', { time: clock(shown.hit.time) })}{' '}
          <Causes scenario={shown.run.scenario} causes={shown.hit.causes} />
        </Suspense>
      )}
    </p>
  )
}
