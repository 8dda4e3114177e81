import { availableParallelism } from 'node:os'
import { parentPort, Worker } from 'node:worker_threads'
import { createStatusLine, print, Refused, readWords, usageShown, wrongWords } from '../../headless/command.ts'
import { tableOf } from '../../headless/report.ts'
import { readScenario } from '../../headless/subject.ts'
import { metricsOf } from '../../measures/figures/metrics.ts'
import type { TerminalCommand } from '../../runs/remote/studies.ts'
import { toShortFragment } from '../../scenario/link/codec.ts'
import { compact } from '../../scenario/model/compact.ts'
import { MAX_SEED } from '../../scenario/model/limits.ts'
import { countJobs } from '../../scenario/model/sources.ts'
import { counted, listed, quoted } from '../../scenario/model/words.ts'
import { goneNotice, policyCalled } from '../../scenario/parse/gone.ts'
import { count } from '../../views/drawing/format.ts'
import * as finder from './finder.ts'

const options = ['--worse', '--than', '--measure', '--from', '--runs', '--seed', '--json', '--link']
const usage = `usage: {find} --worse POLICY --than POLICY --measure NAME [options]

Searches small scenarios for the one in which the first policy does worst against the second, and makes it as simple as it can.

  --worse policy   the policy that is to do badly
  --than policy    the policy that it is compared with; both are among ${finder.contestants.join(', ')}
  --measure name   the figure, of which less is better: ${finder.finderMeasures.join(', ')}
  --from file      search around this scenario: its numbers, arrivals and faults. A file, a trace, a link, https://... or - for the standard input
  --runs n         the most trials, ${count(finder.DEFAULT_RUNS)} unless given; each plays a scenario under both policies
  --seed n         another search; the same seed and runs find the same; 1 unless given
  --link           print only the link of the scenario, which opens Compare
  --json           print { scenario, ratio, runs } as JSON
  --help           print this`

async function readQuestion(
  words: readonly string[],
): Promise<{ readonly question: finder.FinderQuestion; readonly json: boolean; readonly link: boolean }> {
  const { subjects, values } = readWords(words, options, usage)
  if (subjects.length > 0) throw wrongWords('', `found ${quoted(subjects[0])}, which belongs to no option`, usage)
  const [worse, than, measure] = ['--worse', '--than', '--measure'].map((name) => {
    const value = values.get(name)
    if (value === undefined) throw wrongWords(name, 'is missing', usage)
    return value
  })
  const contest = contestOf(worse, than, measure)
  const from = values.get('--from')
  const around = from === undefined ? null : await readScenario(from)
  const runs = wholeOf('--runs', values.get('--runs') ?? `${finder.DEFAULT_RUNS}`, 1, finder.MAX_FINDER_RUNS)
  const seed = wholeOf('--seed', values.get('--seed') ?? '1', 0, MAX_SEED)
  return {
    question: { ...contest, code: around?.policy.kind === 'code' ? around.policy : null, around, runs, seed },
    json: values.has('--json'),
    link: values.has('--link'),
  }
}

/** Returns the contest with these names. Throws Refused with the wrong names. */
function contestOf(worse: string, than: string, measure: string): finder.Contest {
  const [one, other] = [worse, than].map((word) => {
    const called = policyCalled(word)
    if (called === null || !finder.contestants.includes(called.kind)) return undefined
    if (called.gone.length > 0) console.error(goneNotice(called.gone))
    return called.kind
  })
  const figure = finder.finderMeasures.find((name) => name === measure)
  const wrong = (path: string, found: string, names: readonly string[]) => ({
    path: `--${path}`,
    message: `found ${quoted(found)}; allowed: ${listed(names)}`,
  })
  const problems = [
    ...(one === undefined ? [wrong('worse', worse, finder.contestants)] : []),
    ...(other === undefined ? [wrong('than', than, finder.contestants)] : []),
    ...(figure === undefined ? [wrong('measure', measure, finder.finderMeasures)] : []),
  ]
  if (one === undefined || other === undefined || figure === undefined) throw new Refused(problems)
  if (one === other)
    throw new Refused([{ path: '--than', message: `${other} stands on both sides; allowed: two different policies` }])
  return { worse: one, than: other, measure: figure }
}

function wholeOf(name: string, text: string, least: number, most: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  throw new Refused([
    { path: name, message: `found ${quoted(text)}; allowed: a whole number from ${count(least)} to ${count(most)}` },
  ])
}

async function search(question: finder.FinderQuestion, script: URL): Promise<finder.Find> {
  const threads = openFinderThreads(script, Math.min(finder.CHAINS, availableParallelism()))
  const line = createStatusLine()
  try {
    const onProgress = (best: number, share: number) =>
      line.tell(() => `${Math.round(share * 100)}%, best so far ${best.toFixed(3)}`)
    const found = await finder.findWorst(question, { play: threads.play, onProgress })
    if (found === null)
      throw new Refused([
        {
          path: '',
          message: 'In no trial did both policies finish all jobs. Try more runs, another seed or another scenario.',
        },
      ])
    return found
  } catch (error) {
    throw error instanceof RangeError
      ? new Refused([{ path: '--from', message: `under ${question.worse}: ${error.message}` }])
      : error
  } finally {
    line.end()
    await threads.end()
  }
}

const linkOf = ({ worse, than }: finder.Contest, { scenario, parting }: finder.Find): string =>
  toShortFragment(scenario, { record: 'compare', policies: [worse, than], at: parting?.time ?? null })

/** Returns the result for people: the two figures, and a link that opens Compare at the first difference. */
async function report(contest: finder.Contest, found: finder.Find): Promise<string> {
  const { worse, than, measure } = contest
  const { scenario, ratio, runs } = found
  const traces = await finder.playContest(contest, scenario)
  if (traces === null) throw new Error('the scenario that was found cannot be played again')
  const [one, other] = traces.map((trace) => metricsOf(trace)[measure])
  const size = [
    counted(countJobs(scenario.source), 'job'),
    counted(scenario.stages.length, 'stage'),
    counted(scenario.workers, 'worker'),
  ].join(', ')
  const table = tableOf([
    ['policy', measure],
    [worse, count(one)],
    [than, count(other)],
    ['ratio', ratio.toFixed(3)],
  ])
  return [`${size}, seed ${scenario.seed}; found in ${counted(runs, 'trial')}`, table, linkOf(contest, found)].join(
    '\n\n',
  )
}

async function find(words: readonly string[], script: URL): Promise<void> {
  if (words.includes('--help')) return print(usageShown(usage))
  const { question, json, link } = await readQuestion(words)
  const found = await search(question, script)
  const { scenario, ratio, runs } = found
  if (link) return print(linkOf(question, found))
  print(json ? JSON.stringify({ scenario: compact(scenario), ratio, runs }, null, 2) : await report(question, found))
}

export const findCommand: TerminalCommand = {
  run: find,
  serve: () =>
    parentPort?.on('message', async (task: finder.FinderTask) =>
      parentPort?.postMessage(await finder.playFinderTask(task)),
    ),
}

/** Opens `count` threads, which run this script of the terminal's commands and play one task at a time each. */
function openFinderThreads(script: URL, count: number) {
  const threads = Array.from({ length: count }, () => new Worker(script, { workerData: { command: 'find' } }))
  const free = [...threads]
  const waiting: ((thread: Worker) => void)[] = []
  return {
    async play(task: finder.FinderTask): Promise<finder.FinderAnswer> {
      const thread = free.pop() ?? (await new Promise<Worker>((resolve) => waiting.push(resolve)))
      const answer = await new Promise<finder.FinderAnswer>((resolve, reject) => {
        const settled = (answer: finder.FinderAnswer) => {
          thread.off('error', reject)
          resolve(answer)
        }
        thread.once('message', settled).once('error', reject)
        thread.postMessage(task)
      })
      const next = waiting.shift()
      if (next === undefined) free.push(thread)
      else next(thread)
      return answer
    },
    end: () => Promise.all(threads.map((thread) => thread.terminate())),
  }
}
