import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { Table } from '../../../app/base/ui/Table.tsx'
import { problemPlace } from '../../../app/draw/problems/ProblemList.tsx'
import { seek } from '../../../app/session/page/playhead.ts'
import { type Run, runStore } from '../../../app/session/run/runStore.ts'
import { JobFailure, JobProgress } from '../../../app/session/study/JobProgress.tsx'
import { study, useStudyInSight } from '../../../app/session/study/study.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import type { Metrics } from '../../../measures/figures/metrics.ts'
import { runJobs } from '../../../runs/remote/jobThreads.ts'
import { comparisonKey } from '../../../scenario/model/compact.ts'
import type { Micros, Order, Scenario } from '../../../scenario/model/scenario.ts'
import { countServices } from '../../../scenario/model/sources.ts'
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
  const { meanParked, longest, most } = cost
  /** A figure, and a link to the time at which others waited for the ticket. */
  const row = (name: string, value: string, ticket = -1, time: Micros = 0) => (
    <tr>
      <th scope="row">{name}</th>
      <td>{value}</td>
      <td>
        {ticket >= 0 && (
          <Button
            className="link"
            title={t('Go to {time}', { time: clock(time) })}
            onClick={() => seek(session, time)}
            text={t('ticket {ticket}', { ticket })}
          />
        )}
      </td>
    </tr>
  )
  return (
    <>
      <section>
        <h3>{t('What order cost')}</h3>
        <table>
          <tbody>
            {row(t('Held, on average'), duration(meanParked))}
            {longest && row(t('Longest hole'), duration(longest.to - longest.from), longest.ticket, longest.from)}
            {most && row(t('Most held'), count(most.jobs), most.ticket, most.at)}
          </tbody>
        </table>
      </section>
      <Comparison key={run.trace.startedAt} scenario={run.scenario} />
    </>
  )
}

const orderStudy = study<Scenario, readonly OrderTrial[]>({
  key: comparisonKey,
  work: (scenario, control) =>
    compareOrders(scenario, (scenarios, answer) => runJobs('metrics', scenarios, { ...control, answer })),
})

function Comparison({ scenario }: { readonly scenario: Scenario }) {
  const small = countServices(scenario) <= MAX_PLAYED_UNASKED
  const { study, state, start, section, waits } = useStudyInSight(orderStudy, scenario, small)
  return (
    <section ref={section}>
      <div className="progress-row order-compared">
        <h3>{t('Every order, same random seed')}</h3>
        <JobProgress inline job={study} />
      </div>
      {waits && <Button onClick={start} text={t('Compare the orders')} />}
      <JobFailure job={study} />
      {/* The table has its size from the beginning, so that what is below stays where it is. */}
      {!waits && <Orders scenario={scenario} trials={state.found} />}
    </section>
  )
}

const rows = (): readonly (readonly [name: string, of: (figures: Metrics) => string])[] => [
  [t('All done after'), ({ makespan }) => duration(makespan)],
  [t('Time in the system'), ({ meanFlowTime }) => duration(meanFlowTime)],
  ['99%', ({ p99FlowTime }) => duration(p99FlowTime)],
  [t('Workers busy'), ({ utilisation }) => percent(utilisation, 0)],
  [t('Out of order'), ({ reordered }) => count(reordered)],
]

const names = (): Readonly<Record<Order['kind'], string>> => ({
  none: t('As they are done'),
  buffer: t('In order, by a buffer'),
  shard: t('In order, by shards'),
})

interface OrdersProps {
  readonly scenario: Scenario
  readonly trials: readonly OrderTrial[] | null
}

function Orders({ scenario, trials }: OrdersProps) {
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
    </>
  )
}
