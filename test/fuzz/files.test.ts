import { describe, test } from 'vitest'
import { readCommand } from '../../src/app/shell/embed/readCommand.ts'
import { readFile } from '../../src/features/library/page/exchange.ts'
import { MAX_ENTRIES, readEntry } from '../../src/features/library/records/entries.ts'
import { createLogReader } from '../../src/features/logs/read/readLog.ts'
import { playSimulation } from '../../src/runs/play/play.ts'
import { compact } from '../../src/scenario/model/compact.ts'
import type { Problem } from '../../src/scenario/model/scenario.ts'
import { parse, parseDraftText, parseText } from '../../src/scenario/parse/parse.ts'
import { createTraceReader } from '../../src/trace/formats/readTraceJson.ts'
import { writeTraceJson } from '../../src/trace/formats/traceJson.ts'
import type { Chance } from '../fixtures/chance.ts'
import { laterScenario } from '../fixtures/laterScenarios.ts'
import { seededScenario } from '../fixtures/seededScenarios.ts'
import { fuzz, patience, wrongIn } from './fuzz.ts'
import { mutatedText, mutatedValue } from './mutations.ts'

const scenarios = Array.from({ length: 60 }, (_, k) => (k % 2 === 0 ? seededScenario(k) : laterScenario(k)))
const texts = scenarios.map((scenario) => JSON.stringify(compact(scenario)))
const values = texts.map((text) => JSON.parse(text) as unknown)
const bytes = new TextEncoder()

/** Half valid files as people or programs write them, half damaged files. */
function spoilt(text: string, value: unknown, chance: Chance): string {
  return chance.percent(50)
    ? mutatedText(text, chance)
    : (JSON.stringify(mutatedValue(value, chance), null, chance.pick([0, 0, 2])) ?? '')
}

/** Bytes in parts, as they come from a disk. */
function* inParts(text: string, chance: Chance): Generator<Uint8Array> {
  const all = bytes.encode(text)
  const size = chance.pick([all.length + 1, 1000, 17])
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size)
}

const problemIn = (read: object): string | null =>
  'problems' in read ? wrongIn(read.problems as readonly Problem[]) : null

describe('any file is read or refused with problems:', patience, () => {
  test('the text of a scenario, for a run and as a drawing', () => {
    fuzz(0.2, (chance, k) => {
      const text = spoilt(texts[k % texts.length], values[k % values.length], chance)
      const read = parseText(text)
      const wrong = problemIn(read) ?? problemIn(parseDraftText(text))
      if (wrong !== null) return `${wrong}, of ${text.slice(0, 2000)}`
      // An accepted scenario is accepted again after it is written.
      return 'scenario' in read && 'problems' in parse(JSON.parse(JSON.stringify(compact(read.scenario))))
        ? `${text}\nis taken once and not again`
        : null
    })
  })

  test('a value that is not from text', () => {
    fuzz(0.05, (chance, k) => problemIn(parse(mutatedValue(values[k % values.length], chance))))
  })

  test('a file of many scenarios, and an entry of the library', () => {
    const file = {
      format: 'apportion-scenarios',
      version: 1,
      scenarios: values.slice(0, 3).map((scenario, i) => ({ changed: i, scenario })),
    }
    const kept = { id: 'a', revision: 1, changed: 5, text: texts[0] }
    fuzz(0.05, (chance) => {
      const { entries, problems } = readFile(spoilt(JSON.stringify(file), file, chance))
      if (entries.length > MAX_ENTRIES) return 'too many'
      if (entries.length === 0 && problems.length === 0) return null
      const entry = readEntry(mutatedValue(kept, chance))
      return (problems.length > 0 ? wrongIn(problems, MAX_ENTRIES) : null) ?? problemIn(entry)
    })
  })

  test('messages to the page in a frame', () => {
    const commands = [
      { apportion: 1, id: 3, type: 'load', scenario: 'x', run: 'threads' },
      { apportion: 1, id: 4, type: 'seek', time: 5 },
      { apportion: 1, type: 'play' },
    ]
    fuzz(0.1, (chance) => problemIn(readCommand(mutatedValue(chance.pick(commands), chance))))
  })

  test('a log: CSV, a list, an object per line, the answer of Prometheus', () => {
    const rows = Array.from({ length: 12 }, (_, i) => ({
      time_ms: i * 10,
      stage: i % 2 === 0 ? 'parse' : 'write',
      queue: i,
      service_ms: 4.5,
      workers: 2,
    }))
    const series = rows.slice(0, 3).map(({ stage }, s) => ({
      metric: { __name__: ['queue_length', 'service_seconds', 'workers'][s], stage },
      values: rows.map(({ time_ms, queue }) => [1_700_000_000 + time_ms / 1000, String(queue)]),
    }))
    const answer = { status: 'success', data: { resultType: 'matrix', result: series } }
    const csv = ['time_ms,stage,queue,service_ms,workers', ...rows.map((row) => Object.values(row).join(','))].join(
      '\n',
    )
    const makers: readonly ((chance: Chance) => string)[] = [
      (chance) => mutatedText(csv, chance),
      (chance) => mutatedText(csv.replaceAll(',', ';').replaceAll('\n', '\r\n'), chance),
      (chance) => spoilt(JSON.stringify(rows), rows, chance),
      (chance) => rows.map((row) => spoilt(JSON.stringify(row), row, chance)).join('\n'),
      (chance) => spoilt(JSON.stringify(answer), answer, chance),
    ]
    fuzz(0.1, (chance) => {
      const text = chance.pick(makers)(chance)
      const reader = createLogReader()
      for (const part of inParts(text, chance)) if (!reader.push(part)) break
      const read = reader.end()
      // If the file is read, its bad rows are reported.
      const wrong = 'bad' in read && read.bad === 0 ? null : problemIn(read)
      return wrong && `${wrong}, of ${text}`
    })
  })

  test('a trace', async () => {
    const small = scenarios
      .slice(0, 6)
      .map((scenario) => ({ ...scenario, source: { kind: 'batch', jobs: 4 } as const, workerEvents: [] }))
    const traces = await Promise.all(small.map((scenario) => playSimulation(scenario, 0)))
    const files = traces.map((trace) => [...writeTraceJson(trace)].join(''))
    const trees = files.map((file) => JSON.parse(file) as unknown)
    fuzz(0.05, (chance, k) => {
      const text = spoilt(files[k % files.length], trees[k % trees.length], chance)
      const reader = createTraceReader()
      for (const part of inParts(text, chance)) if (!reader.push(part)) break
      const wrong = problemIn(reader.end())
      return wrong && `${wrong}, of ${text.slice(0, 3000)}`
    })
  })
})
