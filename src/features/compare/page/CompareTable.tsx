import { groups } from 'd3-array'
import type { ReactNode } from 'react'
import { Table } from '../../../app/base/ui/Table.tsx'
import { t } from '../../../language/translate.ts'
import { bestOf, type ColumnKey, columns, isWhole } from '../../../measures/figures/comparison.ts'
import { boundCalculation, explainBound } from '../../../measures/figures/lowerBound.ts'
import { count, duration, exactDuration, fixed, percent, signedPercent } from '../../../views/drawing/format.ts'
import { numberScale, scaleFor } from '../../../views/drawing/scale.ts'
import type { BestPossible } from '../study/bestPossible.ts'
import type { SeedCheck } from './CheckPart.tsx'
import { BASELINE, type ComparedRun, type Entrant } from './comparing.ts'

const heads = (): Readonly<Record<ColumnKey, readonly [name: string, title?: string]>> => ({
  makespan: [t('took')],
  distance: [t('over bound'), t('Above what no policy can beat')],
  meanFlowTime: [t('time in the system')],
  p50FlowTime: [t('median')],
  p99FlowTime: ['99%'],
  meanJobsInSystem: [t('in system')],
  utilisation: [t('busy')],
  switches: [t('moves'), t('Changes of stage')],
  reordered: [t('reordered'), t('Jobs that left after a later one')],
  meanQueued: [t('queued')],
  mostQueued: [t('at most'), t('Waiting jobs, at most')],
  speedUp: [t('speed-up'), t('Compared with one worker alone')],
  efficiency: [t('efficiency'), t('Speed-up per worker')],
})

/** These share one unit, so that they can be compared with each other. */
const flowTimes: readonly ColumnKey[] = ['meanFlowTime', 'p50FlowTime', 'p99FlowTime']

interface TableProps {
  readonly head: string
  readonly entrants: readonly Entrant[]
  /** The entrants and the run beside them: the entrant to beat, which is listed last unless it was chosen. */
  readonly all: readonly Entrant[]
  /** The key of the entrant on the canvas. */
  readonly currentKey: string
  readonly runs: ReadonlyMap<string, ComparedRun>
  /** The least figures that are possible; null if they are not known. */
  readonly best: BestPossible | null
  readonly check: SeedCheck | null
}

/** A row for each entrant. The best of each column is marked: by its rank with this seed, or by what other seeds have shown. */
export function CompareTable({ head, entrants, all, currentKey, runs, best: possible, check }: TableProps) {
  const baseline = runs.get(BASELINE)?.compared.metrics ?? null
  const shown = [...entrants, ...all.filter((entrant) => !entrants.includes(entrant))]
  const rows = shown.map(({ key }) => {
    const run = runs.get(key)
    if (run === undefined) return null
    const { metrics: figures, occupancy, bound } = run.compared
    const contender = { metrics: figures, occupancy, bound: bound.time, workers: run.scenario.workers }
    return columns.map(({ of }) => of(contender, baseline))
  })
  const fair = shown.map((entrant) => {
    const figures = runs.get(entrant.key)?.compared.metrics
    return entrants.includes(entrant) && figures !== undefined && isWhole(figures)
  })
  const best = columns.map(({ better }, c) =>
    bestOf(
      rows.map((row, k) => (fair[k] ? (row?.[c] ?? null) : null)),
      better,
    ),
  )
  const valuesOf = (keys: readonly ColumnKey[]) =>
    rows.flatMap((row) => columns.flatMap(({ key }, c) => (keys.includes(key) ? (row?.[c] ?? []) : [])))
  const least = columns.map(({ key }) =>
    key === 'makespan' || key === 'meanFlowTime' ? (possible?.[key].time ?? null) : null,
  )
  const writers = columns.map(({ key }) =>
    columnWriter(key, valuesOf(flowTimes.includes(key) ? flowTimes : [key]), valuesOf([key])),
  )
  return (
    <div>
      <Table
        wide={t('Compare')}
        heads={[
          head,
          ...columns.map(({ key }, c) => {
            const [name, about = name] = heads()[key]
            return { text: `${name} ${writers[c].unit}`, about }
          }),
        ]}
      >
        {shown.map(({ key: entrant, name }, k) => (
          <tr key={entrant} aria-current={entrant === currentKey ? 'true' : undefined}>
            <th scope="row">
              {name} <Left run={runs.get(entrant)} />
            </th>
            {columns.map(({ key }, c) => (
              <Cell key={key} best={bestByCheck(check, key, entrant) ?? (best[c][k] ? 'seed' : null)}>
                {rows[k] === null ? '…' : writers[c].text(rows[k][c])}
              </Cell>
            ))}
          </tr>
        ))}
        {possible !== null && (
          <tr className="soft">
            <th scope="row">{t('Best possible')}</th>
            {columns.map(({ key }, c) => (
              <td key={key}>{least[c] === null ? '–' : writers[c].text(least[c])}</td>
            ))}
          </tr>
        )}
      </Table>
      <Bounds entrants={entrants} runs={runs} />
    </div>
  )
}

/** Returns whether a checked entrant shares the first place; undefined where a column was not checked. Where all share it, none is marked. */
function bestByCheck(check: SeedCheck | null, column: ColumnKey, entrant: string): 'seeds' | null | undefined {
  if (check === null || (column !== 'makespan' && column !== 'meanFlowTime')) return undefined
  const all = [...check.standings.values()].flatMap((standing) => standing[column] ?? [])
  if (all.every(({ alike }) => alike)) return null
  return check.standings.get(entrant)?.[column]?.alike ? 'seeds' : null
}

/** Best with this seed alone is a ring, best over many seeds a disc. */
function Cell({ best, children }: { readonly best: 'seed' | 'seeds' | null; readonly children: ReactNode }) {
  return (
    <td
      className={best === null ? undefined : best === 'seed' ? 'best' : 'best proven'}
      title={best === 'seed' ? t('best with this seed') : undefined}
    >
      {best !== null && <i aria-hidden="true" />}
      {children}
      {best !== null && <span className="unseen"> {best === 'seed' ? t('best with this seed') : t('the best')}</span>}
    </td>
  )
}

/** Jobs that did not get through. Such a run is never marked as the best. */
function Left({ run }: { readonly run: ComparedRun | undefined }) {
  if (run === undefined || isWhole(run.compared.metrics)) return null
  const { jobs, completed } = run.compared.metrics
  return <span className="warning">{t('{n, plural, one {# job} other {# jobs}} left', { n: jobs - completed })}</span>
}

/** The bound that no policy can beat, with the calculation. Policies that bring their own threads have bounds of their own. */
function Bounds({ entrants, runs }: Pick<TableProps, 'entrants' | 'runs'>) {
  const known = entrants.flatMap(({ key, name }) => {
    const bound = runs.get(key)?.compared.bound
    return bound === undefined ? [] : [{ bound, name }]
  })
  const bounds = groups(known, ({ bound }) => JSON.stringify(bound))
  return (
    <div className="bounds">
      {bounds.map(([key, all]) => (
        <p key={key} className="soft">
          {bounds.length > 1 && <b>{all.map(({ name }) => name).join(', ')}: </b>}
          {explainBound(all[0].bound, duration)} <b>{boundCalculation(all[0].bound, exactDuration)}</b>.{' '}
          {t('Proven for this column only.')}
        </p>
      ))}
    </div>
  )
}

/** Returns how a column writes its values. `values` share its unit; the least of the column is written exactly enough to tell it from the others. */
export function columnWriter(key: ColumnKey, values: readonly number[], column: readonly number[]) {
  const leastPositive = column.reduce((a, b) => (b > 0 ? Math.min(a, b) : a), Infinity)
  const { unit, text } = scaleOf(key, values, leastPositive)
  return { unit, text: (value: number | null) => (value === null ? '–' : text(value)) }
}

function scaleOf(key: ColumnKey, values: readonly number[], leastPositive: number): ReturnType<typeof scaleFor> {
  if (key === 'makespan' || flowTimes.includes(key)) return scaleFor(values, leastPositive)
  if (key === 'distance')
    return { unit: '', text: (value) => (value < 1 ? signedPercent(value) : `${fixed(1 + value, 2)}×`) }
  if (key === 'utilisation' || key === 'efficiency') return { unit: '', text: percent }
  if (key === 'speedUp') return { unit: '', text: (value) => `${fixed(value, 2)}×` }
  if (key === 'switches' || key === 'reordered' || key === 'mostQueued') return { unit: '', text: count }
  return numberScale(values, leastPositive)
}
