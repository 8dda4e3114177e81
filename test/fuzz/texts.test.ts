import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fileName } from '../../src/app/base/browser/files.ts'
import { elementOf, frameText, markdownOf } from '../../src/app/share/dialog/ShareDialog.tsx'
import { cellsOf } from '../../src/features/logs/read/logColumns.ts'
import { fill, isolated, piecesIn, t } from '../../src/language/translate.ts'
import { writeDecisionsCsv } from '../../src/measures/decisions/decisionExports.ts'
import { createEstimateHistory } from '../../src/measures/decisions/estimateHistory.ts'
import { frameAt } from '../../src/measures/frame/frame.ts'
import { createChart, extendChart } from '../../src/measures/series/chart.ts'
import { playSimulation } from '../../src/runs/play/play.ts'
import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { parse } from '../../src/scenario/parse/parse.ts'
import { endOf, type Trace } from '../../src/trace/trace.ts'
import { paintedText } from '../../src/views/drawing/paintedText.ts'
import { defaultPalette } from '../../src/views/drawing/palette.ts'
import { recordSvg } from '../../src/views/export/recordSvg.ts'
import { runHere } from '../fixtures/commandHere.ts'
import { scenarioWith } from '../fixtures/scenarios.ts'
import { wrongIn } from './fuzz.ts'
import { controls, hostileNames, hostileTexts, refusedNames } from './hostileTexts.ts'

/** With this many stages, each of which has the name; the title has it too. */
const STAGES = 36
const input = (names: readonly string[]) => ({
  version: 1,
  title: names[0],
  source: { kind: 'batch', jobs: 3 },
  stages: names.map((name, s) => ({ id: `s${s}`, name, service: { kind: 'constant', mean: 1000 } })),
  workers: 4,
  branches: [{ at: 500, title: names[names.length - 1], workers: 5 }],
})
const scenarioOf = (names: readonly string[]): Scenario => {
  return scenarioWith(input(names))
}
const groups = Array.from({ length: Math.ceil(hostileNames.length / STAGES) }, (_, g) =>
  hostileNames.slice(g * STAGES, (g + 1) * STAGES),
)
const harmless = (names: readonly string[]) => names.map((_, i) => `Stage ${i}`)
const played = async (names: readonly string[]) => playSimulation(scenarioOf(names), 0)

test('the list has more than a hundred texts, and more than a hundred of them may be names', () => {
  expect(new Set(hostileTexts).size).toBe(hostileTexts.length)
  expect(Math.min(hostileTexts.length, hostileNames.length)).toBeGreaterThanOrEqual(100)
})

describe('a scenario', () => {
  test('refuses any other name with a short, clear message, and any text as a key', () => {
    const harmless = { id: 'A' }
    for (const text of refusedNames)
      for (const made of [
        { ...input(['x']), title: text },
        { ...input(['x']), stages: [{ ...harmless, name: text }] },
      ]) {
        const read = parse(made)
        // A title may consist of spaces.
        if (text.trim() === '' && made.title === text && !controls.test(text)) continue
        expect('problems' in read && wrongIn(read.problems), JSON.stringify(text.slice(0, 50))).toBeNull()
        for (const { message } of 'problems' in read ? read.problems : [])
          expect(message.replace(/\u2026/g, '')).not.toMatch(controls)
      }
    for (const text of hostileTexts) {
      const read = parse(Object.fromEntries([...Object.entries(input(['x'])), [text, 1]]))
      expect('problems' in read && wrongIn(read.problems), JSON.stringify(text.slice(0, 50))).toBeNull()
      for (const { path, message } of 'problems' in read ? read.problems : [])
        expect(path + message).not.toMatch(controls)
    }
  })
})

describe('a sentence', () => {
  test('accepts a text as a value: it is not parsed as a message, and does not change the direction around it', () => {
    for (const text of hostileTexts) {
      const shown = t('{n, plural, one {# job} other {# jobs}} of {title}, {title}', { n: 2, title: text })
      expect(shown).toBe(`2 jobs of ${isolated(text)}, ${isolated(text)}`)
      const parts = fill<readonly string[]>(piecesIn('<b>{title}</b> has begun'), { title: text }, (inside, tag) => [
        tag,
        ...inside.flat(),
      ])
      expect(parts).toEqual([['b', isolated(text)], ' has begun'])
    }
  })

  test('a text from right to left closes all that it opens; any other text stays unchanged', () => {
    for (const text of hostileTexts) {
      const alone = isolated(text)
      if (
        !/[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(
          text,
        )
      ) {
        expect(alone).toBe(text)
        continue
      }
      expect(alone.at(0) + (alone.at(-1) ?? '')).toBe('\u2068\u2069')
      expect(alone).not.toMatch(/[\u202a-\u202e\u2066\u2067]/)
      // The direction is closed at its end and not before, also if it is quoted again.
      for (const each of [alone, isolated(`${alone} and ${alone}`)]) {
        let depth = 0
        for (const [i, mark] of [...each].entries()) {
          if (mark === '\u2068') depth++
          if (mark === '\u2069') depth--
          expect(depth > 0 || i === [...each].length - 1).toBe(true)
        }
        expect(depth).toBe(0)
      }
    }
  })
})

describe('saved or copied files', () => {
  test('a picture is XML with as many elements as with other names, and marks do not pile up in it', async () => {
    for (const names of groups) {
      const [svg, usual] = (await Promise.all([played(names), played(harmless(names))])).map(pictureOf)
      expect(svg).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u)
      // Next to some marks there is no room for words.
      const elements = (text: string) => text.match(/<(?!\/?text)[^>]*>/g)?.length
      expect(elements(svg)).toBe(elements(usual))
      expect(svg.replace(/&(amp|lt|gt|quot);/g, '')).not.toContain('&')
      expect(svg).not.toMatch(/\p{M}{3}/u)
    }
    for (const text of hostileTexts) expect(paintedText(text.slice(0, 1000))).not.toMatch(/\p{M}{3}/u)
  })

  test('the decisions have as many cells as with other names, and a spreadsheet takes none of them for a formula', async () => {
    for (const names of groups) {
      const [csv, usual] = (await Promise.all([played(names), played(harmless(names))])).map((trace) =>
        [...writeDecisionsCsv(trace, createEstimateHistory(trace))].join('').split('\r\n'),
      )
      expect(csv.length).toBe(usual.length)
      for (const [i, line] of csv.entries()) {
        const cells = cellsOf(line, ',')
        expect(cells.length).toBe(cellsOf(usual[i], ',').length)
        for (const cell of cells) expect(cell).not.toMatch(/^(?![-\d.e]+$)[=+\-@\t\r]/)
      }
    }
  })

  test('Markdown shows the name as plain words, HTML within its quotes', () => {
    const page = 'https://apportion.example/'
    for (const name of hostileNames) {
      const written = markdownOf(name, `${page}#s=1a`, `Failed: job 1 at ${name}.`)
      const bare = written.replace(/\\[^A-Za-z0-9\s]/g, '')
      expect(bare).toMatch(/^\[[^[\]]*\]\(https:\/\/apportion\.example\/#s=1a\): [^[\]]*$/)
      expect(bare.replace('#s=1a', '')).not.toMatch(/[*_`<>&|~$!#\\]/)
      for (const html of [frameText(page, '#s=1a', name), elementOf(page, '#s=1a', name)])
        expect(html.match(/[<>]/g)?.length).toBe(html.startsWith('<iframe') ? 4 : 12)
      expect(frameText(page, '#s=1a', name).match(/"/g)?.length).toBe(10)
    }
  })

  test('a file has a name that every system accepts', () => {
    for (const text of hostileTexts.map((each) => each.slice(0, 80))) {
      const name = fileName(text, '.trace.json')
      expect(name).toMatch(/^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}-]{0,80}\.trace\.json$/u)
      expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)\./)
      expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(255)
    }
  })

  test('the report of a terminal has no more lines than with other names, and no control characters', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'apportion-texts-'))
    try {
      const lines: number[] = []
      for (const names of [hostileNames, harmless(hostileNames)]) {
        writeFileSync(join(folder, 'a.json'), JSON.stringify({ ...input(names.slice(0, 100)), title: names[5] }))
        const { out } = await runHere('headless', join(folder, 'a.json'))
        expect(out).not.toMatch(/[^\P{Cc}\n]/u)
        lines.push(out.split('\n').length)
      }
      expect(lines[0]).toBe(lines[1])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

function pictureOf(trace: Trace): string {
  const chart = createChart(trace)
  extendChart(chart)
  const frame = frameAt(trace, endOf(trace))
  return recordSvg({
    palette: defaultPalette('light'),
    title: trace.scenario.title,
    end: endOf(trace),
    at: endOf(trace),
    stages: trace.scenario.stages.map(({ name }) => name),
    workers: 4,
    seatsAt: frame.stages.map(({ seats }) => seats),
    staffedAt: frame.stages.map(({ staffed }) => staffed),
    queues: chart.queues,
    seats: chart.seats,
    lanes: chart.lanes,
    widthOf: (text, size) => 0.6 * size * text.length,
    marks: trace.scenario.stages.map(({ name }) => ({ time: 500, kind: 'slower', label: name, colourIndex: 0 })),
  })
}
