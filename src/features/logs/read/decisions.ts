import { t } from '../../../language/translate.ts'
import { toUtf8 } from '../../../scenario/link/bytes.ts'
import { MAX_WORKERS } from '../../../scenario/model/limits.ts'
import type { Micros, Problem } from '../../../scenario/model/scenario.ts'
import { foundText, listed } from '../../../scenario/model/words.ts'
import { headingsIn, lineOf, ragged } from './csvRows.ts'
import { objectsIn } from './jsonRows.ts'
import { createBadRows, noteBadRow, type SystemLog, toldProblems } from './log.ts'
import { cellsOf, headingOf, plainName, QUEUE, separatorLine, TIME } from './logColumns.ts'
import { allowed, createFields, timeOfRow } from './logRows.ts'

/** A decision of another scheduler: from `time` on it wants `to` workers at a stage. */
export interface OtherDecision {
  /** Since the log begins. */
  readonly time: Micros
  /** The number of the stage in the log. */
  readonly stage: number
  /** The workers before; null: the source does not say. */
  readonly from: number | null
  readonly to: number
  /** In the words of the other scheduler; may be empty. */
  readonly reason: string
}

/** The decisions during a log, in order of time, how many lie before or after it, and the rows that were left out. */
export interface DecisionsRead {
  readonly decisions: readonly OtherDecision[]
  readonly outside: number
  readonly problems: readonly Problem[]
}

/** A table with the columns `time`, `stage`, `from`, `to` and `reason`, or objects with these keys. */
type DecisionForm = 'csv' | 'objects'

const columns = ['time', 'stage', 'from', 'to', 'reason'] as const

/** Rows as they stand in the file, and the names of their values. */
type Table = { readonly names: readonly string[]; readonly rows: readonly Row[] }
type Row = { readonly line: number; readonly values: Readonly<Record<string, unknown>> }
type Note = (line: number, message: string, kind?: string) => void

/** The size of the largest file, in bytes. */
export const MAX_DECISIONS = 20_000_000

const MAX_REASON = 1000
/** The names of the columns without a unit, in the style of `plainName`. */
const synonyms: Readonly<Record<'stage' | 'from' | 'to' | 'reason', readonly string[]>> = {
  stage: ['stage', 'pool', 'deployment'],
  from: ['from', 'from_workers', 'before'],
  to: ['to', 'to_workers', 'after'],
  reason: ['reason', 'message', 'cause'],
}

/** Says which columns a file of decisions has. */
export const decisionColumns = (): string => t('CSV or JSON lines with {columns}', { columns: listed(columns) })

/** Events of Kubernetes and lines of Ray: they hold decisions, but in no table. */
const SCHEDULER_EVENTS =
  /"(involvedObject|regarding)"\s*:|\b(Up|Down)scaling [Dd]eployment\b|\bScaled (up|down) actor pool\b/

/** Returns whether a file that begins like this holds events or log lines of a scheduler, which have to become a table first. */
export const isSchedulerEvents = (head: string): boolean => SCHEDULER_EVENTS.test(head)

/** Returns the form of the decisions in a file that begins like this; null for other files. */
export function decisionFormOf(head: string): DecisionForm | null {
  const text = head.replace(/^\ufeff/, '').trimStart()
  if (!/^[[{]/.test(text))
    return isNamed(headingsIn(text.replace(separatorLine, '').split('\n', 1)[0]).cells) ? 'csv' : null
  return isNamed(Array.from(text.matchAll(/"([^"\\]{1,40})"\s*:/g), ([, key]) => key)) ? 'objects' : null
}

/**
 * Returns the decisions of a text during a log. Bad rows and unknown stages are reported by their line, and left out. Throws a Refusal if
 * the times may be those of a spreadsheet. `last`: the end of the log, since it begins.
 */
export function readDecisions(
  text: string,
  form: DecisionForm,
  { stages, origin }: Pick<SystemLog, 'stages' | 'origin'>,
  last: Micros,
): DecisionsRead {
  const read = { bad: createBadRows(), scale: 0 }
  const note: Note = (line, message, kind) => noteBadRow(read, () => lineOf(line), message, kind)
  let outside = 0
  const decisions: OtherDecision[] = []
  const plain = text.replace(/^\ufeff/, '')
  const { names, rows } = form === 'csv' ? csvIn(plain, note) : keysIn(plain, note)
  const scale = names.map(headingOf).find((heading) => heading?.column === TIME)?.scale ?? 0
  for (const { line, values } of rows) {
    const { time, stage: name, from, to, reason } = rowOf(names, values)
    const fields = createFields(toUtf8(time))
    fields.from[TIME] = time === '' ? -1 : 0
    fields.to[TIME] = fields.bytes.length
    fields.scale[TIME] = scale
    const at = timeOfRow(read, fields)
    const stage = stageOf(stages, name)
    const wrong = isWorkers(to) ? (from === '' || isWorkers(from) ? null : 'from') : 'to'
    if (typeof at === 'string') note(line, at)
    else if (wrong !== null) {
      const found = wrong === 'to' ? to : from
      note(line, `${wrong} ${foundText(found === '' ? undefined : found, allowed.workers())}`)
    } else if (stage < 0) {
      const known = t('a stage of the log: {stages}', { stages: listed(stages, 'or') })
      // Each unknown name is told, with the first line that has it.
      note(line, `stage ${foundText(name === '' ? undefined : name, known)}`, `stage ${name}`)
    } else if (at < origin || at - origin > last) outside++
    else
      decisions.push({
        time: at - origin,
        stage,
        from: from === '' ? null : Number(from),
        to: Number(to),
        reason: reason.length > MAX_REASON ? `${reason.slice(0, MAX_REASON)}…` : reason,
      })
  }
  decisions.sort((a, b) => a.time - b.time)
  const { problems } = toldProblems(read.bad)
  if (decisions.length + outside + read.bad.count === 0) problems.push({ path: '', message: t('the file has no rows') })
  if (decisions.length === 0 && outside > 0) problems.push({ path: '', message: outsideText(outside) })
  return { decisions, outside, problems }
}

/** Says how many decisions do not belong to a log. */
export const outsideText = (outside: number): string =>
  t('{n, plural, one {# decision} other {# decisions}} before or after the log', { n: outside })

const isWorkers = (text: string): boolean => /^\d{1,6}$/.test(text) && Number(text) <= MAX_WORKERS

/** Returns the decisions from a point up to the next; if there are none, those made last before. */
export function decisionsAt(decisions: readonly OtherDecision[], from: Micros, to: Micros): readonly OtherDecision[] {
  const here = decisions.filter(({ time }) => time >= from && time < to)
  const last = decisions.filter(({ time }) => time < from).at(-1)
  return here.length > 0 || last === undefined ? here : decisions.filter(({ time }) => time === last.time)
}

/** Returns the stage with this name, written exactly or with other capitals; -1 if there is none. */
function stageOf(stages: readonly string[], name: string): number {
  const exact = stages.indexOf(name)
  if (exact >= 0) return exact
  const alike = stages.flatMap((stage, s) => (stage.toLowerCase() === name.toLowerCase() ? [s] : []))
  return alike.length === 1 ? alike[0] : -1
}

/** Returns whether these are names of columns of decisions, and not those of a log. */
function isNamed(names: readonly string[]): boolean {
  const has = (column: (typeof columns)[number]) => names.some((name) => columnOf(name) === column)
  return (
    has('time') &&
    has('stage') &&
    has('to') &&
    (has('from') || has('reason')) &&
    !names.some((name) => headingOf(name)?.column === QUEUE)
  )
}

function columnOf(name: string): (typeof columns)[number] | undefined {
  if (headingOf(name)?.column === TIME) return 'time'
  const plain = plainName(name)
  return columns.find((column) => column !== 'time' && synonyms[column].includes(plain))
}

function csvIn(text: string, note: Note): Table {
  const skipped = separatorLine.test(text) ? 1 : 0
  const lines = text.replace(separatorLine, '').split('\n')
  const first = lines.findIndex((line) => line.trim() !== '')
  const { mark, cells: names } = headingsIn(lines[first] ?? '')
  const rows: Row[] = []
  for (let k = first + 1; k < lines.length; k++) {
    const line = k + 1 + skipped
    let row = lines[k]
    // A cell in quotes may hold several lines.
    for (let open = isOpen(row); open && k + 1 < lines.length; open = open !== isOpen(lines[k]))
      row += `\n${lines[++k]}`
    const cells = cellsOf(row, mark)
    if (row.trim() === '') continue
    if (cells.length !== names.length) note(line, ragged(cells.length, names.length))
    else rows.push({ line, values: Object.fromEntries(names.map((name, c) => [name, cells[c]])) })
  }
  return { names, rows }
}

/** Returns whether a quote that begins in a line is still open at its end. */
const isOpen = (line: string): boolean => line.split('"').length % 2 === 0

/** Returns the objects of a text as rows. */
function keysIn(text: string, note: Note): Table {
  const rows: Row[] = []
  for (const { line, value } of objectsIn(text, '{"time": 0, "stage": "A", "from": 2, "to": 3, "reason": "queue"}'))
    if (typeof value === 'string') note(line, value)
    else rows.push({ line, values: value })
  return { names: [...new Set(rows.flatMap(({ values }) => Object.keys(values)))], rows }
}

/** Returns the values of a row by column, as texts. */
function rowOf(names: readonly string[], values: Row['values']): Readonly<Record<(typeof columns)[number], string>> {
  const [time, stage, from, to, reason] = columns.map((column) =>
    textOf(values[names.find((name) => columnOf(name) === column && values[name] !== undefined) ?? '']),
  )
  return { time, stage, from, to, reason }
}

const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value).trim()
