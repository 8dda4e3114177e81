import './log.css'
import { useState } from 'react'
import { useStore } from 'zustand'
import { chooseFile, readable } from '../../../app/base/browser/files.ts'
import { Button } from '../../../app/base/controls/Button.tsx'
import { Select, type SelectOption } from '../../../app/base/controls/Select.tsx'
import { themeStore } from '../../../app/base/page/theme.ts'
import { Dialog } from '../../../app/base/ui/Dialog.tsx'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import type { Problem } from '../../../scenario/model/scenario.ts'
import { bytes, count } from '../../../views/drawing/format.ts'
import { type CsvTable, isComplete } from '../read/csvTable.ts'
import { QUEUE, SERVICE, STAGE, TIME, WORKERS } from '../read/logColumns.ts'
import { guessMapping, type Role, type SeriesHeads, seriesGroups, stageLabelsOf } from '../read/seriesRoles.ts'
import { LogView } from './LogView.tsx'
import {
  acceptComing,
  cancelLog,
  closeLogs,
  mapComing,
  openLog,
  openSampleLog,
  readColumns,
  readComing,
  SAMPLE,
  takeAsLines,
} from './logFile.ts'
import { type ComingLog, logStore } from './logStore.ts'

/** A log of the user's own system, which the allocator answers point by point. */
export function LogDialog() {
  const session = useSession()
  const { coming, problems, shown } = useStore(logStore(session))
  useStore(themeStore)
  return (
    <Dialog
      title={shown !== null && coming === null ? `${t('Your own log')}: ${shown.name}` : t('Your own log')}
      kind="log"
      onClose={() => closeLogs(session)}
    >
      {problems.length > 0 && <Faults problems={problems} alert />}
      {coming !== null && <Coming coming={coming} />}
      {coming === null && (
        <div className="log-open">
          <Button onClick={() => chooseFile((file) => openLog(session, file))} text={t('Choose a file')} />
          <Button onClick={() => void openSampleLog(session)} text={t('Try the sample')} />
          <span className="soft">{t('CSV or JSON, up to 200 MB. Nothing leaves this page.')}</span>
        </div>
      )}
      {coming === null && (shown === null ? <Format /> : <LogView key={shown.serial} shown={shown} />)}
    </Dialog>
  )
}

/** A file that is being opened: its size, then the progress, then its mapping or its bad rows. */
function Coming({ coming }: { readonly coming: ComingLog }) {
  const session = useSession()
  const { name, size, step } = coming
  return (
    <section className="log-coming" aria-label={name}>
      <p>
        <strong>{name}</strong>, {bytes(size)}
        {step === 'waiting' && t(': this takes a while, and up to {size} of memory.', { size: bytes(5 * size) })}
        {step === 'bad' &&
          t(': {bad} of {bad2} rows cannot be read.', {
            bad: count(coming.bad),
            bad2: count(coming.bad + coming.log.points.log.length),
          })}
        {step === 'lines' && `: ${coming.why ?? t('is neither a log nor a trace')}.`}
      </p>
      {step === 'columns' && <LogColumns table={coming.table} lines={coming.asLines !== null} />}
      {step === 'mapping' && <LogMapping heads={coming.heads} />}
      {step === 'bad' && <Faults problems={coming.problems} more={coming.untold} />}
      <div className="progress-row">
        {step === 'lines' && (
          <Button className="button" onClick={() => takeAsLines(session)} text={t('Use its lines as jobs')} />
        )}
        {step === 'waiting' && (
          <Button className="button run" onClick={() => void readComing(session)} text={t('Open')} />
        )}
        {step === 'reading' && <progress value={coming.share} max={1} aria-label={name} />}
        {step === 'bad' && (
          <Button className="button run" onClick={() => acceptComing(session)} text={t('Leave out the bad rows')} />
        )}
        <Button className="link" onClick={() => cancelLog(session)} text={t('Cancel')} />
      </div>
    </section>
  )
}

/** `more`: how many problems there are that are not shown. */
function Faults({
  problems,
  more = 0,
  alert = false,
}: {
  readonly problems: readonly Problem[]
  readonly more?: number
  readonly alert?: boolean
}) {
  return (
    <ul className="problem-list" role={alert ? 'alert' : undefined}>
      {problems.map(({ path, message }) => (
        <li key={`${path} ${message}`}>
          {path !== '' && <strong>{path}:</strong>} {message}
        </li>
      ))}
      {more > 0 && <li>{t('and {more} more', { more: count(more) })}</li>}
    </ul>
  )
}

const roles = (): readonly SelectOption<Role>[] => [
  ['queue', t('Waiting')],
  ['service_s', t('Service time ({unit})', { unit: t('seconds') })],
  ['service_ms', t('Service time ({unit})', { unit: t('milliseconds') })],
  ['service_us', t('Service time ({unit})', { unit: t('microseconds') })],
  ['workers', t('Workers')],
  ['completed', t('Jobs that left')],
  ['arrivals', t('Arrivals')],
  ['nothing', t('Nothing')],
]

/** Asks which label names the stage and what each group of series means. */
function LogMapping({ heads }: { readonly heads: SeriesHeads }) {
  const session = useSession()
  const [mapping, setMapping] = useState(() => guessMapping(heads).mapping)
  const groups = seriesGroups(heads, mapping.stageLabel)
  const chosen = groups.flatMap(({ series }, g) => (mapping.roles[g] === 'nothing' ? [] : series))
  const labels = stageLabelsOf(heads, chosen)
  return (
    <>
      <label className="field">
        <span>{t('Label of the stage')}</span>
        <Select
          value={mapping.stageLabel}
          options={(labels.includes(mapping.stageLabel) ? labels : [mapping.stageLabel, ...labels]).map((label) => [
            label,
            readable(label),
          ])}
          choose={(label) => setMapping(guessMapping(heads, label).mapping)}
        />
      </label>
      <ul className="log-series">
        {groups.map(({ name, series }, g) => (
          <li key={name}>
            <label className="field">
              <span>
                <code>{readable(name)}</code>{' '}
                <span className="soft">{t('{length} series', { length: count(series.length) })}</span>
              </span>
              <Select
                value={mapping.roles[g]}
                options={roles()}
                choose={(role) =>
                  setMapping({ ...mapping, roles: mapping.roles.map((each, k) => (k === g ? role : each)) })
                }
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
    [TIME, t('Time'), [[0, t('Auto')], ...units]],
    [STAGE, t('Stage')],
    [QUEUE, t('Queue')],
    [SERVICE, t('Service time'), units],
    [WORKERS, t('Workers')],
  ]
}

/** Asks which columns of a table are those of a log. The best guess from the headings is chosen already. */
function LogColumns({ table, lines }: { readonly table: CsvTable; readonly lines: boolean }) {
  const session = useSession()
  const [headings, setHeadings] = useState(table.headings)
  const options: readonly SelectOption<number>[] = [
    [-1, t('Not in the file')],
    ...table.cells.map(
      (cell, k) =>
        [k, t('{column}, such as {example}', { column: readable(cell), example: readable(table.example[k]) })] as const,
    ),
  ]
  /** Takes one cell for a column of the log. The cell loses any other meaning. */
  const choose = (column: number, cell: number, scale: number) =>
    setHeadings(
      headings.map((heading, k) => (k === cell ? { column, scale } : heading?.column === column ? null : heading)),
    )
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
                  <Select
                    value={scale}
                    options={units}
                    disabled={cell < 0}
                    choose={(unit) => choose(column, cell, unit)}
                  />
                </label>
              )}
            </li>
          )
        })}
      </ul>
      <p className="soft" role="status">
        {ready ? '' : t('Choose time, stage, queue and service time.')}
      </p>
      <div className="progress-row">
        <Button
          className="button run"
          disabled={!ready}
          onClick={() => void readColumns(session, headings)}
          text={t('Read the log')}
        />
        {lines && <Button className="button" onClick={() => takeAsLines(session)} text={t('Use its lines as jobs')} />}
      </div>
    </>
  )
}

function Format() {
  return (
    <section className="log-format">
      <pre>{`time,stage,queue,service_ms,workers
2026-03-02T09:00:10Z,Fetch,1,115.2,2
2026-03-02T09:00:10Z,Resize,72,424,4`}</pre>
      <p>
        <a className="link" href={SAMPLE} download>
          {t('Download the sample')}
        </a>
      </p>
    </section>
  )
}
