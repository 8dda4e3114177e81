import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { repository, sourcePaths } from './sources.ts'

/** Functions of d3, and patterns of code that would replace them. */
const written: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['d3-zoom listens to wheels and touches', /addEventListener\(\s*'(wheel|touch|gesture|dblclick)/],
  [
    'd3-drag follows pointers',
    /addEventListener\(\s*'(pointerdown|pointerup|pointercancel|mousedown)|setPointerCapture/,
  ],
  ['d3-array and d3-scale find round steps', /Math\.log10|\* 10 <=? /],
  ['d3-scale counts in logarithms', /Math\.log\(/],
  ['d3-array finds extremes', /reduce\(\(\w+, \w+\) => Math\.(min|max)/],
  ['d3-array searches', />>>? ?1\b/],
  ['d3-color reads colours', /parseInt\([^)]*16\)/],
  ['d3-ease speeds up and slows down', /3 - 2 \*|1 - Math\.cos\(/],
  ['d3-format knows how many digits a step needs', /\/= 10\b/],
  ['d3-shape joins points', /join\('L'\)/],
]

/** The same in React forms. */
const reacted: typeof written = [['d3-drag follows pointers', /\bon(Pointer|Mouse|Touch)(Down|Move|Up|Start|End)\b/]]

/** The shared part of all plots, in views/drawing. */
const kit: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['drawing/axis.ts draws axes', /from 'd3-axis'/],
  ['drawing/plot.ts draws bands and series', /drawAmountAxis/],
  ['drawing/plot.ts tells at which place a person points', /addEventListener\(\s*'(pointermove|click)/],
]

function found(rules: typeof written, text: string): string[] {
  return rules.flatMap(([what, pattern]) => (pattern.test(text) ? [what] : []))
}

function offences(rules: typeof written, paths: RegExp): string[] {
  const files = sourcePaths().filter((path) => paths.test(path))
  expect(files.length).toBeGreaterThan(8)
  return files.flatMap((path) =>
    found(rules, readFileSync(`${repository}src/${path}`, 'utf8')).map((what) => `${path}: ${what}`),
  )
}

test('the drawings use d3 where d3 has a function', () => {
  expect(offences(written, /^(views|features\/\w+\/draw)\/.*\.ts$/)).toEqual([])
  const byHand = [
    "host.addEventListener('wheel', zoom)",
    "host.addEventListener('pointerdown', down, { signal })",
    'while (power * 10 <= value) power *= 10',
    'const share = Math.log(value / least) / Math.log(most / least)',
    'values.reduce((a, b) => Math.max(a, b), 0)',
    'const middle = (low + high) >>> 1',
    'Number.parseInt(digits, 16)',
    'const eased = t * t * (3 - 2 * t)',
    'for (let unit = SECOND; unit > step; unit /= 10) digits++',
    "points.join('L')",
  ]
  expect(found(written, byHand.join('\n'))).toHaveLength(written.length)
})

test('forms leave their curves, scales and drags to views and d3', () => {
  // The app does not have d3-array, so it finds extremes itself.
  const rules = [...written.filter(([what]) => !/^d3-array finds extremes/.test(what)), ...reacted]
  expect(offences(rules, /^app\/draw\/(shapes|inspector)\/.*\.tsx?$/)).toEqual([])
  expect(found(reacted, '<div onPointerDown={down} onPointerMove={move} />')).toHaveLength(reacted.length)
})

test('plots over columns and over time, and maps, are drawn by one kit', () => {
  expect(offences(kit, /^(views\/(plots|tiles)|features\/\w+\/draw)\/.*\.ts$/)).toEqual([])
  expect(
    found(kit, "import { axisLeft } from 'd3-axis'\ndrawAmountAxis(group)\nsvg.addEventListener('click', choose)"),
  ).toHaveLength(kit.length)
})
