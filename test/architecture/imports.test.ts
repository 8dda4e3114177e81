import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { circles, readTable, roomOf, wrongArrows } from './importRules.ts'
import { impurities } from './pureRules.ts'
import { barrels, dustyFolders } from './shapeRules.ts'
import { repository, source, sourcePaths, sources } from './sources.ts'

const rooms = readTable(readFileSync(`${repository}src/README.md`, 'utf8'))
const files = sources()
const paths = sourcePaths()

describe('the house', () => {
  test('every import is in the table of src/README.md', () => {
    expect(wrongArrows(files, paths, rooms)).toEqual([])
  })

  test('no file imports itself by way of others', () => {
    expect(circles(files)).toEqual([])
  })

  test('the table itself leads in no circle, and names only rooms that it has', () => {
    const table = rooms.map(({ name, rooms }) => source(`${name}.ts`, rooms.map((room) => `import './${room}.ts'`).join('\n')))
    expect(circles(table.map((room) => ({ ...room, path: room.path.replace('/', '-') })))).toEqual([])
    expect(rooms.flatMap((room) => room.rooms).filter((name) => !rooms.some((room) => room.name === name))).toEqual([])
  })

  test('pure rooms use exact arithmetic, no clock, no dice and no locale', () => {
    expect(files.filter((file) => roomOf(file.path, rooms)?.pure).flatMap(impurities)).toEqual([])
  })

  test('the pure rooms of the table are those that compile without the types of browser and Node', () => {
    const { include } = JSON.parse(readFileSync(`${repository}src/pure.tsconfig.json`, 'utf8')) as { include: string[] }
    const pure = rooms.filter((room) => room.pure).map((room) => room.name)
    expect([...new Set(include.map((path) => path.split('/')[0]))].sort()).toEqual(pure.sort())
  })

  test('no file only passes on what others export', () => {
    expect(barrels(files)).toEqual([])
  })

  test('no folder has a name that says nothing', () => {
    expect(dustyFolders(paths)).toEqual([])
  })
})

describe('the rules see', () => {
  const arrows = (path: string, text: string) =>
    wrongArrows([source(path, text)], ['trace/trace.ts', 'engine/threads/pool.ts', 'engine/engine.ts', 'main.tsx'], rooms)

  test.each([
    ["import { trace } from '../trace/trace.ts'", 'engine/engine.ts', 'engine may not import trace (../trace/trace.ts)'],
    ["import type { Trace } from '../trace/trace.ts'", 'engine/engine.ts', 'engine may not import trace (../trace/trace.ts)'],
    ["export { trace } from '../trace/trace.ts'", 'engine/engine.ts', 'engine may not import trace (../trace/trace.ts)'],
    ["const late = import('../trace/trace.ts')", 'engine/engine.ts', 'engine may not import trace (../trace/trace.ts)'],
    ["let trace: import('../trace/trace.ts').Trace", 'engine/engine.ts', 'engine may not import trace (../trace/trace.ts)'],
    ["import { pool } from './threads/pool.ts'", 'engine/engine.ts', 'engine may not import engine/threads (./threads/pool.ts)'],
    ["import '../main.tsx'", 'app/page.tsx', 'imports ../main.tsx: nobody imports an entry'],
    ["import { trace } from '../trace/trace'", 'views/chart.ts', 'imports ../trace/trace, which is no file of the house'],
    ["import { proxy } from 'comlink'", 'app/page.tsx', 'app may not use comlink'],
    ["import { useStore } from 'zustand/react'", 'views/chart.ts', 'views may not use zustand'],
    ["import { Handle } from '@xyflow/react'", 'views/chart.ts', 'views may not use @xyflow/react'],
    ["import { readFileSync } from 'node:fs'", 'scenario/parse/parse.ts', 'scenario may not use node:fs'],
    ['export const lonely = 1', 'attic/box.ts', 'is in no room of the table'],
  ])('the wrong arrow in: %s', (text, path, problem) => {
    expect(arrows(path, text)).toEqual([`${path}: ${problem}`])
  })

  test.each([
    ["import { Engine } from '../engine.ts'", 'engine/threads/pool.ts'],
    ["import { scaleLinear } from 'd3-scale'", 'views/chart.ts'],
    ["import '@xyflow/react/dist/base.css'", 'app/page.tsx'],
    ["import { expose } from 'comlink'\nimport { pool } from './engine/threads/pool.ts'", 'conductor.worker.ts'],
    ["new Worker(new URL('../../pool.worker.ts', import.meta.url))", 'engine/threads/pool.ts'],
    ["// import { trace } from '../trace/trace.ts'\nexport const text = \"import '../trace/trace.ts'\"", 'engine/engine.ts'],
  ])('nothing wrong in: %s', (text, path) => {
    expect(wrongArrows([source(path, text)], ['engine/engine.ts', 'engine/threads/pool.ts'], rooms)).toEqual([])
  })

  test('a circle, also one of types alone', () => {
    const knot = [source('a/x.ts', "import type { Y } from '../b/y.ts'"), source('b/y.ts', "import '../c/z.ts'"), source('c/z.ts', "import '../a/x.ts'")]
    expect(circles(knot)).toEqual(['a/x.ts -> b/y.ts -> c/z.ts -> a/x.ts'])
  })

  test.each([
    'Math.log(2)',
    'Math.random()',
    '[1].map(Math.sin)',
    "Math['exp'](1)",
    'const { cos } = Math',
    'const M = Math',
    '2 ** 3',
    'let x = 2; x **= 3',
    'Date.now()',
    'new Date()',
    'performance.now()',
    'setTimeout(() => 1, 1)',
    "'a'.localeCompare('b')",
    '(1).toLocaleString()',
    'globalThis.Date.now()',
    'const take = { Date }',
  ])('the impurity of: %s', (text) => {
    expect(impurities(source('measures/x.ts', text))).not.toEqual([])
  })

  test.each(['Math.sqrt(2) + Math.floor(1.5)', '// Math.log', 'const text = "Date.now()"', 'const row = { performance: 1 }; row.performance', 'a.b * c'])(
    'no impurity in: %s',
    (text) => {
      expect(impurities(source('measures/x.ts', text))).toEqual([])
    },
  )

  test.each([
    ['views/index.ts', 'export const a = 1'],
    ['views/all.ts', "export { a } from './a.ts'\nexport { b } from './b.ts'"],
    ['views/all.ts', "export * from './a.ts'\nexport const b = 1"],
  ])('the barrel %s: %s', (path, text) => {
    expect(barrels([source(path, text)])).toEqual([path])
  })

  test('the dust on a folder', () => {
    expect(dustyFolders(['views/utils/a.ts', 'views/a.ts', 'types/b.ts'])).toEqual(['views/utils/a.ts', 'types/b.ts'])
  })

  test('a table that is not there', () => {
    expect(() => readTable('# The house')).toThrow('No table')
  })
})
