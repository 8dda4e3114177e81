import { writeDecisionsCsv } from '../measures/decisions/decisionExports.ts'
import { createEstimateHistory } from '../measures/decisions/estimateHistory.ts'
import { figuresOf } from '../measures/figures/metrics.ts'
import { stuckSentences } from '../measures/frame/endingWords.ts'
import { writeTraceEvents } from '../measures/profile/traceEvents.ts'
import { playSimulation, summarise } from '../runs/play/play.ts'
import { codeLoaderOf, type Studies, type TerminalCommand } from '../runs/remote/studies.ts'
import { branchOf, originalOf } from '../scenario/edit/branches.ts'
import { toShortFragment } from '../scenario/link/codec.ts'
import { same } from '../scenario/model/compact.ts'
import { isPinned, partDefaults } from '../scenario/model/defaults.ts'
import { startingParams } from '../scenario/model/policies.ts'
import type { Scenario } from '../scenario/model/scenario.ts'
import { withoutKey } from '../scenario/model/schedule.ts'
import { countJobs } from '../scenario/model/sources.ts'
import { listed, nearestFirst, quoted } from '../scenario/model/words.ts'
import { policyCalled } from '../scenario/parse/gone.ts'
import { parse } from '../scenario/parse/parse.ts'
import type { DecisionQuestion } from '../scenario/parse/part.ts'
import type { Preset } from '../scenario/presets/preset.ts'
import { presets } from '../scenario/presets/presets.ts'
import { needsCode } from '../scheduler/codePolicy.ts'
import { writeTraceJson } from '../trace/formats/traceJson.ts'
import type { Trace } from '../trace/trace.ts'
import {
  createProgress,
  oneSubject,
  print,
  Refused,
  readWords,
  usageShown,
  watchedHere,
  writeParts,
} from './command.ts'
import { type Played, report } from './report.ts'
import { accepted, fragmentAt, named, readSubject } from './subject.ts'

const usage = `usage: {headless} FILE-OR-LINK [options]

  FILE-OR-LINK       a scenario as a JSON file, or a trace, whose scenario it plays; "-" is the standard input, https://... is fetched;
                     preset:KEY is a built-in scenario, and preset: alone lists them;
                     a link (#json=... or #s=..., with or without what stands before; quote it);
                     or a link with a question to the allocator (#ask=...), which it answers
  --policy a,b       play it under each of these policies instead of its own
  --seed n           play it with this seed instead of its own
  --order kind       let the jobs leave in this order instead of its own: none, buffer or shard
  --branch n         of a scenario with branches, play this one alone (1, 2, ...), or its original (0), instead of all of them
  --trace out.json   write the trace there; with several policies one file each: out.POLICY.json, with branches out.BRANCH.POLICY.json
  --events out.json  write the run as Trace Event file for Perfetto and speedscope, named likewise
  --csv out.csv      write the decisions as CSV, named likewise
  --link             print only the links of the scenarios, one a line
  --json             print an array of summaries as JSON, times in microseconds
  --help             print this`

/** By option, the writer of the record of a run, in parts. */
const recordWriters: Readonly<Record<string, (trace: Trace) => Iterable<string>>> = {
  '--trace': writeTraceJson,
  '--events': writeTraceEvents,
  '--csv': (trace) => writeDecisionsCsv(trace, createEstimateHistory(trace)),
}

type Arguments = ReturnType<typeof readArguments>

function readArguments(words: readonly string[]) {
  const { subjects, values } = readWords(
    words,
    ['--policy', '--seed', '--order', '--branch', ...Object.keys(recordWriters), '--json', '--link'],
    usage,
  )
  return {
    subject: oneSubject(subjects, 'scenario', usage),
    policy: values.get('--policy'),
    seed: values.get('--seed'),
    order: values.get('--order'),
    branch: values.get('--branch'),
    /** By option, where to write the record of the run. */
    records: [...values].filter(([name]) => name in recordWriters),
    json: values.has('--json'),
    link: values.has('--link'),
  }
}

/** A scenario to play, and the name of its branch; null if the scenario has no branches. */
interface Variant {
  readonly scenario: Scenario
  readonly branch: string | null
}

/** Returns the original and its branches, or the one asked for; a scenario without branches as it is. */
function branches(whole: Scenario, { branch }: Arguments): Variant[] {
  const count = whole.branches.length
  if (branch !== undefined && !(/^\d+$/.test(branch) && Number(branch) <= count))
    throw new Refused(
      '--branch',
      `found ${quoted(branch)}; allowed: 0, the original${count === 0 ? ': it has no branches' : `, to ${count}`}`,
    )
  if (count === 0) return [{ scenario: whole, branch: null }]
  const all = [
    { scenario: originalOf(whole), branch: 'original' },
    ...whole.branches.map((_, k) => ({ scenario: branchOf(whole, k), branch: `branch ${k + 1}` })),
  ]
  return branch === undefined ? all : [all[Number(branch)]]
}

/** Returns the scenario under each policy asked for. Its own policy keeps its settings; another one keeps `lend` and holds for the whole run. */
function variants(own: Scenario, { policy, seed: wantedSeed, order: wantedOrder }: Arguments): Scenario[] {
  const order =
    wantedOrder === undefined || wantedOrder === own.order.kind
      ? own.order
      : { kind: wantedOrder, ...(wantedOrder === 'buffer' && { slots: partDefaults.slots }) }
  const seed = wantedSeed === undefined ? own.seed : /^\d+$/.test(wantedSeed) ? Number(wantedSeed) : wantedSeed
  const scenario = { ...own, order, seed }
  const kinds = policy === undefined ? [scenario.policy.kind] : policy.split(',').map((kind) => kind.trim())
  if (kinds.includes(''))
    throw new Refused('--policy', `found ${quoted(policy ?? '')}; allowed: names of policies with a comma between them`)
  const doubled = kinds.find((kind, i) => kinds.indexOf(kind) < i)
  if (doubled !== undefined) throw new Refused('--policy', `${doubled} is listed twice`)
  const variants = kinds.map((kind) => {
    if (kind === own.policy.kind) return accepted(parse(scenario))
    const known = policyCalled(kind)?.kind
    const lends = known !== undefined && !isPinned(known) && !isPinned(own.policy.kind) && { lend: own.policy.lend }
    const next = { kind, ...(known && startingParams(known)), ...lends }
    return accepted(parse({ ...scenario, policy: next, later: withoutKey(own.later, 'policy') }))
  })
  // A policy that plays in place of one that is gone may be listed itself.
  return variants.filter(({ policy }, i) => variants.findIndex((each) => same(each.policy, policy)) === i)
}

/** Returns out.json, or with several runs out.leastScore.json or out.branch-1.leastScore.json. */
function recordFile(option: string, file: string, { scenario, branch }: Variant, several: boolean): string {
  if (!several) return file
  const which = [...(branch === null ? [] : [branch.replace(' ', '-')]), scenario.policy.kind].join('.')
  const ending = option === '--csv' ? '.csv' : '.json'
  return `${file.endsWith(ending) ? file.slice(0, -ending.length) : file}.${which}${ending}`
}

/** Returns the answer to a question, which has a policy but no run, from the feature that can ask the allocator. */
async function answerQuestion(
  question: DecisionQuestion,
  words: readonly string[],
  json: boolean,
  studies: readonly Studies[],
): Promise<string> {
  const option = words.find((word) => word.startsWith('--') && word !== '--json')
  if (option !== undefined)
    throw new Refused(option.replace(/=.*/, ''), 'belongs to a run; allowed with a question: --json')
  const answer = studies.find((each) => each.answer !== undefined)?.answer
  if (answer === undefined) throw new Refused('link', 'found a question to the allocator; allowed: a scenario')
  return answer(question, json)
}

const PRESET = 'preset:'

async function presetsIn(studies: readonly Studies[]): Promise<readonly Preset[]> {
  return [...presets, ...(await Promise.all(studies.map((each) => each.presets?.() ?? []))).flat()]
}

/** Returns a line for each preset: its key and its title. */
function presetList(all: readonly Preset[]): string {
  const width = Math.max(...all.map(({ key }) => key.length))
  return all.map(({ key, title }) => `${PRESET}${key.padEnd(width)}  ${title}`).join('\n')
}

/** Returns the scenario of a preset. Throws Refused with the nearest keys if there is none. */
async function presetNamed(key: string, studies: readonly Studies[]): Promise<{ readonly scenario: Scenario }> {
  const all = await presetsIn(studies)
  const found = all.find((preset) => preset.key === key)
  if (found !== undefined) return { scenario: accepted(parse(found.scenario)) }
  const near = nearestFirst(
    key,
    all.map((preset) => preset.key),
  )
  const keys = near.slice(0, 3).map(({ word }) => quoted(`${PRESET}${word}`))
  throw new Refused(
    'preset',
    `unknown preset ${quoted(key)}. Did you mean ${listed(keys, 'or')}? "${PRESET}" alone lists all`,
  )
}

/** Plays a scenario and prints its figures, with those that features add. Or answers a question. */
async function headless(words: readonly string[], studies: readonly Studies[]): Promise<void> {
  const loadCode = watchedHere(codeLoaderOf(studies))
  if (words.includes('--help')) return print(usageShown(usage))
  const asked = readArguments(words)
  if (asked.subject === PRESET) return print(presetList(await presetsIn(studies)))
  const read = asked.subject.startsWith(PRESET)
    ? await presetNamed(asked.subject.slice(PRESET.length), studies)
    : await readSubject(asked.subject)
  if ('question' in read) return print(await answerQuestion(read.question, words, asked.json, studies))
  const all = branches(read.scenario, asked).flatMap(({ scenario, branch }) =>
    variants(scenario, asked).map((variant): Variant => ({ scenario: variant, branch })),
  )
  if (asked.link) return print(all.map(({ scenario }) => toShortFragment(scenario)).join('\n'))
  const runs: Played[] = []
  for (const variant of all) {
    const { scenario, branch } = variant
    const name = [...(branch === null ? [] : [branch]), scenario.policy.kind].join(', ')
    const progress = createProgress(name, countJobs(scenario.source))
    const trace = await playSimulation(scenario, Date.now(), progress.onJournal, loadCode)
    progress.end()
    for (const [option, file] of asked.records)
      writeParts(option, recordFile(option, file, variant, all.length > 1), recordWriters[option](trace))
    const wrong = needsCode(scenario) ? trace.failures.find(({ kind }) => kind === 'run') : undefined
    if (wrong !== undefined)
      throw new Refused(
        named([{ path: 'policy', message: wrong.reason }], fragmentAt(asked.subject) < 0 ? asked.subject : 'the link'),
      )
    if (trace.ending === 'stuck') console.error(`${name} is stuck: ${stuckSentences(trace)}`)
    const figures = figuresOf(trace)
    const more = asked.json ? [] : await Promise.all(studies.map((each) => each.figures?.(trace) ?? []))
    runs.push({ branch, summary: summarise(trace, figures), bound: figures.bound, more: more.flat() })
  }
  const summaries = runs.map(({ branch, summary }) => (branch === null ? summary : { branch, ...summary }))
  print(asked.json ? JSON.stringify(summaries, null, 2) : report(all[0].scenario, runs))
}

export const headlessCommand = (studies: readonly Studies[]): TerminalCommand => ({
  run: (words) => headless(words, studies),
})
