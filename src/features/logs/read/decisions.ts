import { t } from '../../../language/translate.ts'
import { toUtf8 } from '../../../scenario/link/bytes.ts'
import { MAX_WORKERS } from '../../../scenario/model/limits.ts'
import type { Micros, Problem } from '../../../scenario/model/scenario.ts'
import { countText, foundText, listed, quoted } from '../../../scenario/model/words.ts'
import { headingsIn, lineOf, ragged } from './csvRows.ts'
import { noteProblem, type SystemLog, toldProblems } from './log.ts'
import { cellsOf, type Heading, headingOf, plainName, QUEUE, separatorLine, TIME } from './logColumns.ts'
import { createFields, timeOfRow } from './logRows.ts'

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

/** A row as it stands in the file. */
type Row = { readonly line: number } & Readonly<Record<(typeof columns)[number], string>>
type Note = (line: number, message: string) => void

/** The size of the largest file, in bytes. */
export const MAX_DECISIONS = 20_000_000

const SHOWN = 20
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
  const problems: Problem[] = []
  const unknown = new Map<string, { readonly problems: Problem[]; bad: number }>()
  let [bad, outside] = [0, 0]
  const note: Note = (line, message) => {
    bad++
    noteProblem(problems, SHOWN, () => lineOf(line), message)
  }
  const times = { scale: 0 }
  const decisions: OtherDecision[] = []
  const { heading, rows } = rowsIn(text, form, note)
  for (const { line, time, stage: name, from, to, reason } of rows) {
    const fields = createFields(toUtf8(time))
    fields.from[TIME] = time === '' ? -1 : 0
    fields.to[TIME] = fields.bytes.length
    fields.scale[TIME] = heading?.scale ?? 0
    const at = timeOfRow(times, fields)
    if (typeof at === 'string') {
      note(line, at)
      continue
    }
    const allowed = t('a whole number from 0 to {MAX_WORKERS}', { MAX_WORKERS: countText(MAX_WORKERS) })
    const wrong = [['to', to] as const, ...(from === '' ? [] : [['from', from] as const])].find(
      ([, value]) => !/^\d{1,6}$/.test(value) || Number(value) > MAX_WORKERS,
    )
    if (wrong !== undefined) {
      note(line, `${wrong[0]} ${foundText(wrong[1] === '' ? undefined : wrong[1], allowed)}`)
      continue
    }
    const stage = stageOf(stages, name)
    if (stage < 0) {
      // Each unknown name is told, with the first line that has it.
      const known = unknown.get(name) ?? { problems: [], bad: 0 }
      unknown.set(name, known)
      known.bad++
      const x = foundText(
        name === '' ? undefined : name,
        t('a stage of the log: {stages}', { stages: listed(stages, 'or') }),
      )
      noteProblem(known.problems, 1, () => lineOf(line), `stage ${x}`)
    } else if (at < origin || at - origin > last) outside++
    else
      decisions.push({
        time: at - origin,
        stage,
        from: from === '' ? null : Number(from),
        to: Number(to),
        reason: short(reason.trim()),
      })
  }
  decisions.sort((a, b) => a.time - b.time)
  const told = [
    toldProblems(problems, bad),
    ...Array.from(unknown.values(), (each) => toldProblems(each.problems, each.bad)),
  ]
  if (decisions.length + outside + bad + unknown.size === 0)
    told.push({ problems: [{ path: '', message: t('the file has no rows') }], untold: 0 })
  if (decisions.length === 0 && outside > 0) {
    const message = t('all {outside} decisions lie before or after the log', {
      outside: countText(outside),
    })
    told.push({ problems: [{ path: '', message }], untold: 0 })
  }
  return { decisions, outside, problems: told.flatMap((each) => each.problems) }
}

/** Returns the decisions from a point up to the next; if there are none, those made last before. */
export function decisionsAt(decisions: readonly OtherDecision[], from: Micros, to: Micros): readonly OtherDecision[] {
  const here = decisions.filter(({ time }) => time >= from && time < to)
  const last = decisions.filter(({ time }) => time < from).at(-1)
  return here.length > 0 || last === undefined ? here : decisions.filter(({ time }) => time === last.time)
}

const short = (text: string): string => (text.length > MAX_REASON ? `${text.slice(0, MAX_REASON)}…` : text)

/** Returns the stage with this name, written exactly or with other capitals; -1 if there is none. */
function stageOf(stages: readonly string[], name: string): number {
  const exact = stages.indexOf(name)
  if (exact >= 0) return exact
  const alike = stages.flatMap((stage, s) => (stage.toLowerCase() === name.toLowerCase() ? [s] : []))
  return alike.length === 1 ? alike[0] : -1
}

function rowsIn(
  text: string,
  form: DecisionForm,
  note: Note,
): { readonly heading: Heading | null; readonly rows: Iterable<Row> } {
  const plain = text.replace(/^\ufeff/, '')
  if (form === 'csv') return csvIn(plain, note)
  const objects = objectsIn(plain, note)
  const keys = [...new Set(objects.flatMap(({ value }) => Object.keys(value)))]
  return {
    heading: keys.map(headingOf).find((heading) => heading?.column === TIME) ?? null,
    rows: objects.map(({ line, value }) => rowOf(line, keys, value)),
  }
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

function csvIn(text: string, note: Note) {
  const [lines, skipped] = separatorLine.test(text)
    ? [text.replace(separatorLine, '').split('\n'), 1]
    : [text.split('\n'), 0]
  const first = lines.findIndex((line) => line.trim() !== '')
  const { mark, cells } = headingsIn(lines[first] ?? '')
  const rows: Row[] = []
  for (let k = first + 1; k < lines.length; k++) {
    const line = k + 1 + skipped
    let row = lines[k]
    // A cell in quotes may hold several lines.
    for (let open = isOpen(row); open && k + 1 < lines.length; open = open !== isOpen(lines[k]))
      row += `\n${lines[++k]}`
    const values = cellsOf(row.trimEnd(), String.fromCharCode(mark)).map((cell) => cell.trim())
    if (row.trim() === '') continue
    if (values.length !== cells.length) note(line, ragged(values.length, cells.length))
    else rows.push(rowOf(line, cells, Object.fromEntries(cells.map((cell, c) => [cell, values[c]]))))
  }
  return { heading: cells.map(headingOf).find((heading) => heading?.column === TIME) ?? null, rows }
}

/** Returns whether a quote that begins in a line is still open at its end. */
const isOpen = (line: string): boolean => line.split('"').length % 2 === 0

/** Returns a row of values by name. */
function rowOf(line: number, names: readonly string[], values: Readonly<Record<string, unknown>>): Row {
  const [time, stage, from, to, reason] = columns.map((column) =>
    textOf(values[names.find((name) => columnOf(name) === column && values[name] !== undefined) ?? '']),
  )
  return { line, time, stage, from, to, reason }
}

const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value).trim()

type Found = { readonly line: number; readonly value: Readonly<Record<string, unknown>> }

/** Returns the objects of a text, in a list, one a line, or one below the other, each with the line in which it begins. */
function objectsIn(text: string, note: Note): Found[] {
  const found: Found[] = []
  let [depth, from, line, begin, quotes] = [0, 0, 1, 1, false]
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (character === '\n') line++
    if (quotes && character === '\\') i++
    else if (character === '"' && depth > 0) quotes = !quotes
    else if (!quotes && character === '{' && depth++ === 0) [from, begin] = [i, line]
    else if (!quotes && character === '}' && depth > 0 && --depth === 0) {
      try {
        found.push({ line: begin, value: JSON.parse(text.slice(from, i + 1)) })
      } catch {
        note(begin, t('this is not JSON, or it is cut off'))
      }
    } else if (depth === 0 && !/[\s,[\]]/.test(character)) {
      const form = '{"time": 0, "stage": "A", "from": 2, "to": 3, "reason": "queue"}'
      note(
        line,
        t('found {fault} in it; allowed: an object such as {form}', {
          form,
          fault: quoted(text.slice(i, i + 12).split('\n', 1)[0]),
        }),
      )
      while (i + 1 < text.length && text[i + 1] !== '\n') i++
    }
  }
  if (depth > 0) note(begin, t('the object that starts here is incomplete'))
  return found
}
