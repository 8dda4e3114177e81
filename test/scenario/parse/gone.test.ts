import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readFile } from '../../../src/features/library/page/exchange.ts'
import { readEntry } from '../../../src/features/library/records/entries.ts'
import { replay } from '../../../src/features/replay/study/replay.ts'
import { decisionAt } from '../../../src/measures/decisions/decision.ts'
import { sentenceOf } from '../../../src/measures/decisions/decisionWords.ts'
import { estimateHistoryOf } from '../../../src/measures/decisions/estimateHistory.ts'
import { sentenceText } from '../../../src/measures/decisions/speech.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { branchOf, originalOf } from '../../../src/scenario/edit/branches.ts'
import { readFragment } from '../../../src/scenario/link/codec.ts'
import { compact } from '../../../src/scenario/model/compact.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { goneIn, goneKey, goneNotice, policyCalled, withoutGone } from '../../../src/scenario/parse/gone.ts'
import { parse, parseDraft, parseText } from '../../../src/scenario/parse/parse.ts'
import { readTraceJson } from '../../../src/trace/formats/readTraceJson.ts'
import { writeTraceJson } from '../../../src/trace/formats/traceJson.ts'
import { runHere } from '../../fixtures/commandHere.ts'
import { digestOf } from '../../trace/digestOf.ts'

/** Made by version 0.1.0 of October 2026, when nothing of it was gone: links, files, a library and records, with the digests of their runs. */
interface Before {
  readonly opened: readonly {
    readonly about: string
    readonly kind: 'link' | 'file'
    readonly gone: readonly string[]
    readonly run: string
    readonly branch?: string
    readonly text: string
  }[]
  readonly library: string
  readonly records: readonly {
    readonly about: string
    readonly gone: readonly string[]
    readonly run: string
    readonly text: string
  }[]
}
const before = JSON.parse(readFileSync(new URL('../../fixtures/gone.json', import.meta.url), 'utf8')) as Before

const words: Readonly<Record<string, string>> = {
  exhaustive: 'the policy Least total time, by trying all (Least total time plays instead)',
  greenThreads: 'the policy Green threads (Fixed plays instead)',
  goLike: 'the policy Like Go (Work stealing plays instead)',
  morsels: 'the policy Morsels (Work stealing plays instead)',
  essay: 'the essay',
  hidden: 'hidden values (they are shown)',
}
const named = (gone: readonly string[]) => gone.flatMap((each) => words[each] ?? [])
/** By record, the policies whose decisions cannot be explained. */
const unexplainedIn: Readonly<Record<string, readonly string[]>> = {
  exhaustive: ['Least total time, by trying all'],
  greenThreads: [],
  goLike: ['Like Go'],
  morsels: ['Morsels'],
  phases: ['Like Go', 'Morsels'],
}
/** These play the same run as before; the others play another policy. */
const sameRun = ['greenThreads', 'essay', 'hidden']

function opened(kind: 'link' | 'file', text: string): Scenario {
  const read = kind === 'link' ? readFragment(text) : parseText(text)
  if (!('scenario' in read)) throw new Error(JSON.stringify(read))
  if ('problems' in read) expect(read.problems).toEqual([])
  return read.scenario
}

describe('what an earlier version made', () => {
  test.each(before.opened)(
    'opens with the notice of what is gone: $about',
    async ({ kind, gone, run, branch, text }) => {
      const scenario = opened(kind, text)
      expect(goneIn(scenario)).toEqual(named(gone))
      expect(goneIn(parse(compact(scenario)) as unknown as Scenario)).toEqual([])
      const digest = digestOf(await playSimulation(originalOf(scenario), 0))
      if (gone.every((each) => sameRun.includes(each))) expect(digest).toBe(run)
      const second = scenario.branches.length > 0 && digestOf(await playSimulation(branchOf(scenario, 0), 0))
      if (branch !== undefined && gone.every((each) => sameRun.includes(each))) expect(second).toBe(branch)
    },
  )

  test('is listed in a library, whose entries stay as they are', () => {
    const { entries, problems } = readFile(before.library)
    expect(problems).toEqual([])
    const found = entries.map((entry) => ({ entry, read: readEntry(entry) }))
    expect(found.map(({ read }) => 'drawn' in read && goneIn(read.drawn.scenario))).toEqual(
      ['exhaustive', 'greenThreads', 'goLike', 'morsels', 'essay', 'hidden'].map((each) => named([each])),
    )
    expect(found.map(({ entry }) => JSON.parse(entry.text).policy?.kind)).toEqual(
      expect.arrayContaining(['exhaustive', 'greenThreads', 'goLike', 'morsels']),
    )
  })

  test.each(before.records)('opens as a record, row for row: $about', ({ about, run, gone, text }) => {
    const read = readTraceJson(text)
    if ('problems' in read) expect.fail(JSON.stringify(read.problems))
    const { trace } = read
    expect(digestOf(trace)).toBe(run)
    expect(goneIn(trace.scenario)).toEqual(named(gone))
    const written = JSON.parse([...writeTraceJson(trace)].join(''))
    const { policy, later } = JSON.parse(text).scenario
    if (!gone.includes('greenThreads')) expect(written.scenario).toMatchObject({ policy, later })
    expect(replay(trace).difference === null).toBe(['exhaustive', 'greenThreads'].includes(about))
    const sentences = Array.from({ length: trace.decisions.length }, (_, d) => {
      const decision = decisionAt(trace, estimateHistoryOf(trace), d)
      expect(decision.verified).toBe(true)
      return sentenceText(sentenceOf(trace.scenario, decision))
    }).join(' ')
    const unexplained = [...sentences.matchAll(/Made by the policy ([^.]*), which this version cannot explain\./g)]
    expect([...new Set(unexplained.map(([, name]) => name))].sort()).toEqual(unexplainedIn[about])
  })

  test('is told apart where `apportion check` reads a record', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gone-'))
    const file = join(folder, 'record.json')
    writeFileSync(file, before.records.find(({ about }) => about === 'goLike')?.text ?? '')
    expect(await runHere('check', file)).toMatchObject({
      status: 0,
      out: expect.stringContaining('Made by the policy Like Go, which this version cannot explain.'),
    })
    rmSync(folder, { recursive: true })
  })
})

describe('at the door', () => {
  const stages = [{ id: 'A' }, { id: 'B' }]
  const base = { version: 1, stages, workers: 3 }
  test.each([
    [
      'a policy that lends no workers',
      { policy: { kind: 'exhaustive', lend: false } },
      { policy: { kind: 'leastScore', lend: false } },
    ],
    ['a policy that lends workers', { policy: { kind: 'exhaustive' } }, { policy: { kind: 'leastScore', lend: true } }],
    [
      'own queues as in Go',
      { policy: { kind: 'goLike', runq: 2, lend: false } },
      { policy: { kind: 'workStealing', steal: 'half', lend: false } },
    ],
    [
      'morsels',
      { policy: { kind: 'morsels', morselSize: 2, lend: true } },
      { policy: { kind: 'workStealing', steal: 'half', lend: false } },
    ],
    [
      'threads',
      { policy: { kind: 'greenThreads', perStage: 2 } },
      { policy: { kind: 'fixed', allocation: { A: 2, B: 2 } }, workers: 4, cores: 3 },
    ],
    [
      'threads by default',
      { policy: { kind: 'greenThreads' } },
      { policy: { kind: 'fixed', allocation: { A: 8, B: 8 } }, workers: 16, cores: 3 },
    ],
    ['threads on their cores', { policy: { kind: 'greenThreads', perStage: 2 }, cores: 1 }, { workers: 4, cores: 1 }],
    [
      'a phase',
      { later: [{ at: 5, policy: { kind: 'goLike' } }] },
      { later: [{ at: 5, policy: { kind: 'workStealing' } }] },
    ],
    [
      'a branch',
      { branches: [{ at: 5, policy: { kind: 'morsels' } }] },
      { branches: [{ at: 5, policy: { kind: 'workStealing' } }] },
    ],
    [
      'a phase of a branch',
      { branches: [{ at: 5, later: [{ at: 6, policy: { kind: 'exhaustive' } }] }] },
      { branches: [{ at: 5, later: [{ at: 6, policy: { kind: 'leastScore' } }] }] },
    ],
    [
      'workers of a branch, which were none',
      { policy: { kind: 'greenThreads', perStage: 2 }, branches: [{ at: 5, workers: 9 }] },
      { branches: [{ at: 5, cores: 9 }] },
    ],
  ])('%s', (_, given, becomes) => {
    const input = structuredClone({ ...base, ...given })
    const parsed = parse(input)
    expect(parsed).toMatchObject({ scenario: becomes })
    expect(input).toEqual({ ...base, ...given })
    if ('scenario' in parsed) expect(goneIn(parsed.scenario)).toHaveLength(1)
    expect(parseDraft({ ...input, links: [] })).toMatchObject({ scenario: { policy: expect.anything() } })
  })

  test.each([
    ['threads midway', { later: [{ at: 5, policy: { kind: 'greenThreads' } }] }, 'later[0].policy.kind'],
    ['too many threads', { policy: { kind: 'greenThreads', perStage: 6000 } }, 'workers'],
    ['no number of threads', { policy: { kind: 'greenThreads', perStage: 'x' } }, 'policy.allocation.A'],
    ['threads without stages', { stages: 4, policy: { kind: 'greenThreads' } }, 'stages'],
    ['phases that are no list', { later: { policy: { kind: 'goLike' } } }, 'later'],
    ['a policy that never was', { policy: { kind: 'constructor' } }, 'policy.kind'],
  ])('%s is a problem', (_, given, path) => {
    expect(parse({ ...base, ...given })).toMatchObject({
      problems: expect.arrayContaining([expect.objectContaining({ path })]),
    })
  })

  test('a key that is gone is dropped and named; nothing is named twice', () => {
    const table = [goneKey('poem', () => 'the poem'), goneKey('tune', () => 'the tune')]
    expect(withoutGone({ poem: 'x', title: 'y' }, table)).toEqual({ scenario: { title: 'y' }, names: ['the poem'] })
    expect(goneNotice(['the poem', 'the tune', 'the poem'])).toBe(
      'This version of Apportion no longer has the poem and the tune. The file or link stays as it is.',
    )
  })

  test('a scenario without anything gone stays the same object', () => {
    const scenario = { ...base, policy: { kind: 'dean' }, later: [{ at: 5, cores: 2 }], branches: [{ at: 6 }] }
    expect(withoutGone(scenario)).toEqual({ scenario, names: [] })
    expect(withoutGone(scenario).scenario).toBe(scenario)
  })

  test('the name of a policy is that of the one in its place', () => {
    expect(
      ['dean', 'exhaustive', 'greenThreads', 'morsels', 'toString'].map((word) => policyCalled(word)?.kind),
    ).toEqual(['dean', 'leastScore', 'fixed', 'workStealing', undefined])
  })
})
