import process from 'node:process'
import {
  createStatusLine,
  oneSubject,
  print,
  Refused,
  readWords,
  usageShown,
  writeWhole,
  wrongWords,
} from '../../headless/command.ts'
import { tableOf } from '../../headless/report.ts'
import type { TerminalCommand } from '../../runs/remote/studies.ts'
import { toShortFragment } from '../../scenario/link/codec.ts'
import { compact } from '../../scenario/model/compact.ts'
import { MAX_SHORT } from '../../scenario/model/limits.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
import { countJobs } from '../../scenario/model/sources.ts'
import { counted, quoted } from '../../scenario/model/words.ts'
import { Refusal } from '../../trace/json/refusal.ts'
import type { Trace } from '../../trace/trace.ts'
import { count, percent, seconds } from '../../views/drawing/format.ts'
import { dateText, hasDates, logTime } from './draw/logDrawing.ts'
import { type Change, changesIn, MAX_TOGETHER } from './fit/changes.ts'
import { type Fit, fitLog, UnclearOrder } from './fit/fitLog.ts'
import { TooManyJobs } from './fit/guess.ts'
import {
  betterDays,
  DAYS,
  flowTimes,
  nearSaturation,
  type PlayedDays,
  peaksAt,
  playWhatIf,
  worstStage,
} from './fit/whatIf.ts'
import { logOfRun } from './measure/logPoints.ts'
import { saturationText, spreadText, whatIfSentence } from './page/fitWords.ts'
import type { SystemLog } from './read/log.ts'
import { decidedBeside, logOptions, readLog, timeIn } from './study/logInput.ts'

const SECOND = 1_000_000
/** How many rates are shown. */
const SHOWN = 12

function linkOf(scenario: Scenario): string {
  const link = toShortFragment(scenario)
  return link.length <= MAX_SHORT ? link : 'The scenario is too long for a link. Use --json, and open it as a file.'
}

/** Returns the report of a fit: queues and their errors, gaps, arrivals, assumptions, and the link of the scenario. */
function fitReport({ scenario, stages, gaps, rates, assumed, runs }: Fit): string {
  const head = `${counted(countJobs(scenario.source), 'job')}, ${counted(stages.length, 'stage')}, ${counted(scenario.workers, 'worker')}, seed ${scenario.seed}; the nearest of ${counted(runs, 'run')}`
  const queues = tableOf([
    ['mean queue', 'logged', 'of the run', 'until its end', 'mean error', 'in jobs'],
    ...stages.map(({ name, logged, run, whole, error }) => [
      name,
      ...[logged, run, whole].map((queue) => queue.toFixed(2)),
      percent(error, 0),
      (error * logged).toFixed(2),
    ]),
  ])
  const arrivals = tableOf([
    ['arrivals from', 'jobs/s'],
    ...rates.slice(0, SHOWN).map(([from, rate]) => [seconds(from, 0), rate.toFixed(2)]),
  ])
  const more = rates.length > SHOWN ? `\nand ${counted(rates.length - SHOWN, 'more rate')}` : ''
  const missed = gaps.map(
    ({ name, from, to, logged, run }) =>
      `${name}, ${seconds(from, 0)} to ${seconds(to, 0)}: ${logged.toFixed(1)} waited in the log, ${run.toFixed(1)} in the run`,
  )
  return [
    head,
    `${queues}\nThe error is the mean distance of the two queues, each averaged over equal parts of the log, over the mean logged queue.`,
    gaps.length === 0
      ? 'Nowhere in the log is the run off by more than 2 jobs and by more than half of the queue.'
      : ['Not explained:', ...missed].join('\n'),
    arrivals + more,
    ['Assumed:', ...assumed].join('\n'),
    linkOf(scenario),
  ].join('\n\n')
}

const usage = `usage: {fit} LOG [options]

Makes a scenario that reproduces the log of a real system, and says how well it does.

  LOG              a file with the columns time, stage, queue, service_ms and workers, and where there are some completed or arrivals:
                   CSV, JSON or an answer of Prometheus, as docs/your-own-log.md says; "-" is the standard input, https://... is fetched
  --change "..."   play a change on ${DAYS} days like the log; may be given several times. With commas, up to ${MAX_TOGETHER} changes are tried together:
                   "+1 STAGE", "-1 STAGE", "STAGE 20% quicker", "capacity 100 STAGE", "policy leastScore"
  --at time        from when on the changes hold: 09:04, 09:04:30, a date, or seconds since the log begins; from the start unless given
  --decisions FILE list what another scheduler decided, with its reasons, each beside what ours would have decided then
  --stages a,b,c   the stages along the pipeline, where the counts of the log do not tell it
  --from time      take the log from this time on; --to time up to this one: 09:04, 09:04:30, a date, or seconds since the log begins
  --time NAME      the column, key or for Prometheus series of the log, where its name does not say it; so --queue, --service, --workers
                   and --completed; --stage NAME is a column, or of series a label. What is not named is guessed
  --unit us|ms|s   the unit of the service times
  --link           print only the link of the scenario
  --json           print the scenario as JSON, with changes or decisions { scenario, changes, decisions }, and the report to the standard error
  --help           print this`

async function fitted(log: SystemLog, begin: Micros, stages: readonly string[] | null): Promise<Fit> {
  const line = createStatusLine()
  try {
    return await fitLog(log, { order: stages, onProgress: (share) => line.tell(() => percent(share)) })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const order =
      error instanceof UnclearOrder
        ? `, such as --stages ${error.guess.join(',')}`
        : error instanceof TooManyJobs
          ? partOf(log, begin, error)
          : ''
    throw new Refused([{ path: error.path, message: error.message + order }])
  } finally {
    line.end()
  }
}

/** Returns the options of the part that a fit can take. `begin`: where the log begins in its file. */
function partOf({ origin }: SystemLog, begin: Micros, { from, to }: TooManyJobs): string {
  const named = (time: Micros) =>
    hasDates(origin) ? dateText(origin + time).replace(' ', 'T') : `${Math.floor((begin + time) / SECOND)}`
  return `, such as --from ${named(from)} --to ${named(to)}`
}

/** Plays the changes. Returns them for JSON and as a report. */
async function playChanges({ scenario, arrivals, time }: Fit, texts: readonly string[], from: Micros, origin: Micros) {
  const line = createStatusLine()
  const asked = texts.map((text) => changesIn(text, scenario.stages))
  const question = { scenario, arrivals, days: DAYS, from, until: time[time.length - 1] }
  const play = async (changes: readonly Change[], k: number) => {
    const answer = await playWhatIf({ ...question, changes }, (share) =>
      line.tell(() => `changes: ${percent((k + share) / (asked.length + 1))}`),
    )
    if ('problem' in answer) throw new Refusal('--change', `${quoted(texts[k - 1])}: ${answer.problem}`)
    return answer
  }
  try {
    const base = await play([], 0)
    const played: PlayedDays[] = []
    for (const [k, changes] of asked.entries()) played.push(await play(changes, k + 1))
    const json = played.map((each, k) => ({
      change: texts[k],
      meanFlowTime: flowTimes(each),
      peaks: Object.fromEntries(each.scenario.stages.map(({ name }, s) => [name, peaksAt(each, s)])),
      better: betterDays(base, each),
      runs: each.days.length,
    }))
    return { json, report: changesReport(base, texts, asked, played, from === 0 ? null : logTime(origin, from)) }
  } finally {
    line.end()
  }
}

/** Returns the results of the changes as sentences and a table. */
function changesReport(
  base: PlayedDays,
  texts: readonly string[],
  asked: readonly (readonly Change[])[],
  played: readonly PlayedDays[],
  from: string | null,
): string {
  const { stages } = base.scenario
  const worst = worstStage(base)
  const row = (name: string, each: PlayedDays, better: string) => [
    name,
    spreadText(peaksAt(each, worst), count),
    spreadText(flowTimes(each), (time) => seconds(time, 3)),
    percent(Math.max(...each.loads), 0),
    better,
  ]
  const table = tableOf([
    ['change', `longest queue at ${stages[worst].name}`, 'mean time in the system', 'highest load', 'better'],
    row('as it was', base, ''),
    ...played.map((each, k) => row(texts[k], each, `${betterDays(base, each)} of ${each.days.length}`)),
  ])
  const about = `Each change is played on ${base.days.length} days like the log: other arrivals at the same rates, other service times, each the same with and without the change. Middle day (lowest to highest).`
  const near = nearSaturation(base)
  return [
    ...(near === null ? [] : [`As it was, ${saturationText(base.scenario, near)}`]),
    ...asked.map((changes, k) => whatIfSentence(changes, base, played[k], from)),
    `${table}\n${about}`,
  ].join('\n\n')
}

async function run(words: readonly string[]): Promise<void> {
  if (words.includes('--help')) return print(usageShown(usage))
  const { subjects, values, lists } = readWords(
    words,
    ['--stages', '--at', '--change', '--decisions', ...logOptions, '--json', '--link'],
    usage,
  )
  const changes = lists.get('--change') ?? []
  const subject = oneSubject(subjects, 'log', usage)
  const at = values.get('--at')
  if (at !== undefined && changes.length === 0)
    throw wrongWords('--at', 'needs a --change, which holds from then on', usage)
  const { log, bad, problems, told, from: begin, whole } = await readLog(subject, values)
  const from =
    at === undefined ? 0 : timeIn('--at', at, whole.origin, whole.last, begin, begin + log.time[log.length - 1]) - begin
  const names = values.get('--stages')?.split(',')
  const decided = values.has('--decisions') ? await decidedBeside(values.get('--decisions') ?? '', log) : null
  const fit = await fitted(log, begin, names?.map((name) => name.trim()) ?? null)
  const played = changes.length === 0 ? null : await playChanges(fit, changes, from, log.origin).catch(refused)
  const shown = problems.slice(0, 3).map(({ path, message }) => `${path}: ${message}`)
  const left = [...(told === null ? [] : [told]), ...(bad > 0 ? [`Rows left out: ${bad}. ${shown.join('; ')}`] : [])]
    .map((text) => `${text}\n\n`)
    .join('')
  const report =
    left + [fitReport(fit), decided?.report, played?.report].filter((each) => each !== undefined).join('\n\n')
  if (values.has('--link')) return print(linkOf(fit.scenario))
  if (!values.has('--json')) return print(report)
  writeWhole(process.stderr.fd, `${report}\n`)
  const scenario = compact(fit.scenario)
  print(
    JSON.stringify(
      played === null && decided === null ? scenario : { scenario, changes: played?.json, decisions: decided?.json },
    ),
  )
}

function refused(error: unknown): never {
  throw error instanceof Refusal ? new Refused([{ path: error.path, message: error.message }]) : error
}

/** Returns what another scheduler decided during a run, as `decidedBeside` does. */
export const decidedInRun = (word: string, trace: Trace) => decidedBeside(word, logOfRun(trace))

export const fitCommand: TerminalCommand = { run }
