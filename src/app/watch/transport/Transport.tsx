import { Suspense, useMemo } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { type EngineName, isRealTime } from '../../../scenario/model/engines.ts'
import { doesRealWork, type Scenario } from '../../../scenario/model/scenario.ts'
import { momentOf } from '../../../scenario/presets/presets.ts'
import { clock } from '../../../views/drawing/format.ts'
import { Button } from '../../base/controls/Button.tsx'
import { Translated } from '../../base/ui/Translated.tsx'
import { showProblem } from '../../draw/editing/draftProblems.ts'
import { answerStore } from '../../session/answer/keepAnswer.ts'
import { followLive, goTo } from '../../session/page/playhead.ts'
import { runStore } from '../../session/run/runStore.ts'
import { start } from '../../session/run/startStop.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { Advice } from './Advice.tsx'
import { Breaks } from './BreakWhen.tsx'
import { PlaybackControls } from './PlaybackControls.tsx'

/** The playback, the status line, and the notes that come and go above the row. */
export function Transport() {
  const session = useSession()
  const { run, phase, played, following, status, engine } = useStore(runStore(session))
  const scenario = useStore(scenarioStore(session), (state) => state.scenario)
  const blocked = useStore(scenarioStore(session), (state) => state.draftProblems.length)
  const original = useStore(scenarioStore(session), (state) => state.shown === null)
  const standing = useStore(answerStore(session), (state) => state.standing)
  const stale = run !== null && original && !['idle', 'shown', 'due'].includes(standing)
  const finished = phase === 'ended' && run !== null && !isRealTime(run.trace.engine) ? run.scenario : null
  const at = useMemo(() => finished && momentOf(finished), [finished])
  const live = phase === 'running' && isRealTime(engine)
  const words = status()
  return (
    <div className="transport" data-control="transport">
      <PlaybackControls />
      {live && !following && <Button className="icon wide live" onClick={() => followLive(session)} text={t('Live')} />}
      <p className="status" title={words}>
        <span
          role="status"
          className={phase === 'ended' && played && run?.trace.ending === 'stuck' ? 'warning' : undefined}
        >
          {phase === 'idle' && blocked > 0 ? <FixFirst problems={blocked} /> : words}
        </span>
      </p>
      <div className="notes">
        {blocked > 0 ? (
          phase === 'ended' && <FixFirst problems={blocked} />
        ) : (
          <p className={stale ? 'stale' : undefined}>
            {stale
              ? (run?.note ?? <EditedNote />)
              : run === null &&
                hasAdvice(scenario, engine) && (
                  <Suspense>
                    <Advice scenario={scenario} />
                  </Suspense>
                )}
          </p>
        )}
        {at !== null && (
          <p>
            <Translated
              text="<go>Go to {time}</go>, the point of this example."
              values={{ time: clock(at) }}
              tags={{
                go: (inside) => <Button className="link" onClick={() => goTo(session, at)} text={inside} />,
              }}
            />
          </p>
        )}
        {run !== null && <Breaks />}
      </div>
    </div>
  )
}

/** Returns whether there may be advice before a run. */
function hasAdvice({ source, stages }: Scenario, engine: EngineName): boolean {
  return isRealTime(engine) || source.kind === 'lines' || stages.some(doesRealWork)
}

function FixFirst({ problems }: { readonly problems: number }) {
  const session = useSession()
  const text = t('Fix {n, plural, one {# problem} other {# problems}} to run', { n: problems })
  return <Button className="link stale" onClick={() => showProblem(session)} text={text} />
}

/** A run is frozen with its scenario: it can be played on, but an edit needs a new run. */
function EditedNote() {
  const session = useSession()
  return (
    <>
      {t('Edited since this run.')}{' '}
      <Button className="link" onClick={() => void start(session)} text={t('Run again')} />
    </>
  )
}
