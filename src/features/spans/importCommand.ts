import {
  createStatusLine,
  oneSubject,
  print,
  Refused,
  readWords,
  usageShown,
  writeParts,
} from '../../headless/command.ts'
import { stageCells, stageColumns, tableOf } from '../../headless/report.ts'
import { inputOf, partsOf } from '../../headless/subject.ts'
import { figuresOf } from '../../measures/figures/metrics.ts'
import { FINISHED } from '../../pipeline/rows.ts'
import { summarise } from '../../runs/play/play.ts'
import type { TerminalCommand } from '../../runs/remote/studies.ts'
import { counted } from '../../scenario/model/words.ts'
import { gonePolicies } from '../../scenario/parse/gone.ts'
import { createTraceReader } from '../../trace/formats/readTraceJson.ts'
import { writeTraceJson } from '../../trace/formats/traceJson.ts'
import { Refusal } from '../../trace/json/refusal.ts'
import { MAX_TRACE_FILE } from '../../trace/trace.ts'
import { bytes, duration, milliseconds, percent } from '../../views/drawing/format.ts'
import { formatNames } from './read/spanFormats.ts'
import { type SpanRun, spanRunOf } from './read/spanRun.ts'
import { readSpans } from './study/importSpans.ts'

const usage = `usage: {import} FILE [options]

Makes a run of the spans of a real system: what each job did, exactly. Apportion opens it as a trace.

  FILE             OTLP JSON, a Chrome Trace Event file, the JSON of Jaeger or Zipkin, or lines of Node's channel apportion:job, as
                   docs/your-own-log.md says; gzip too; "-" is the standard input, https://... is fetched
  --job NAME       the attribute that tells which spans belong to one job, where the guess is wrong; "trace" is the trace
  --stage NAME     the attribute that names the stage; "name" is the name of the span
  --worker NAME    the attribute that names the worker
  --trace out.json write the run there as a trace
  --decisions FILE list what the scheduler of the system decided, with its reasons, each beside what ours would have decided then
  --json           print one summary as JSON, times in microseconds
  --help           print this`

/** Returns the summary of a run as headless prints it, with what was chosen, and the names of the stages. */
function summaryOf({ trace, spans, chosen, notes }: SpanRun, format: string) {
  const { stages, ...figures } = summarise(trace, figuresOf(trace))
  const tails = tailsOf(trace)
  const named = stages.map(({ id, ...rest }, s) => ({
    id,
    name: trace.scenario.stages[s].name,
    ...rest,
    p99Service: tails[s],
  }))
  return { ...figures, stages: named, workers: trace.scenario.workers, format, spans, chosen, notes }
}

/** Returns by stage the service time that 99% of the services do not exceed: the nearest rank; null where nothing was served. */
function tailsOf({ chunks, scenario }: SpanRun['trace']): (number | null)[] {
  const times = scenario.stages.map((): number[] => [])
  for (const { kind, stage, lasted, length } of chunks)
    for (let i = 0; i < length; i++) if (kind[i] === FINISHED) times[stage[i]].push(lasted[i])
  return times.map((all) => Float64Array.from(all).sort()[Math.ceil(0.99 * all.length) - 1] ?? null)
}

function reportOf(summary: ReturnType<typeof summaryOf>): string {
  const {
    chosen,
    completed,
    failed,
    format,
    jobs,
    meanFlowTime,
    notes,
    p50FlowTime,
    p99FlowTime,
    spans,
    stages,
    utilisation,
    workers,
  } = summary
  const worker = chosen.worker === null ? 'found from overlaps' : `the attribute ${chosen.worker}`
  return [
    `${format}: ${counted(spans, 'span')}, ${counted(jobs, 'job')}, ${counted(stages.length, 'stage')}, ${counted(workers, 'worker')}`,
    `A job is told by ${chosen.job}, a stage by ${chosen.stage}, a worker: ${worker}.`,
    tableOf([
      ['', 'of the run'],
      ['completed', `${completed}`],
      ['failed', `${failed}`],
      ['mean flow time', duration(meanFlowTime)],
      ['median flow time', duration(p50FlowTime)],
      ['99% flow time', duration(p99FlowTime)],
      ['utilisation', percent(utilisation)],
    ]),
    tableOf([
      [...stageColumns, '99% service ms'],
      ...stages.map((stage) => [...stageCells(stage.name, stage), milliseconds(stage.p99Service ?? 0, 2)]),
    ]),
    ...(notes.length > 0 ? [notes.join('\n')] : []),
  ].join('\n\n')
}

/** Returns what another scheduler decided in a file during a run, beside our decisions: for JSON, and as a report. */
type Beside = (
  file: string,
  trace: SpanRun['trace'],
) => Promise<{ readonly json: readonly object[]; readonly report: string }>

async function run(words: readonly string[], beside: Beside): Promise<void> {
  if (words.includes('--help')) return print(usageShown(usage))
  const { subjects, values } = readWords(
    words,
    ['--job', '--stage', '--worker', '--trace', '--decisions', '--json'],
    usage,
  )
  const input = await inputOf(oneSubject(subjects, 'file', usage))
  const line = createStatusLine()
  const choice = {
    job: values.get('--job') ?? null,
    stage: values.get('--stage') ?? null,
    worker: values.get('--worker') ?? null,
  }
  try {
    let size = 0
    const counting = async function* () {
      for await (const part of partsOf(input)) {
        size += part.length
        line.tell(() => `${input.word}: ${input.size === undefined ? bytes(size) : percent(size / input.size)} read`)
        yield part
      }
    }
    const read = await readSpans(counting())
    const made = spanRunOf(read.table, choice, input.name.replace(/\.(jsonl?|ndjson|gz)\b/g, ''))
    const file = values.get('--trace')
    if (file !== undefined) writeParts('--trace', file, writeTraceJson(made.trace))
    const summary = summaryOf({ ...made, notes: [...read.notes, ...made.notes] }, formatNames[read.format])
    const others = values.get('--decisions')
    const decided = others === undefined ? null : await beside(others, made.trace)
    line.end()
    if (values.has('--json')) print(JSON.stringify({ ...summary, decisions: decided?.json }, null, 2))
    else print([reportOf(summary), ...(decided === null ? [] : [decided.report])].join('\n\n'))
  } catch (error) {
    line.end()
    if (!(error instanceof Refusal)) throw error
    throw new Refused([{ path: error.path === '' ? input.word : error.path, message: error.message }])
  }
}

/** `beside` comes from the feature that reads logs. */
export const importCommand = (beside: Beside): TerminalCommand => ({ run: (words) => run(words, beside) })

const checkUsage = `usage: {check} FILE

Checks a trace, row by row, as the page does when it opens one. Says what it holds, or where it is wrong.

  FILE     a trace, as docs/files.md says; "-" is the standard input, https://... is fetched
  --help   print this`

async function check(words: readonly string[]): Promise<void> {
  if (words.includes('--help')) return print(usageShown(checkUsage))
  const { subjects } = readWords(words, [], checkUsage)
  const input = await inputOf(oneSubject(subjects, 'file', checkUsage))
  const line = createStatusLine()
  const reader = createTraceReader()
  let size = 0
  for await (const part of partsOf(input)) {
    size += part.length
    if (size > MAX_TRACE_FILE)
      throw new Refused([{ path: input.word, message: `it has more than ${bytes(MAX_TRACE_FILE)}, which is allowed` }])
    line.tell(() => `${bytes(size)} read`)
    if (!reader.push(part)) break
  }
  const read = reader.end((share) => line.tell(() => `${percent(share)} of the rows checked`))
  line.end()
  if ('problems' in read)
    throw new Refused(
      read.problems.map(({ path, message }) => ({
        path: path === '' ? input.word : `${input.word}: ${path}`,
        message,
      })),
    )
  const { trace } = read
  const { completed, failed, jobs, makespan } = figuresOf(trace).metrics
  const former = new Set(
    trace.formerPolicies.flatMap((policy) => (policy === null ? [] : gonePolicies[policy.kind].name())),
  )
  const unexplained = [...former].map((policy) => ` Made by the policy ${policy}, which this version cannot explain.`)
  print(
    `${input.word} is a trace: ${counted(trace.length, 'row')}, ${counted(jobs, 'job')} of which ${completed} completed and ${failed} failed, ${counted(trace.scenario.stages.length, 'stage')}, ${counted(trace.scenario.workers, 'worker')}, ${duration(makespan)}.${unexplained.join('')}`,
  )
}

export const checkCommand: TerminalCommand = { run: check }
