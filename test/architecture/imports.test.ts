import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  foldersOf,
  importCycles,
  importEffects,
  isEntry,
  readTable,
  statefulModules,
  targetOf,
  wrongArrows,
  wrongInside,
  wrongRows,
} from './importRules.ts'
import { importsOf, repository, source, sourcePaths, sources } from './sources.ts'

const textOf = (path: string) => readFileSync(repository + path, 'utf8')
const rows = readTable(textOf('src/README.md')) ?? expect.fail('src/README.md has no table')
const files = sources()
const paths = sourcePaths()
const folders = foldersOf(paths)
const tableOf = (folder: string) =>
  paths.includes(`${folder}/README.md`) ? readTable(textOf(`src/${folder}/README.md`)) : null

/** State that exists once per page, not per session. The list may only shrink. */
const pageWide: readonly string[] = [
  'app/base/browser/frames.ts: cancelNext',
  'app/base/browser/frames.ts: last',
  'app/base/browser/frames.ts: observer',
  'app/base/page/hiddenControls.ts: controlStore',
  'app/base/page/hide.ts: sheet',
  'app/base/page/language.ts: languageStore',
  'app/base/page/theme.ts: themeStore',
  'app/draw/canvas/useOverlay.ts: motionQuery',
  'app/session/offline/reload.ts: offlineStore',
  'features/pools/draw/gainMap.ts: maps',
]

describe('the source', () => {
  test('every import is in the table of src/README.md', () => {
    expect(wrongArrows(files, paths, rows)).toEqual([])
  })

  test('every import inside a folder is in the table of its README, which lists its folders, lowest first', () => {
    expect([...folders].flatMap(([parent, names]) => wrongRows(parent, names, tableOf(parent)))).toEqual([])
    const tables = new Map([...folders.keys()].map((parent) => [parent, tableOf(parent) ?? []]))
    expect(wrongInside(files, tables)).toEqual([])
  })

  test('no file imports itself through others', () => {
    expect(importCycles(files)).toEqual([])
  })

  test('the core imports no feature', () => {
    const core = files.filter(({ path }) => path.includes('/') && !path.startsWith('features/'))
    const intoFeatures = core.flatMap((file) =>
      importsOf(file).filter((each) => each.startsWith('.') && targetOf(file.path, each).startsWith('features/')),
    )
    expect(intoFeatures).toEqual([])
  })

  test('every feature is in the list of the page in the order of its table, and its studies in that of threads', () => {
    const listed = (list: string) =>
      importsOf(files.find(({ path }) => path === list) ?? expect.fail(list)).map((each) => targetOf(list, each))
    const named = (file: string) => paths.filter((path) => /^features\/\w+\//.test(path) && path.split('/')[2] === file)
    expect(listed('features.ts')).toEqual(expect.arrayContaining(named('feature.ts')))
    expect(listed('studies.ts')).toEqual(expect.arrayContaining(named('studies.ts')))
    const order = [...textOf('src/features.ts').matchAll(/^ {2}(\w+)Feature,$/gm)].map(([, name]) => name)
    const inTable = tableOf('features')?.map(({ name }) => name)
    expect(inTable?.filter((name) => paths.includes(`features/${name}/feature.ts`))).toEqual(order)
  })

  test('pure folders are compiled without the types of browser and Node, and linted for exact arithmetic', () => {
    const pure = rows.filter((row) => row.pure).map(({ name }) => name)
    const { include } = JSON.parse(textOf('src/pure.tsconfig.json')) as { include: string[] }
    expect([...new Set(include.map((path) => path.replace(/^engine\/.*/, 'engine')))].sort()).toEqual(pure.sort())
    const linted = (JSON.parse(textOf('biome.json')) as { plugins: { includes: string[] }[] }).plugins[0].includes
    const asFolders = linted.map((path) => path.replace(/^\*\*\/src\/|\/\*\*$/g, '').replace(/^engine\/.*/, 'engine'))
    expect([...new Set(asFolders)].sort()).toEqual(pure)
  })

  test('only entries act when they are imported', () => {
    expect(importEffects(files.filter(({ path }) => !isEntry(path)))).toEqual([])
  })

  test('state belongs to a session, except for the state of a page', () => {
    const app = files.filter(({ path }) => /^(app|features)\//.test(path) && !isEntry(path))
    expect(statefulModules(app).sort()).toEqual(pageWide)
  })
})

describe('the rules find', () => {
  const known = ['trace/trace.ts', 'engine/threads/pool.ts', 'engine/engine.ts', 'main.tsx']

  test.each([
    ["import type { T } from '../trace/trace.ts'", 'engine/engine.ts', 'engine may not import trace'],
    ["export { trace } from '../trace/trace.ts'", 'engine/engine.ts', 'engine may not import trace'],
    ["const late = import('../trace/trace.ts')", 'engine/engine.ts', 'engine may not import trace'],
    ["let t: import('../trace/trace.ts').Trace", 'engine/engine.ts', 'engine may not import trace'],
    ["import { pool } from './threads/pool.ts'", 'engine/engine.ts', 'engine may not import engine/threads'],
    ["import '../main.tsx'", 'app/page.tsx', 'imports ../main.tsx: no file imports an entry'],
    ["import { trace } from '../trace/trace'", 'views/chart.ts', 'imports ../trace/trace, which does not exist'],
    ["import { useStore } from 'zustand/react'", 'views/chart.ts', 'views may not use zustand'],
    ["import { readFileSync } from 'node:fs'", 'scenario/parse/parse.ts', 'scenario may not use node:fs'],
    ['export const lonely = 1', 'attic/box.ts', 'is in no folder of the table'],
    ["import { Engine } from '../engine.ts'", 'engine/threads/pool.ts', null],
    ["import '@xyflow/react/dist/base.css'", 'app/page.tsx', null],
    ["// import '../trace/trace.ts'\nexport const text = \"import '../trace/trace.ts'\"", 'engine/engine.ts', null],
  ])('the imports of %s', (text, path, problem) => {
    const [found = null] = wrongArrows([source(path, text)], known, rows)
    expect(found?.slice(path.length + 2, path.length + 2 + (problem?.length ?? 0)) ?? null).toBe(problem)
  })

  test('a cycle, even of types alone', () => {
    const knot = [source('a/x.ts', "import type { Y } from '../b/y.ts'"), source('b/y.ts', "import '../a/x.ts'")]
    expect(importCycles(knot)).toEqual(['a/x.ts -> b/y.ts -> a/x.ts'])
  })

  test('a table that lacks a folder, has a row too many, or a row that imports a lower one', () => {
    const table = readTable(
      '| folder | may import | holds |\n|---|---|---|\n| `a` | `b` | x |\n| `b` | nothing | y |\n',
    )
    expect(wrongRows('views', ['a', 'c'], table)).toHaveLength(3)
    expect(wrongRows('views', ['a'], null)).toHaveLength(1)
  })

  test('an import inside a folder that its table does not allow', () => {
    const table = readTable(
      '| folder | may import | holds |\n|---|---|---|\n| `a` | nothing | x |\n| `b` | `a` | y |\n',
    )
    const wrong = (path: string, text: string) => wrongInside([source(path, text)], new Map([['views', table ?? []]]))
    expect(wrong('views/b/plot.ts', "import '../a/scale.ts'")).toEqual([])
    expect(wrong('views/a/scale.ts', "import '../b/plot.ts'")).toHaveLength(1)
    expect(wrong('views/view.ts', "import './a/scale.ts'")).toHaveLength(1)
  })

  test.each(['start()', 'if (true) start()', 'let count = 0', 'export const store = createStore(() => 1)'])(
    'an act or state of a module: %s',
    (text) => {
      const file = [source('app/x.ts', text)]
      expect([...importEffects(file), ...statefulModules(file)]).toHaveLength(1)
    },
  )
})
