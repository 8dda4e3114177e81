import { useState } from 'react'
import { readable } from '../../../app/base/browser/files.ts'
import { Button } from '../../../app/base/controls/Button.tsx'
import { Select, type SelectOption } from '../../../app/base/controls/Select.tsx'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { count } from '../../../views/drawing/format.ts'
import { type CsvTable, isComplete } from '../read/csvTable.ts'
import { QUEUE, SERVICE, STAGE, TIME, WORKERS } from '../read/logColumns.ts'
import { guessMapping, type Role, type SeriesHeads, seriesGroups, stageLabelsOf } from '../read/seriesRoles.ts'
import { mapComing, readColumns, takeAsLines } from './logFile.ts'

const roles = (): readonly SelectOption<Role>[] => [
  ['queue', t('Jobs that wait')],
  ['service_s', t('Service time, in seconds')],
  ['service_ms', t('Service time, in ms')],
  ['service_us', t('Service time, in µs')],
  ['workers', t('Workers')],
  ['nothing', t('Nothing')],
]

/** Asks which label names the stage and what each group of series means. */
export function LogMapping({ heads }: { readonly heads: SeriesHeads }) {
  const session = useSession()
  const [mapping, setMapping] = useState(() => guessMapping(heads).mapping)
  return (
    <>
      <label className="field">
        <span>{t('The stage is the label')}</span>
        <Select
          value={mapping.stageLabel}
          options={stageLabelsOf(heads).map((label) => [label, readable(label)])}
          choose={(label) => setMapping(guessMapping(heads, label).mapping)}
        />
      </label>
      <ul className="log-series">
        {seriesGroups(heads, mapping.stageLabel).map(({ name, series }, g) => (
          <li key={name}>
            <label className="field">
              <span>
                <code>{readable(name)}</code> <span className="soft">{t('{length} series', { length: count(series.length) })}</span>
              </span>
              <Select
                value={mapping.roles[g]}
                options={roles()}
                choose={(role) => setMapping({ ...mapping, roles: mapping.roles.map((each, k) => (k === g ? role : each)) })}
              />
            </label>
          </li>
        ))}
      </ul>
      <div>
        <Button className="button run" onClick={() => void mapComing(session, mapping)} text={t('Read the log')} />
      </div>
    </>
  )
}

/** The columns of a log, with the microseconds in each unit that a column may have. */
const columns = (): readonly (readonly [column: number, name: string, units?: readonly SelectOption<number>[]])[] => {
  const units: readonly SelectOption<number>[] = [
    [1_000_000, t('seconds')],
    [1000, t('milliseconds')],
    [1, t('microseconds')],
  ]
  return [
    [TIME, t('Time'), [[0, t('Automatic')], ...units]],
    [STAGE, t('Stage')],
    [QUEUE, t('Queue')],
    [SERVICE, t('Service time'), units],
    [WORKERS, t('Workers')],
  ]
}

/** Asks which columns of a table are those of a log. The best guess from the headings is chosen already. */
export function LogColumns({ table, lines }: { readonly table: CsvTable; readonly lines: boolean }) {
  const session = useSession()
  const [headings, setHeadings] = useState(table.headings)
  const options: readonly SelectOption<number>[] = [
    [-1, t('Not in the file')],
    ...table.cells.map((cell, k) => [k, t('{column}, such as {example}', { column: readable(cell), example: readable(table.example[k]) })] as const),
  ]
  /** Takes one cell for a column of the log. The cell loses any other meaning. */
  const choose = (column: number, cell: number, scale: number) =>
    setHeadings(headings.map((heading, k) => (k === cell ? { column, scale } : heading?.column === column ? null : heading)))
  const ready = isComplete(headings)
  return (
    <>
      <ul className="log-series">
        {columns().map(([column, name, units]) => {
          const cell = headings.findIndex((heading) => heading?.column === column)
          const scale = headings[cell]?.scale ?? units?.[0][0] ?? 1
          return (
            <li key={column}>
              <label className="field">
                <span>{name}</span>
                <Select value={cell} options={options} choose={(k) => choose(column, k, scale)} />
              </label>
              {units !== undefined && (
                <label className="field">
                  <span>{t('{name}: unit', { name })}</span>
                  <Select value={scale} options={units} disabled={cell < 0} choose={(unit) => choose(column, cell, unit)} />
                </label>
              )}
            </li>
          )
        })}
      </ul>
      <p className="soft" role="status">
        {ready ? '' : t('Choose the columns of time, stage, queue and service time. Without a column of workers, you enter their number later.')}
      </p>
      <div className="progress-row">
        <Button className="button run" disabled={!ready} onClick={() => void readColumns(session, headings)} text={t('Read the log')} />
        {lines && <Button className="button" onClick={() => takeAsLines(session)} text={t('Use it as a file of lines instead')} />}
      </div>
    </>
  )
}
