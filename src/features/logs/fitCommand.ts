import process from 'node:process'
import { createStatusLine, print, Refused, readWords, usageShown, writeWhole, wrongWords } from '../../headless/command.ts'
import { tableOf } from '../../headless/report.ts'
import { inputOf, readInput } from '../../headless/subject.ts'
import type { TerminalCommand } from '../../runs/remote/studies.ts'
import { toShortFragment } from '../../scenario/link/codec.ts'
import { compact } from '../../scenario/model/compact.ts'
import { MAX_SHORT } from '../../scenario/model/limits.ts'
import { countJobs } from '../../scenario/model/sources.ts'
import { counted } from '../../scenario/model/words.ts'
import { Refusal } from '../../trace/json/refusal.ts'
import { percent, seconds } from '../../views/drawing/format.ts'
import { type Fit, fitLog, UnclearOrder } from './fit/fitLog.ts'
import type { SystemLog } from './read/log.ts'
import { createLogReader, logOf } from './read/readLog.ts'
import { guessMapping } from './read/seriesRoles.ts'
import { MAX_LOG_FILE } from './study/logFile.ts'

/** How many rates are shown. */
const SHOWN = 12

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
  const arrivals = tableOf([['arrivals from', 'jobs/s'], ...rates.slice(0, SHOWN).map(([from, rate]) => [seconds(from, 0), rate.toFixed(2)])])
  const more = rates.length > SHOWN ? `\nand ${counted(rates.length - SHOWN, 'more rate')}` : ''
  const missed = gaps.map(
    ({ name, from, to, logged, run }) =>
      `${name}, ${seconds(from, 0)} to ${seconds(to, 0)}: ${logged.toFixed(1)} waited in the log, ${run.toFixed(1)} in the run`,
  )
  const link = toShortFragment(scenario)
  return [
    head,
    `${queues}\nThe error is the mean distance of the two queues, each averaged over equal parts of the log, over the mean logged queue.`,
    gaps.length === 0 ? 'Nowhere in the log is the run off by more than 2 jobs and by more than half of the queue.' : ['Not explained:', ...missed].join('\n'),
    arrivals + more,
    ['Assumed:', ...assumed].join('\n'),
    link.length <= MAX_SHORT ? link : 'The scenario is too long for a link. Use --json, and open it as a file.',
  ].join('\n\n')
}

const usage = `usage: {fit} LOG [options]

Makes a scenario that reproduces the log of a real system, and says how well it does.

  LOG              a file with the columns time, stage, queue, service_ms and workers, and where there are some completed or arrivals:
                   CSV, JSON or an answer of Prometheus, as docs/your-own-log.md says; "-" is the standard input, https://... is fetched
  --stages a,b,c   the stages along the pipeline, where the counts of the log do not tell it
  --json           print the scenario as JSON, and the report to the standard error
  --help           print this`

/** Returns the log of a file, and its bad rows, which are left out. Throws Refused if it has none. */
async function readLog(word: string) {
  const reader = createLogReader()
  const input = await inputOf(word)
  const file = input.word
  reader.push(await readInput(input, MAX_LOG_FILE))
  const end = reader.end()
  const guessed = 'series' in end ? guessMapping(end) : null
  if (guessed?.certain === false)
    throw new Refused([
      { path: file, message: 'the names of the series do not tell one queue and one service time for each stage; open the log on the page, which asks' },
    ])
  const read = 'series' in end && guessed !== null ? logOf(end, guessed.mapping) : end
  if ('log' in read) return read
  throw new Refused('problems' in read ? read.problems.map(({ path, message }) => ({ path: path === '' ? file : `${file}: ${path}`, message })) : [])
}

async function fitted(log: SystemLog, stages: readonly string[] | null): Promise<Fit> {
  const line = createStatusLine()
  try {
    return await fitLog(log, { order: stages, onProgress: (share) => line.tell(() => percent(share)) })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const order = error instanceof UnclearOrder ? `, such as --stages ${error.guess.join(',')}` : ''
    throw new Refused([{ path: error.path, message: error.message + order }])
  } finally {
    line.end()
  }
}

async function run(words: readonly string[]): Promise<void> {
  if (words.includes('--help')) return print(usageShown(usage))
  const { subjects, values } = readWords(words, ['--stages', '--json'], usage)
  if (subjects.length !== 1)
    throw wrongWords('', subjects.length === 0 ? 'which log? A file is missing' : `one log at a time, not ${subjects.length}: ${subjects.join(' ')}`, usage)
  const { log, bad, problems } = await readLog(subjects[0])
  const names = values.get('--stages')?.split(',')
  const fit = await fitted(log, names?.map((name) => name.trim()) ?? null)
  const shown = problems.slice(0, 3).map(({ path, message }) => `${path}: ${message}`)
  const report = (bad > 0 ? `Rows left out: ${bad}. ${shown.join('; ')}\n\n` : '') + fitReport(fit)
  if (!values.has('--json')) return print(report)
  writeWhole(process.stderr.fd, `${report}\n`)
  print(JSON.stringify(compact(fit.scenario)))
}

export const fitCommand: TerminalCommand = { run }
