import { Table } from '../../../app/base/ui/Table.tsx'
import { marked, Words } from '../../../app/base/words/Words.tsx'
import type { ResultSection } from '../../../app/session/features/feature.ts'
import type { Run } from '../../../app/session/run/runStore.ts'
import { numbersOf, t } from '../../../language/translate.ts'
import { type Interval, isInside } from '../../../measures/figures/comparison.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { count, duration, fixed, rate } from '../../../views/drawing/format.ts'
import { scaleFor } from '../../../views/drawing/scale.ts'
import { type Forecast, type ForecastKey, jobsForIntervals } from '../measure/forecast.ts'
import { BATCHES, MIN_JOBS, type SteadyState, steadyInSteps } from '../measure/steadyState.ts'
import { theoryOf } from '../measure/theory.ts'
import { explainForecast, laws } from '../measure/theoryWords.ts'

interface Found {
  readonly theory: Forecast | { readonly reasons: readonly string[] }
  /** With intervals, to compare with theory; null if there is no theory or too little to measure. */
  readonly steady: SteadyState | null
}

export const theoryResult: ResultSection = {
  *inSteps({ trace, scenario }): Generator<void, Found> {
    const theory = theoryOf(scenario)
    return { theory, steady: 'reasons' in theory ? null : yield* steadyInSteps(trace) }
  },
  Section: ({ run, found }) => <TheoryPanel run={run} {...(found as Found)} />,
}

/** The prediction of theory for the scenario beside the measurement, or why there is no theory. */
function TheoryPanel({ theory, steady, run }: Found & { readonly run: Run }) {
  return (
    <section aria-label={t('Theory')}>
      <h3>{t('Theory')}</h3>
      {'reasons' in theory ? (
        <>
          <p>{t('No closed form is known here for this scenario:')}</p>
          <ul className="reasons">
            {theory.reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </>
      ) : (
        <>
          <p>
            <strong>
              <Words text={laws()[theory.law].name} />
            </strong>{' '}
            <span className="soft">({laws()[theory.law].by})</span>
          </p>
          <ul className="sum">
            {explainForecast(theory, words).map((line) => (
              <li key={line}>{marked([line])}</li>
            ))}
          </ul>
          {steady === null ? (
            <p className="soft note">
              {t('Too little to measure: run at least {least} jobs to the end.', { least: count(MIN_JOBS) })}
            </p>
          ) : (
            <Measured forecast={theory} steady={steady} scenario={run.scenario} />
          )}
        </>
      )}
    </section>
  )
}

type Pair = {
  readonly name: string
  readonly kind: 'time' | 'share' | 'number'
  readonly predicted: number
  readonly measured: Interval
}

function pairsOf({ forecast, steady, scenario }: MeasuredProps): Pair[] {
  const pair = (name: string, kind: Pair['kind'], key: ForecastKey): Pair => ({
    name,
    kind,
    predicted: forecast[key],
    measured: steady[key],
  })
  const pairs = [
    pair(t('Utilisation'), 'share', 'utilisation'),
    pair(t('Wait'), 'time', 'meanWait'),
    pair(t('Time in the system'), 'time', 'meanFlowTime'),
    pair(t('Jobs inside'), 'number', 'meanJobsInSystem'),
  ]
  const addWait = (name: string, predicted: number, measured: Interval | null) => {
    if (measured !== null) pairs.push({ name, kind: 'time', predicted, measured })
  }
  if (forecast.stations.length > 1) {
    for (const { stages, meanWait } of forecast.stations)
      addWait(
        t('Wait at {name}', { name: scenario.stages[stages[0]].name }),
        meanWait,
        steady.stages[stages[0]].meanWait,
      )
    return pairs
  }
  // With one station, its wait is the wait of the whole.
  const [{ stages, classWaits }] = forecast.stations
  const [predicted, measured] = [forecast.stages[stages[0]].meanQueue, steady.stages[stages[0]].meanQueue]
  pairs.push({ name: t('Queue'), kind: 'number', predicted, measured })
  for (const [k, wait] of classWaits?.entries() ?? [])
    addWait(t('Wait of class {n}', { n: k + 1 }), wait, steady.classWaits[k])
  return pairs
}

interface MeasuredProps {
  readonly forecast: Forecast
  readonly steady: SteadyState
  readonly scenario: Scenario
}

/** Each figure of theory with the measured 95% interval, and whether it lies inside; only the means if the run is too short for intervals. */
function Measured({ forecast, steady, scenario }: MeasuredProps) {
  const needed = jobsForIntervals(forecast)
  const short = forecast.jobs < needed
  return (
    <>
      <Pairs pairs={pairsOf({ forecast, steady, scenario })} compared={!short} />
      <p className="soft note">
        {short
          ? t('Too short for intervals: run about {needed} jobs.', { needed: count(needed) })
          : t('95% intervals from {n} batch means, without the first tenth of the jobs.', { n: BATCHES })}
      </p>
    </>
  )
}

function Pairs({ pairs, compared }: { readonly pairs: readonly Pair[]; readonly compared: boolean }) {
  const times = pairs.flatMap(({ kind, predicted, measured }) => (kind === 'time' ? [predicted, measured.mean] : []))
  return (
    <Table
      wide={t('Theory')}
      className="held"
      heads={[t('Figure'), t('Theory'), t('measured'), { unseen: t('agrees') }]}
    >
      {pairs.map((pair) => {
        const { name, predicted, measured } = pair
        const { unit, text } = textOf(pair, times)
        const agrees = isInside(measured, predicted)
        return (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{text(predicted)}</td>
            <td>
              {text(measured.mean)}
              {compared && (
                <span className="soft">
                  {' '}
                  ({text(measured.low)} – {text(measured.high)})
                </span>
              )}
              {unit !== '' && ` ${unit}`}
            </td>
            {compared ? (
              <td className={agrees ? 'good' : 'warning'}>
                {agrees ? '✓' : '✗'}
                <span className="unseen">{agrees ? t('agrees') : t('lies outside')}</span>
              </td>
            ) : (
              <td className="soft">–</td>
            )}
          </tr>
        )
      })}
    </Table>
  )
}

/** Returns how the numbers of a row are written. All `times` of the table have one unit. */
function textOf(
  { kind, predicted }: Pair,
  times: readonly number[],
): { readonly unit: string; text(x: number): string } {
  if (kind === 'time') return scaleFor(times, predicted)
  if (kind === 'share') return { unit: '%', text: (x) => fixed(100 * x, 1) }
  return { unit: '', text: (x) => fixed(x, predicted < 100 ? 2 : 0) }
}

const words = { time: duration, rate, number: numbersOf({ maximumSignificantDigits: 3 }) }
