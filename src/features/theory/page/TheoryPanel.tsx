import { Button } from '../../../app/base/controls/Button.tsx'
import { Table } from '../../../app/base/ui/Table.tsx'
import { marked, Words } from '../../../app/base/words/Words.tsx'
import type { ResultSection } from '../../../app/session/features/feature.ts'
import { selectRange } from '../../../app/session/page/timelineStore.ts'
import type { Run } from '../../../app/session/run/runStore.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { numbersOf, t } from '../../../language/translate.ts'
import { type Interval, isInside } from '../../../measures/figures/comparison.ts'
import type { Metrics } from '../../../measures/figures/metrics.ts'
import { isRealTime } from '../../../scenario/model/engines.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { count, duration, exactDuration, fixed, rate } from '../../../views/drawing/format.ts'
import { scaleFor } from '../../../views/drawing/scale.ts'
import { type Forecast, type ForecastKey, jobsForIntervals } from '../measure/forecast.ts'
import { MIN_VALUES } from '../measure/nskart.ts'
import { type SteadyState, steadyInSteps } from '../measure/steadyState.ts'
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
    return { theory, steady: 'reasons' in theory || theory.law === 'line' ? null : yield* steadyInSteps(trace) }
  },
  Section: ({ run, figures, found }) => <TheoryPanel run={run} figures={figures} {...(found as Found)} />,
}

/** The prediction of theory for the scenario beside the measurement, or why there is no theory. */
function TheoryPanel({ theory, steady, figures, run }: Found & { readonly run: Run; readonly figures: Metrics }) {
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
            {explainForecast(theory, theory.law === 'line' ? exactWords : words).map((line) => (
              <li key={line}>{marked([line])}</li>
            ))}
          </ul>
          {theory.law === 'line' ? (
            <Exact forecast={theory} figures={figures} />
          ) : steady === null ? (
            <p className="soft note">
              {t(
                'Too little to measure: it takes a run that is drained, with {least} jobs or more and no worker lost.',
                { least: count(MIN_VALUES) },
              )}
            </p>
          ) : (
            <Measured forecast={theory} steady={steady} scenario={run.scenario} />
          )}
          {isRealTime(run.trace.engine) && (
            <p className="soft note">
              {t(
                'Theory uses the declared service times and free messages. On real workers both take longer, and this shows most where services are short.',
              )}
            </p>
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

function pairsOf(forecast: Forecast, measured: (key: ForecastKey) => Interval): Pair[] {
  const pair = (name: string, kind: Pair['kind'], key: ForecastKey): Pair => ({
    name,
    kind,
    predicted: forecast[key],
    measured: measured(key),
  })
  return [
    pair(t('Utilisation'), 'share', 'utilisation'),
    pair(t('Wait'), 'time', 'meanWait'),
    pair(t('Flow time'), 'time', 'meanFlowTime'),
    pair(t('Jobs inside'), 'number', 'meanJobsInSystem'),
  ]
}

/** Each figure of theory with the measured 95% interval, and whether it lies inside; only the means if the run is too short for intervals. */
function Measured({
  forecast,
  steady,
  scenario,
}: {
  readonly forecast: Forecast
  readonly steady: SteadyState
  readonly scenario: Scenario
}) {
  const session = useSession()
  const pairs = pairsOf(forecast, (key) => steady[key])
  // With one station, its wait is the wait of the whole.
  const several = forecast.stations.length > 1
  const [s] = forecast.stations[0].stages
  if (!several)
    pairs.push({
      name: t('Queue'),
      kind: 'number',
      predicted: forecast.stages[s].meanQueue,
      measured: steady.stages[s].meanQueue,
    })
  else
    for (const { stages } of forecast.stations) {
      const measured = steady.stages[stages[0]].meanWait
      if (measured !== null)
        pairs.push({
          name: t('Wait at {name}', { name: scenario.stages[stages[0]].name }),
          kind: 'time',
          predicted: forecast.stages[stages[0]].meanWait,
          measured,
        })
    }
  const [{ patience, gaveUp, classWaits }] = forecast.stations
  if (patience < Infinity)
    pairs.push({ name: t('Given up'), kind: 'share', predicted: gaveUp, measured: steady.gaveUp })
  const parts = several ? 4 : pairs.length
  if (!several)
    for (const [k, predicted] of classWaits?.entries() ?? []) {
      const measured = steady.classWaits[k]
      if (measured !== null)
        pairs.push({ name: t('Wait of class {n}', { n: k + 1 }), kind: 'time', predicted, measured })
    }
  const needed = jobsForIntervals(forecast)
  const short = forecast.jobs < needed
  return (
    <>
      <Pairs pairs={pairs} stagesFrom={parts} compared={!short} approximate={forecast.approximate} />
      {forecast.approximate && (
        <p className="soft note">
          {t(
            'This formula is an approximation: waits may be off by several percent, and by more at a steady pace. No figure is judged.',
          )}
        </p>
      )}
      <p className="soft note">
        {short
          ? t(
              'Too short for intervals: at this load a queue remembers for about {slowest} (Odoni and Roth 1983). Run longer: about {needed} jobs.',
              {
                slowest: duration(Math.max(...forecast.stations.map(({ relaxation }) => relaxation))),
                needed: count(needed),
              },
            )
          : t(
              'The first {warmUp, plural, =0 {jobs are} one {# job is} other {# jobs are}} left out as warm-up, until {settled}. The intervals are at 95% (N-Skart; Tafazzoli, Steiger and Wilson 2011): one in twenty misses by chance alone.',
              { warmUp: steady.warmUp, settled: duration(steady.settled) },
            )}
        {!short && steady.warmUp > 0 && (
          <>
            {' '}
            <Button
              className="link"
              onClick={() => selectRange(session, [0, steady.settled])}
              text={t('Select the warm-up on the timeline')}
            />
          </>
        )}
      </p>
    </>
  )
}

/** For a linear pipeline the exact run is predicted. */
function Exact({ forecast, figures }: { readonly forecast: Forecast; readonly figures: Metrics }) {
  const exactly = (mean: number): Interval => ({ mean, low: mean, high: mean })
  const makespan: Pair = {
    name: t('Makespan'),
    kind: 'time',
    predicted: forecast.makespan ?? 0,
    measured: exactly(figures.makespan),
  }
  const pairs = [makespan, ...pairsOf(forecast, (key) => exactly(figures[key]))]
  return <Pairs pairs={pairs} stagesFrom={pairs.length} compared />
}

type ComparisonOptions = { readonly stagesFrom: number; readonly compared: boolean; readonly approximate?: boolean }

function Pairs({
  pairs,
  stagesFrom,
  compared,
  approximate = false,
}: ComparisonOptions & { readonly pairs: readonly Pair[] }) {
  const times = pairs.flatMap(({ kind, predicted, measured }) => (kind === 'time' ? [predicted, measured.mean] : []))
  return (
    <Table
      wide={t('Theory')}
      className="held"
      heads={[t('Figure'), t('theory'), t('measured'), { unseen: t('agrees') }]}
    >
      {pairs.map((pair, i) => {
        const { predicted, measured } = pair
        const { unit, text } = textOf(pair, times)
        const interval = measured.high > measured.low
        const agrees = interval ? isInside(measured, predicted) : isEqual(pair)
        return (
          <tr key={pair.name}>
            <th scope="row">{i >= stagesFrom ? <span className="soft">{pair.name}</span> : pair.name}</th>
            <td>{text(predicted)}</td>
            <td>
              {text(measured.mean)}
              {interval && compared && (
                <span className="soft">
                  {' '}
                  ({text(measured.low)} – {text(measured.high)})
                </span>
              )}
              {unit !== '' && ` ${unit}`}
            </td>
            {compared && !approximate ? (
              <td className={agrees ? 'good' : 'warning'}>
                {agrees ? '✓' : '✗'}
                <span className="unseen">{agrees ? t('agrees') : t('lies outside')}</span>
              </td>
            ) : (
              <td className="soft">
                {compared ? '≈' : '–'}
                <span className="unseen">
                  {compared ? t('not judged: the formula is an approximation') : t('too short to say')}
                </span>
              </td>
            )}
          </tr>
        )
      })}
    </Table>
  )
}

/** Returns whether the two are equal, up to the half microsecond by which arrivals at a steady pace are rounded. */
function isEqual({ kind, predicted, measured }: Pair): boolean {
  // A number that is shown as 0 may well be 0 in one run.
  return (
    Math.abs(measured.mean - predicted) <=
    (kind === 'time' ? 0.5 : kind === 'number' ? Math.max(0.004, 1e-4 * predicted) : 1e-4 * predicted)
  )
}

/** Returns how the numbers of a row are written. All `times` of the table have one unit. */
function textOf(
  { kind, predicted, measured }: Pair,
  times: readonly number[],
): { readonly unit: string; text(x: number): string } {
  if (kind === 'time')
    return measured.high > measured.low ? scaleFor(times, predicted) : { unit: '', text: exactDuration }
  if (kind === 'share') return { unit: '%', text: (x) => fixed(100 * x, 1) }
  return { unit: '', text: (x) => fixed(x, predicted < 100 ? 2 : 0) }
}

const three = numbersOf({ maximumSignificantDigits: 3 })
const six = numbersOf({ maximumSignificantDigits: 6 })
const exactWords = { time: exactDuration, rate, number: six }
const words = { time: duration, rate, number: three }
