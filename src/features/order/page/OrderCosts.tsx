import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { watchOnScreen } from '../../../app/base/browser/onScreen.ts'
import { Button } from '../../../app/base/controls/Button.tsx'
import { Table } from '../../../app/base/tables/Table.tsx'
import { problemPlace } from '../../../app/draw/problems/problemPlace.ts'
import type { BackgroundJob } from '../../../app/session/run/backgroundJob.ts'
import { JobFailure, JobProgress } from '../../../app/session/run/JobProgress.tsx'
import { seek } from '../../../app/session/run/playhead.ts'
import { type Run, runStore } from '../../../app/session/run/runStore.ts'
import { useJob } from '../../../app/session/run/useJob.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import type { Metrics } from '../../../measures/figures/metrics.ts'
import { runJobs } from '../../../runs/remote/jobThreads.ts'
import { isRealTime } from '../../../scenario/model/engines.ts'
import type { Micros, Order, Scenario } from '../../../scenario/model/scenario.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { clock, count, duration, percent } from '../../../views/drawing/format.ts'
import type { OrderCost } from '../measure/orderLog.ts'
import { compareOrders, type OrderTrial, ordersBeside } from '../orderCost.ts'

/** A comparison of at most so many services takes a moment, and begins as soon as it comes into view. */
const AT_ONCE = 40_000

/** What order cost in this run, and the same jobs in the other orders. */
export function OrderCosts({ run, cost }: { readonly run: Run; readonly cost: OrderCost }) {
  const session = useSession()
  const ended = useStore(runStore(session), ({ phase }) => phase === 'ended')
  if (!ended) return null
  const { longest, most } = cost
  return (
    <>
      <section>
        <h3>{t('What order cost')}</h3>
        <table>
          <tbody>
            <tr>
              <th scope="row">{t('Held, on average')}</th>
              <td>{duration(cost.meanParked)}</td>
              <td />
            </tr>
            {longest !== null && (
              <tr>
                <th scope="row">{t('Longest hole')}</th>
                <td>{duration(longest.to - longest.from)}</td>
                <td>
                  <TicketAt ticket={longest.ticket} time={longest.from} />
                </td>
              </tr>
            )}
            {most !== null && (
              <tr>
                <th scope="row">{t('Most held')}</th>
                <td>{count(most.jobs)}</td>
                <td>
                  <TicketAt ticket={most.ticket} time={most.at} />
                </td>
              </tr>
            )}
          </tbody>
        </table>
      </section>
      <Comparison key={run.trace.startedAt} scenario={run.scenario} real={isRealTime(run.trace.engine)} />
    </>
  )
}

/** The ticket that was waited for: a link that moves the playhead there. */
function TicketAt({ ticket, time }: { readonly ticket: number; readonly time: Micros }) {
  const session = useSession()
  return (
    <Button className="link" title={t('Go to {time}', { time: clock(time) })} onClick={() => seek(session, time)} text={t('ticket {ticket}', { ticket })} />
  )
}

function Comparison({ scenario, real }: { readonly scenario: Scenario; readonly real: boolean }) {
  const small = countJobs(scenario.source) * scenario.stages.length <= AT_ONCE
  const section = useRef<HTMLElement>(null)
  const [job, state] = useJob<readonly OrderTrial[]>()
  const [asked, setAsked] = useState(small)
  useEffect(() => {
    if (!small || section.current === null) return
    const end = watchOnScreen(section.current, (on) => {
      if (!on) return
      end()
      compare(job, scenario)
    })
    return end
  }, [small, job, scenario])
  const begin = () => {
    setAsked(true)
    compare(job, scenario)
  }
  const cancel = () => {
    setAsked(false)
    job.cancel()
  }
  return (
    <section ref={section}>
      <div className="progress-row order-compared">
        <h3>{t('Every order, same random seed')}</h3>
        <JobProgress inline job={job} label={t('Playing in every order')} cancel={cancel} />
      </div>
      {!asked && <Button onClick={begin} text={t('Compare the orders')} />}
      {asked && <JobFailure job={job} />}
      {/* The table has its size from the beginning, so that what is below stays where it is. */}
      {asked && state.phase !== 'failed' && <Orders scenario={scenario} trials={state.phase === 'done' ? state.result : null} real={real} />}
    </section>
  )
}

function compare(job: BackgroundJob<readonly OrderTrial[]>, scenario: Scenario): void {
  void job.run((control) => compareOrders(scenario, (scenarios, answer) => runJobs('metrics', scenarios, { ...control, answer })))
}

const rows = (): readonly (readonly [name: string, of: (figures: Metrics) => string])[] => [
  [t('All done after'), ({ makespan }) => duration(makespan)],
  [t('Mean flow time'), ({ meanFlowTime }) => duration(meanFlowTime)],
  [t('99% below'), ({ p99FlowTime }) => duration(p99FlowTime)],
  [t('Workers busy'), ({ utilisation }) => percent(utilisation, 0)],
  [t('Out of order'), ({ reordered }) => count(reordered)],
]

const names = (): Readonly<Record<Order['kind'], string>> => ({ none: t('as they come'), buffer: t('buffer'), shard: t('shards') })

function Orders({ scenario, trials, real }: { readonly scenario: Scenario; readonly trials: readonly OrderTrial[] | null; readonly real: boolean }) {
  const orders = ordersBeside(scenario)
  return (
    <>
      <Table data-testid={trials === null ? undefined : 'order-comparison'} heads={[{ unseen: t('Figure') }, ...orders.map(({ kind }) => names()[kind])]}>
        {rows().map(([name, of]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {orders.map(({ kind }, k) => (
              <td key={kind}>{trials !== null && 'figures' in trials[k] ? of(trials[k].figures) : '–'}</td>
            ))}
          </tr>
        ))}
      </Table>
      {trials?.map(
        (trial) =>
          'problem' in trial && (
            <p className="soft note" key={trial.order.kind}>
              {problemPlace(trial.problem, scenario)}: {trial.problem.message}.
            </p>
          ),
      )}
      {real && <p className="soft note">{t('All as the simulation predicts them.')}</p>}
    </>
  )
}
