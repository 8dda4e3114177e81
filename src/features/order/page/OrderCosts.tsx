import { type ReactNode, useRef } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { Table } from '../../../app/base/ui/Table.tsx'
import { problemPlace } from '../../../app/draw/problems/ProblemList.tsx'
import { seek } from '../../../app/session/page/playhead.ts'
import { type Run, runStore } from '../../../app/session/run/runStore.ts'
import { JobFailure, JobProgress } from '../../../app/session/study/JobProgress.tsx'
import { study, useSeen, useStudy } from '../../../app/session/study/study.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import type { Metrics } from '../../../measures/figures/metrics.ts'
import { runJobs } from '../../../runs/remote/jobThreads.ts'
import { comparisonKey } from '../../../scenario/model/compact.ts'
import { isRealTime } from '../../../scenario/model/engines.ts'
import type { Micros, Order, Scenario } from '../../../scenario/model/scenario.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { clock, count, duration, percent } from '../../../views/drawing/format.ts'
import type { OrderCost } from '../measure/orderLog.ts'
import { compareOrders, type OrderTrial, ordersBeside } from '../study/orderCost.ts'

/** A comparison of at most this many services takes a moment, and starts as soon as it comes into view. */
const MAX_PLAYED_UNASKED = 40_000

/** The cost of order in this run, and the same jobs in the other orders. */
export function OrderCosts({ run, cost }: { readonly run: Run; readonly cost: OrderCost }) {
  const session = useSession()
  const ended = useStore(runStore(session), ({ phase }) => phase === 'ended')
  if (!ended) return null
  const { longest, most } = cost
  const lines: readonly (readonly [name: string, value: string, ticket?: ReactNode])[] = [
    [t('Held, on average'), duration(cost.meanParked)],
    ...(longest
      ? [
          [
            t('Longest hole'),
            duration(longest.to - longest.from),
            <TicketAt key="longest" ticket={longest.ticket} time={longest.from} />,
          ] as const,
        ]
      : []),
    ...(most
      ? [[t('Most held'), count(most.jobs), <TicketAt key="most" ticket={most.ticket} time={most.at} />] as const]
      : []),
  ]
  return (
    <>
      <section>
        <h3>{t('What order cost')}</h3>
        <table>
          <tbody>
            {lines.map(([name, value, ticket]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{value}</td>
                <td>{ticket}</td>
              </tr>
            ))}
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
    <Button
      className="link"
      title={t('Go to {time}', { time: clock(time) })}
      onClick={() => seek(session, time)}
      text={t('ticket {ticket}', { ticket })}
    />
  )
}

const orderStudy = study<Scenario, readonly OrderTrial[]>({
  key: comparisonKey,
  work: (scenario, control) =>
    compareOrders(scenario, (scenarios, answer) => runJobs('metrics', scenarios, { ...control, answer })),
})

function Comparison({ scenario, real }: { readonly scenario: Scenario; readonly real: boolean }) {
  const small = countJobs(scenario.source) * scenario.stages.length <= MAX_PLAYED_UNASKED
  const section = useRef<HTMLElement>(null)
  const seen = useSeen(section)
  const { study, state, start } = useStudy(orderStudy, scenario, small && seen)
  const { phase, found } = state
  const asked = phase !== 'stopped' && (small || phase !== 'idle')
  return (
    <section ref={section}>
      <div className="progress-row order-compared">
        <h3>{t('Every order, same random seed')}</h3>
        <JobProgress inline job={study} label={t('Playing in every order')} />
      </div>
      {(!asked || phase === 'failed') && <Button onClick={start} text={t('Compare the orders')} />}
      <JobFailure job={study} />
      {/* The table has its size from the beginning, so that what is below stays where it is. */}
      {asked && phase !== 'failed' && <Orders scenario={scenario} trials={found} real={real} />}
    </section>
  )
}

const rows = (): readonly (readonly [name: string, of: (figures: Metrics) => string])[] => [
  [t('All done after'), ({ makespan }) => duration(makespan)],
  [t('Mean flow time'), ({ meanFlowTime }) => duration(meanFlowTime)],
  [t('99% below'), ({ p99FlowTime }) => duration(p99FlowTime)],
  [t('Workers busy'), ({ utilisation }) => percent(utilisation, 0)],
  [t('Out of order'), ({ reordered }) => count(reordered)],
]

const names = (): Readonly<Record<Order['kind'], string>> => ({
  none: t('as they come'),
  buffer: t('buffer'),
  shard: t('shards'),
})

function Orders({
  scenario,
  trials,
  real,
}: {
  readonly scenario: Scenario
  readonly trials: readonly OrderTrial[] | null
  readonly real: boolean
}) {
  const orders = ordersBeside(scenario)
  return (
    <>
      <Table
        data-testid={trials === null ? undefined : 'order-comparison'}
        heads={[{ unseen: t('Figure') }, ...orders.map(({ kind }) => names()[kind])]}
      >
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
