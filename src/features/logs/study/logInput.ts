import { Refused } from '../../../headless/command.ts'
import { inputOf, readInput } from '../../../headless/subject.ts'
import { sentenceText } from '../../../measures/decisions/speech.ts'
import { fromUtf8 } from '../../../scenario/link/bytes.ts'
import { policies } from '../../../scenario/model/policies.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { counted, listed, quoted } from '../../../scenario/model/words.ts'
import { Refusal } from '../../../trace/json/refusal.ts'
import { seconds } from '../../../views/drawing/format.ts'
import { answerFigures, answerSentences } from '../ask/askTable.ts'
import { dateText, hasDates, logTime } from '../draw/logDrawing.ts'
import { logPointAt, logPointsOf } from '../measure/logPoints.ts'
import { answerAt, decisionSentence, firstRule, questionOver } from '../measure/openLoop.ts'
import type { Headings } from '../read/csvRows.ts'
import { columnsIn, isComplete } from '../read/csvTable.ts'
import { type DecisionsRead, decisionColumns, decisionFormOf, MAX_DECISIONS, readDecisions } from '../read/decisions.ts'
import { logPart, type SystemLog } from '../read/log.ts'
import {
  COMPLETED,
  DAY,
  type Heading,
  headingOf,
  needed,
  plainName,
  QUEUE,
  SERVICE,
  STAGE,
  TIME,
  unitIn,
  WORKERS,
} from '../read/logColumns.ts'
import type { SeriesFile } from '../read/prometheus.ts'
import { createLogReader, HEAD, logOf, otherIn } from '../read/readLog.ts'
import { guessMapping, isService, type Mapping, type Role, seriesGroups } from '../read/seriesRoles.ts'
import { MAX_LOG_FILE } from './logFile.ts'

type Values = ReadonlyMap<string, string>

/** By option: the column of the log that it names. */
const columnOptions: Readonly<Record<string, number>> = {
  '--time': TIME,
  '--stage': STAGE,
  '--queue': QUEUE,
  '--service': SERVICE,
  '--workers': WORKERS,
  '--completed': COMPLETED,
}
const units: Readonly<Record<string, number>> = { us: 1, ms: 1000, s: 1_000_000 }
const SECOND = 1_000_000

/** The options that say how a log is read, and which part of it. */
export const logOptions = [...Object.keys(columnOptions), '--unit', '--from', '--to']

/** Returns the log of a file, its bad rows, which are left out, and what its columns were taken for where the headings do not say it. Throws Refused if it has none. */
export async function readLog(word: string, values: Values) {
  const input = await inputOf(word)
  const bytes = await readInput(input, MAX_LOG_FILE)
  const other = otherIn(fromUtf8(bytes.subarray(0, HEAD)))
  if (other !== null) throw new Refused([{ path: input.word, message: other }])
  const { headings, told } = headingsOf(bytes, input.word, values)
  const reader = createLogReader(headings)
  reader.push(bytes)
  const end = reader.end()
  const read = 'series' in end ? logOf(end, mappingOf(end, values)) : end
  if (!('log' in read))
    throw new Refused(
      read.problems.map(({ path, message }) => ({
        path: path === '' ? input.word : `${input.word}: ${path}`,
        message,
      })),
    )
  const { origin } = read.log
  const last = read.log.time[read.log.length - 1]
  const [from, to] = ['--from', '--to'].map((option) =>
    values.has(option) ? timeIn(option, values.get(option) ?? '', origin, last) : null,
  )
  if (from !== null && to !== null && from >= to)
    throw new Refused([
      {
        path: '--to',
        message: `found ${quoted(values.get('--to') ?? '')}; allowed: a time after ${logTime(origin, from)}`,
      },
    ])
  const log = from === null && to === null ? read.log : logPart(read.log, from ?? 0, to ?? last)
  return { log, bad: read.bad, problems: read.problems, told, from: from ?? 0, whole: { origin, last } }
}

/** Returns what the headings or keys mean, if they do not say it or options do, with a sentence about it; null: their names are enough. */
function headingsOf(
  bytes: Uint8Array,
  file: string,
  values: Values,
): { readonly headings: Headings | null; readonly told: string | null } {
  const asked = Object.entries(columnOptions).filter(([option]) => values.has(option))
  const table = columnsIn(bytes.subarray(0, HEAD), bytes.length <= HEAD)
  if (table === null || (table.named && asked.length === 0 && !values.has('--unit')))
    return { headings: null, told: null }
  const unit = values.get('--unit')
  if (unit !== undefined && !Object.hasOwn(units, unit))
    throw new Refused([{ path: '--unit', message: `found ${quoted(unit)}; allowed: us, ms or s` }])
  const headings: (Heading | null)[] = table.named ? table.cells.map(headingOf) : [...table.headings]
  for (const [option, column] of asked) {
    const cell = cellNamed(option, values.get(option) ?? '', table.cells)
    const named = headingOf(table.cells[cell])
    const scale =
      named?.column === column ? named.scale : column === TIME || column === SERVICE ? unitIn(table.cells[cell]) : 1
    for (const [k, heading] of headings.entries()) if (heading?.column === column) headings[k] = null
    headings[cell] = { column, scale }
  }
  const missing = needed.filter((column) => !headings.some((heading) => heading?.column === column))
  if (missing.length > 0) {
    const lacking = missing.map((column) => optionOf(column))
    throw new Refused([
      {
        path: file,
        message: `no column seems to be ${listed(lacking.map((option) => option.slice(2)))}; name it: ${lacking.map((option) => `${option} NAME`).join(' ')}. It has the columns ${listed(table.cells.map(quoted))}`,
      },
    ])
  }
  const service = headings.findIndex((heading) => heading?.column === SERVICE)
  // The page shows its guess of a unit beside the column; here it has to be said.
  const scale =
    unit === undefined ? headingOf(table.cells[service])?.scale || unitIn(table.cells[service]) : units[unit]
  if (scale === 0)
    throw new Refused([
      {
        path: file,
        message: `the column ${quoted(table.cells[service])} names no unit; say it: --unit us, --unit ms or --unit s`,
      },
    ])
  headings[service] = { column: SERVICE, scale }
  const shown = Object.entries(columnOptions).flatMap(([option, column]) => {
    const cell = headings.findIndex((heading) => heading?.column === column)
    return cell < 0
      ? []
      : [
          `${option.slice(2)} = ${table.cells[cell]}${column === SERVICE ? ` (${Object.keys(units).find((each) => units[each] === scale)})` : ''}`,
        ]
  })
  return {
    headings: { mark: table.mark, cells: table.cells, headings },
    told: isComplete(headings) ? `Columns: ${shown.join(', ')}.` : null,
  }
}

const optionOf = (column: number): string =>
  Object.keys(columnOptions).find((option) => columnOptions[option] === column) ?? ''

function cellNamed(option: string, name: string, cells: readonly string[]): number {
  const found = [(cell: string) => cell === name, (cell: string) => plainName(cell) === plainName(name)]
    .map((is) => cells.findIndex(is))
    .find((k) => k >= 0)
  if (found === undefined)
    throw new Refused([{ path: option, message: `found ${quoted(name)}; allowed: ${listed(cells.map(quoted), 'or')}` }])
  return found
}

/** Returns what series mean: by their names, or as options say it, where `--stage` names a label. */
function mappingOf(file: SeriesFile, values: Values): Mapping {
  const { mapping, certain } = guessMapping(file, values.get('--stage'))
  const groups = seriesGroups(file, mapping.stageLabel)
  const roles = [...mapping.roles]
  for (const [option, role] of [
    ['--queue', 'queue'],
    ['--service', 'service_s'],
    ['--workers', 'workers'],
    ['--completed', 'completed'],
  ] as const) {
    const name = values.get(option)
    if (name === undefined) continue
    const g = cellNamed(
      option,
      name,
      groups.map((group) => group.name),
    )
    const unit = values.get('--unit')
    const chosen: Role =
      role !== 'service_s'
        ? role
        : unit === undefined
          ? isService(roles[g])
            ? roles[g]
            : role
          : (`service_${unit}` as Role)
    for (const [k, each] of roles.entries())
      if (each === role || (role === 'service_s' && isService(each))) roles[k] = 'nothing'
    roles[g] = chosen
  }
  const isMapped =
    mapping.stageLabel !== '' &&
    roles.filter((role) => role === 'queue').length === 1 &&
    roles.filter(isService).length === 1
  if (certain || isMapped) return { stageLabel: mapping.stageLabel, roles }
  const names = listed(groups.map(({ name }) => name).slice(0, 12))
  throw new Refused([
    {
      path: '',
      message: `the names of the series do not tell one queue and one service time for each stage; say it: --stage LABEL --queue NAME --service NAME --workers NAME. The file has ${names}; or open the log on the page, which asks`,
    },
  ])
}

/** Returns the time since the log begins that a text names: 09:04, a date, or seconds. Throws Refused if it is outside the log. */
export function timeIn(
  option: string,
  text: string,
  origin: Micros,
  last: Micros,
  begin: Micros = 0,
  end: Micros = last,
): Micros {
  const parts = /^\d{1,2}(:\d{2}){1,2}(\.\d+)?$/.test(text) ? text.split(':').map(Number) : null
  const dated = hasDates(origin)
  let time = Number.NaN
  // Without dates two numbers are minutes and seconds, as the report shows times.
  if (parts !== null)
    time = (dated ? [...parts, 0].slice(0, 3) : parts).reduce((sum, part) => 60 * sum + part, 0) * SECOND
  if (parts !== null && dated) time += Math.floor(origin / DAY) * DAY - origin
  if (parts === null && /^\d+(\.\d+)?$/.test(text)) time = Number(text) * SECOND
  else if (parts === null && dated)
    time = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text.replace(' ', 'T')}Z`) * 1000 - origin
  // A log may pass midnight.
  if (parts !== null && dated && time < 0 && last >= time + DAY) time += DAY
  if (time >= begin && time <= end) return Math.round(time)
  const shown = (at: Micros) => (dated ? dateText(origin + at) : seconds(at, 0))
  throw new Refused([
    {
      path: option,
      message: `found ${quoted(text)}; allowed: a time of the log, which goes from ${shown(begin)} to ${shown(end)}`,
    },
  ])
}

/** The report lists this many decisions, JSON all. */
const LISTED = 100

/**
 * Returns what another scheduler decided during a log, each decision beside what our first policy would have decided at that point: for JSON, with times
 * since the log begins, and as a report. Throws Refused for a file without such decisions.
 */
export async function decidedBeside(word: string, log: SystemLog) {
  const input = await inputOf(word)
  const points = logPointsOf(log)
  const { decisions, outside, problems } = decisionsIn(
    fromUtf8(await readInput(input, MAX_DECISIONS)),
    log,
    points.time[points.length - 1],
    input.word,
  )
  const asked = questionOver(log.stages, firstRule, 1)
  if ('problems' in asked) throw new Refused(asked.problems)
  const { scenario } = asked.question
  const each = decisions.map((other) => ({ other, ...answerAt(points, logPointAt(points, other.time), scenario) }))
  const json = each.map(({ other, question, decision }) => ({
    ...other,
    stage: log.stages[other.stage],
    ours: answerFigures(question, decision),
  }))
  const lines = each.slice(0, LISTED).map(({ other, question, decision }) => {
    const time = logTime(log.origin, other.time)
    return `${time}  ${sentenceText(decisionSentence(scenario, other))}\n${' '.repeat(time.length)}  ours: ${answerSentences(question, decision).join(' ')}`
  })
  const more = each.length > LISTED ? [`and ${counted(each.length - LISTED, 'more decision')}; --json has all`] : []
  const left = problems.map(({ path, message }) => `${path === '' ? input.word : path}: ${message}`)
  const beyond = outside > 0 ? `, and ${outside} more before or after the log` : ''
  const head = `${counted(each.length, 'decision')} of another scheduler in ${input.word}${beyond}. Ours is ${policies[firstRule.policy].name()}, with the same queues, service times and workers:`
  return { json, report: [head, ...lines, ...more, ...left].join('\n') }
}

/** Throws Refused if there are no decisions during the log. */
function decisionsIn(text: string, log: SystemLog, last: Micros, word: string): DecisionsRead {
  const form = decisionFormOf(text.slice(0, HEAD))
  if (form === null)
    throw new Refused([{ path: word, message: `has no decisions of a scheduler; allowed: ${decisionColumns()}` }])
  try {
    const read = readDecisions(text, form, log, last)
    if (read.decisions.length > 0) return read
    throw new Refused(
      read.problems.map(({ path, message }) => ({ path: path === '' ? word : `${word}: ${path}`, message })),
    )
  } catch (error) {
    throw error instanceof Refusal ? new Refused([{ path: word, message: error.message }]) : error
  }
}
