import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { Fold } from '../../../app/base/controls/Fold.tsx'
import { seek } from '../../../app/session/page/playhead.ts'
import { type Run, runStore } from '../../../app/session/run/runStore.ts'
import { JobFailure, JobProgress } from '../../../app/session/study/JobProgress.tsx'
import { study, useStudy } from '../../../app/session/study/study.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { isolated, t } from '../../../language/translate.ts'
import {
  DISCARDED,
  DISMISSED,
  FAILED,
  GATHERED,
  HIRED,
  RELEASED,
  ROUTED,
  type Row,
  STARTED,
  WITHDRAWN,
} from '../../../pipeline/rows.ts'
import { isRealTime } from '../../../scenario/model/engines.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { clock, count } from '../../../views/drawing/format.ts'
import type { DecisionRecord, Difference, Replay } from '../study/replay.ts'
import './replay.css'

/** Plays the record of a run that has ended through the scheduler again. The playhead goes to the first difference. */
export const replayStudy = study<Run, Replay>({
  key: (run) => run,
  ofRun: true,
  async work(run, { session, ...control }) {
    const { replayTrace } = await import('../study/replayTrace.ts')
    const replay = await replayTrace(run.trace, control)
    control.signal.throwIfAborted()
    if (replay.difference !== null) seek(session, replay.difference.time)
    return replay
  },
})

/** Plays the record of the run through the scheduler again: is every decision the same? */
export function ReplayPanel() {
  const session = useSession()
  const run = useStore(runStore(session), (state) => (state.phase === 'ended' ? state.run : null))
  const { study: replaying, state, start } = useStudy(replayStudy, run)
  if (run === null || run.trace.length === 0 || run.trace.begins !== null) return null
  const result = state.found
  const gist =
    result === null ? t('not checked yet') : result.difference === null ? t('all decisions reproduced') : t('differs')
  return (
    <section className="replay" aria-label={t('Replay')}>
      <Fold id="replay" head={<h3>{t('Replay')}</h3>} note={gist}>
        {state.phase !== 'running' && result === null && (
          <>
            <p className="soft">
              {isRealTime(run.trace.engine)
                ? t(
                    'What the workers reported is replayed through the scheduler, instant by instant, and each decision and order is compared with the record.',
                  )
                : t(
                    'The record is replayed through the scheduler, instant by instant, and each decision and order is compared with it.',
                  )}
            </p>
            <Button onClick={start} text={t('Check every decision')} />
          </>
        )}
        <JobProgress job={replaying} label={t('Replaying')} />
        <JobFailure job={replaying} />
        {result !== null && (
          <div aria-live="polite">
            <p>
              <strong className={result.difference === null ? 'good' : 'warning'}>{verdictOf(result)}</strong>
            </p>
            {result.difference !== null && <Sides run={run} difference={result.difference} />}
          </div>
        )}
      </Fold>
    </section>
  )
}

function Sides({ run, difference }: { readonly run: Run; readonly difference: Difference }) {
  const session = useSession()
  const { recorded, now } = sidesOf(run.scenario, difference)
  return (
    <>
      <dl>
        <dt>{t('Recorded')}</dt>
        <dd>{recorded}</dd>
        <dt>{t('The scheduler now')}</dt>
        <dd>{now}</dd>
      </dl>
      <Button
        className="link"
        onClick={() => seek(session, difference.time)}
        text={t('Go to {time}', { time: clock(difference.time) })}
      />
    </>
  )
}

export function verdictOf({ decisions, reproduced, difference }: Replay): string {
  const of = t('{reproduced} of {decisions} decisions', { reproduced: count(reproduced), decisions: count(decisions) })
  if (difference === null) return t('Reproduced, {of}.', { of })
  const { time } = difference
  const decision = count(difference.decision + 1)
  const decisionText =
    difference.decision < reproduced
      ? t('after decision {decision}', { decision })
      : t('at decision {decision}', { decision })
  const where = difference.decision < 0 ? t('before the first decision') : decisionText
  return t('Differs {where}, at {time}: {of} reproduced before it.', { where, time: clock(time), of })
}

/** Returns the record and the present answer of the scheduler, each as a clause. */
export function sidesOf(
  scenario: Scenario,
  difference: Difference,
): { readonly recorded: string; readonly now: string } {
  if (difference.kind === 'refused')
    return {
      recorded: t('facts that cannot have happened'),
      now: t('cannot take them: {reason}', { reason: difference.reason }),
    }
  if (difference.kind === 'row')
    return { recorded: rowText(scenario, difference.recorded), now: rowText(scenario, difference.replayed) }
  const [recorded, now] = [difference.recorded, difference.replayed].map((record) => seatsText(scenario, record))
  const alike = difference.recorded !== null && recorded === now
  return {
    recorded,
    now: alike ? t('{now}, but from other queues or service times than the record has', { now }) : now,
  }
}

function seatsText({ stages }: Scenario, record: DecisionRecord | null): string {
  if (record === null) return t('no decision here')
  return t('targets: {seats}', {
    seats: stages.map(({ name }, s) => `${isolated(name)} ${record.seats[s]}`).join(', '),
  })
}

/** Returns a row in words. People count jobs and workers from 1. */
function rowText({ stages }: Scenario, row: Row | null): string {
  if (row === null) return t('nothing more follows')
  const { kind, time } = row
  const stage = stages[row.stage]?.name ?? ''
  const job = count(row.job + 1)
  const who = t('worker {worker}', { worker: row.worker + 1 })
  const what: Readonly<Record<number, string>> = {
    [STARTED]: t('{who} begins job {job} at {stage}', { who, job, stage }),
    [HIRED]: t('{who} is hired for {stage}', { who, stage }),
    [DISMISSED]: t('{who} is dismissed from {stage}', { who, stage }),
    [RELEASED]: t('job {job} leaves', { job }),
    [FAILED]: t('job {job} is failed at {stage}', { job, stage }),
    [ROUTED]: t('job {job} is routed to {stage}', { job, stage }),
    [GATHERED]: t('all parts of job {job} have come to {stage}', { job, stage: stage === '' ? t('the sink') : stage }),
    [WITHDRAWN]: t('a part of the failed job {job} is removed from {stage}', { job, stage }),
    [DISCARDED]: t('a part of the failed job {job} no longer waits at {stage}', { job, stage }),
  }
  return t('{what}, at {time}', { what: what[kind] ?? t('another event'), time: clock(time) })
}
