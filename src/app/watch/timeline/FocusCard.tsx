import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import type { Journey, Leg } from '../../../measures/jobs/journey.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { clock, count, duration } from '../../../views/drawing/format.ts'
import { classingOf } from '../../../workload/service.ts'
import { Button } from '../../base/controls/Button.tsx'
import { Swatch, Table } from '../../base/ui/Table.tsx'
import { followFocus, journeyIn } from '../../session/page/follow.ts'
import { onScene } from '../../session/page/painter.ts'
import { goTo } from '../../session/page/playhead.ts'
import { askWorker } from '../../session/page/showing.ts'
import { focusOn, timelineStore } from '../../session/page/timelineStore.ts'
import { type Run, runStore } from '../../session/run/runStore.ts'
import { useSession } from '../../session/useSession.ts'
import { TimelineCard } from './TimelineCard.tsx'

/** The most legs that are listed: a job that fails and is tried again has many. */
const MAX_LEGS = 60

/** The search result: a job's way with all its waits and services, or the next service of a stage or worker. */
export function FocusCard() {
  const session = useSession()
  const focus = useStore(timelineStore(session), (state) => state.focus)
  const run = useStore(runStore(session), (state) => state.run)
  if (focus === null || run === null) return null
  if (focus.kind === 'job') return <JobCard key={focus.job} run={run} job={focus.job} />
  const name =
    focus.kind === 'worker'
      ? t('Worker {worker}', { worker: count(focus.worker + 1) })
      : run.scenario.stages[focus.stage]?.name
  return (
    <TimelineCard
      label={t('Found')}
      title={
        <>
          {focus.kind === 'stage' && <Swatch stage={focus.stage} />}
          {name}
        </>
      }
      action={
        <>
          <Button className="button small" onClick={() => followFocus(session, focus)} text={t('Next service')} />
          {focus.kind === 'worker' && (
            <Button
              className="button small"
              onClick={() => askWorker(session, focus.worker)}
              text={t('Why are you here?')}
            />
          )}
        </>
      }
      close={() => focusOn(session, null)}
    />
  )
}

function JobCard({ run, job }: { readonly run: Run; readonly job: number }) {
  const session = useSession()
  const name = t('Job {job}', { job: count(job + 1) })
  const { classes } = run.scenario.source
  const title = classes === undefined ? name : `${name}, ${t('class {n}', { n: classingOf(run.scenario)(job) + 1 })}`
  const [journey, setJourney] = useState<Journey>(() => journeyIn(session, run, job))
  useEffect(
    () => onScene(session, (scene) => scene !== null && scene.run === run && setJourney(journeyIn(session, run, job))),
    [run, job, session],
  )
  return (
    <TimelineCard label={name} title={title} about={summary(journey)} close={() => focusOn(session, null)}>
      {journey.legs.length > 0 && (
        <div className="timeline-card-body">
          <Table heads={[t('Stage'), t('waited'), t('served'), t('worker')]}>
            {journey.legs.slice(0, MAX_LEGS).map((leg) => (
              <LegRow key={`${leg.stage}/${leg.queuedAt}`} leg={leg} scenario={run.scenario} />
            ))}
          </Table>
          {journey.legs.length > MAX_LEGS && (
            <p className="soft">{t('and {more} more', { more: count(journey.legs.length - MAX_LEGS) })}</p>
          )}
        </div>
      )}
    </TimelineCard>
  )
}

function LegRow({ leg, scenario }: { readonly leg: Leg; readonly scenario: Scenario }) {
  const session = useSession()
  const { stage, worker, queuedAt, startedAt, began, ended, outcome } = leg
  const at = startedAt < 0 ? queuedAt : startedAt
  return (
    <tr>
      <th scope="row">
        <button type="button" title={t('Go to {at}', { at: clock(at) })} onClick={() => goTo(session, at)}>
          <Swatch stage={stage} />
          {scenario.stages[stage].name}
        </button>
      </th>
      <td>{startedAt < 0 ? '…' : duration(startedAt - queuedAt)}</td>
      <td>{outcome !== 'served' ? outcome : duration(ended - began)}</td>
      <td>{worker < 0 ? '–' : count(worker + 1)}</td>
    </tr>
  )
}

function summary({ arrivedAt, leftAt, failed, gaveUp, legs }: Journey): string {
  if (arrivedAt < 0) return t('has not arrived yet')
  if (leftAt < 0) return t('arrived at {arrivedAt}, still here', { arrivedAt: clock(arrivedAt) })
  const whole = duration(leftAt - arrivedAt)
  if (gaveUp) return t('given up after {leftAt}, tries: {tries, number}', { leftAt: whole, tries: legs.length })
  if (failed) return t('failed after {leftAt}', { leftAt: whole })
  const served = legs.reduce((sum, { outcome, began, ended }) => sum + (outcome === 'served' ? ended - began : 0), 0)
  return t('{leftAt} in all, {served} served', { leftAt: whole, served: duration(served) })
}
