import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import type { Metrics } from '../../../measures/figures/metrics.ts'
import type { OrderCost } from '../../../measures/order/orderLog.ts'
import { Cancelled, runJobs } from '../../../runs/remote/jobThreads.ts'
import { compareOrders, type OrderTrial, ordersBeside } from '../../../runs/study/orderCost.ts'
import { countJobs } from '../../../scenario/model/limits.ts'
import type { Micros, Order, Scenario } from '../../../scenario/model/scenario.ts'
import { clock, count, duration, percent } from '../../../views/drawing/format.ts'
import { problemPlace } from '../../draw/problems/problemPlace.ts'
import { move, type Run, runStore } from '../../session/run/runStore.ts'

/** Up to so many services the comparison is played as soon as it comes into view: it is there in a moment. */
const AT_ONCE = 40_000

/** What order has cost in this run, and beside it the same jobs in the other orders. */
export function OrderCosts({ run, cost }: { readonly run: Run; readonly cost: OrderCost }) {
  const ended = useStore(runStore, ({ phase }) => phase === 'ended')
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
      <Comparison key={run.trace.startedAt} scenario={run.scenario} real={run.trace.engine === 'threads'} />
    </>
  )
}

/** The ticket that was waited for; pressed, it takes the playhead there. */
function TicketAt({ ticket, time }: { readonly ticket: number; readonly time: Micros }) {
  return (
    <button type="button" className="link" title={t('Go to {time}', { time: clock(time) })} onClick={() => move({ playing: false, following: false, time })}>
      {t('ticket {ticket}', { ticket })}
    </button>
  )
}

type Outcome = { readonly share: number } | { readonly trials: readonly OrderTrial[] } | { readonly reason: string }

function Comparison({ scenario, real }: { readonly scenario: Scenario; readonly real: boolean }) {
  const small = countJobs(scenario.source) * scenario.stages.length <= AT_ONCE
  const section = useRef<HTMLElement>(null)
  const [asked, setAsked] = useState(small)
  const [begun, setBegun] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>({ share: 0 })
  useEffect(() => {
    if (!small || section.current === null) return
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      seen.disconnect()
      setBegun(true)
    })
    seen.observe(section.current)
    return () => seen.disconnect()
  }, [small])
  useEffect(() => {
    if (!begun) return
    setOutcome({ share: 0 })
    const leaving = new AbortController()
    const options = { signal: leaving.signal, progress: (share: number) => setOutcome({ share }) }
    compareOrders(scenario, (scenarios, answer) => runJobs('metrics', scenarios, { ...options, answer })).then(
      (trials) => setOutcome({ trials }),
      (error: unknown) => !(error instanceof Cancelled) && setOutcome({ reason: error instanceof Error ? error.message : String(error) }),
    )
    return () => leaving.abort()
  }, [scenario, begun])
  const ask = (wanted: boolean) => {
    setAsked(wanted)
    setBegun(wanted)
  }
  return (
    <section ref={section}>
      <div className="order-compared">
        <h3>{t('Every order, same luck')}</h3>
        {begun && 'share' in outcome && (
          <>
            <progress value={outcome.share} max={1} aria-label={t('Playing in every order')} />
            <button type="button" className="link" onClick={() => ask(false)}>
              {t('Cancel')}
            </button>
          </>
        )}
      </div>
      {!asked && (
        <button type="button" className="button" onClick={() => ask(true)}>
          {t('Compare the orders')}
        </button>
      )}
      {asked && 'reason' in outcome && <p className="warning">{outcome.reason}</p>}
      {/* It has its size from the beginning: what is below stays where it is. */}
      {asked && !('reason' in outcome) && <Table scenario={scenario} trials={'trials' in outcome ? outcome.trials : null} real={real} />}
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

const names = (): Readonly<Record<Order['kind'], string>> => ({ none: t('as they come'), buffer: t('buffer'), shard: t('shards') })

function Table({ scenario, trials, real }: { readonly scenario: Scenario; readonly trials: readonly OrderTrial[] | null; readonly real: boolean }) {
  const orders = ordersBeside(scenario)
  return (
    <>
      <table data-testid={trials === null ? undefined : 'order-comparison'}>
        <thead>
          <tr>
            <th scope="col">
              <span className="unseen">{t('Figure')}</span>
            </th>
            {orders.map(({ kind }) => (
              <th scope="col" key={kind}>
                {names()[kind]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows().map(([name, of]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {orders.map(({ kind }, k) => (
                <td key={kind}>{trials !== null && 'figures' in trials[k] ? of(trials[k].figures) : '–'}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {trials?.map(
        (trial) =>
          'problem' in trial && (
            <p className="soft note" key={trial.order.kind}>
              {problemPlace(trial.problem, scenario)}: {trial.problem.message}.
            </p>
          ),
      )}
      {real && <p className="soft note">{t('All as the simulation foretells them.')}</p>}
    </>
  )
}
