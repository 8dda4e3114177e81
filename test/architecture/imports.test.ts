import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readFolderTable } from './folderRules.ts'
import { importCycles, layerOf, readTable, targetOf, wrongArrows } from './importRules.ts'
import { impurities } from './pureRules.ts'
import { barrels, dustyFolders } from './shapeRules.ts'
import { importsOf, repository, source, sourcePaths, sources } from './sources.ts'

const layers = readTable(readFileSync(`${repository}src/README.md`, 'utf8'))
const files = sources()
const paths = sourcePaths()

describe('the source', () => {
  test('every import is in the table of src/README.md', () => {
    expect(wrongArrows(files, paths, layers)).toEqual([])
  })

  test('no file imports itself through others', () => {
    expect(importCycles(files)).toEqual([])
  })

  test('the table itself has no cycle, and names only existing folders', () => {
    const spelled = (name: string) => name.replaceAll('/', '-').replaceAll('*', 'any')
    const table = layers.map(({ name, mayImport }) => {
      const others = mayImport.filter((other) => other !== name)
      return source(`${spelled(name)}.ts`, others.map((other) => `import './${spelled(other)}.ts'`).join('\n'))
    })
    expect(importCycles(table)).toEqual([])
    expect(
      layers.flatMap(({ mayImport }) => mayImport).filter((name) => !layers.some((layer) => layer.name === name)),
    ).toEqual([])
  })

  test('the core imports no feature, and only entries import the lists of features', () => {
    const outside = files.filter(({ path }) => !path.startsWith('features/') && path.includes('/'))
    const into = (target: string) => target.startsWith('features/') || /^(features|studies|commands)\.ts$/.test(target)
    expect(
      outside.flatMap((file) =>
        importsOf(file).filter((each) => each.startsWith('.') && into(targetOf(file.path, each))),
      ),
    ).toEqual([])
  })

  test('every feature is in the list of the page, and its studies in that of threads', () => {
    const missing = (list: string, file: string) => {
      const listed = importsOf(files.find(({ path }) => path === list) ?? expect.fail(list)).map((each) =>
        targetOf(list, each),
      )
      return paths.filter(
        (path) => /^features\/\w+\//.test(path) && path.split('/')[2] === file && !listed.includes(path),
      )
    }
    expect([...missing('features.ts', 'feature.ts'), ...missing('studies.ts', 'studies.ts')]).toEqual([])
  })

  test('the table of features has the order of the list of the page', () => {
    const listed = [...readFileSync(`${repository}src/features.ts`, 'utf8').matchAll(/^ {2}(\w+)Feature,$/gm)].map(
      ([, name]) => name,
    )
    expect(
      readFolderTable(readFileSync(`${repository}src/features/README.md`, 'utf8'))
        ?.map(({ name }) => name)
        .filter((name) => paths.includes(`features/${name}/feature.ts`)),
    ).toEqual(listed)
  })

  test('pure folders use exact arithmetic, no clock, no random numbers and no locale', () => {
    expect(files.filter((file) => layerOf(file.path, layers)?.pure).flatMap(impurities)).toEqual([])
  })

  test('the pure folders of the table compile without the types of browser and Node', () => {
    const { include } = JSON.parse(readFileSync(`${repository}src/pure.tsconfig.json`, 'utf8')) as { include: string[] }
    const pure = layers.filter((layer) => layer.pure).map(({ name }) => name)
    expect([...new Set(include.map((path) => path.replace(/^engine\/.*/, 'engine')))].sort()).toEqual(pure.sort())
  })

  test('no file only re-exports others', () => {
    expect(barrels(files)).toEqual([])
  })

  test('no folder has a meaningless name', () => {
    expect(dustyFolders(paths)).toEqual([])
  })
})

describe('the rules find', () => {
  const arrows = (path: string, text: string) =>
    wrongArrows(
      [source(path, text)],
      ['trace/trace.ts', 'engine/threads/pool.ts', 'engine/engine.ts', 'main.tsx'],
      layers,
    )

  test.each([
    [
      "import { trace } from '../trace/trace.ts'",
      'engine/engine.ts',
      'engine may not import trace (../trace/trace.ts)',
    ],
    [
      "import type { Trace } from '../trace/trace.ts'",
      'engine/engine.ts',
      'engine may not import trace (../trace/trace.ts)',
    ],
    [
      "export { trace } from '../trace/trace.ts'",
      'engine/engine.ts',
      'engine may not import trace (../trace/trace.ts)',
    ],
    ["const late = import('../trace/trace.ts')", 'engine/engine.ts', 'engine may not import trace (../trace/trace.ts)'],
    [
      "let trace: import('../trace/trace.ts').Trace",
      'engine/engine.ts',
      'engine may not import trace (../trace/trace.ts)',
    ],
    [
      "import { pool } from './threads/pool.ts'",
      'engine/engine.ts',
      'engine may not import engine/threads (./threads/pool.ts)',
    ],
    ["import '../main.tsx'", 'app/page.tsx', 'imports ../main.tsx: no file imports an entry'],
    ["import { trace } from '../trace/trace'", 'views/chart.ts', 'imports ../trace/trace, which does not exist'],
    ["import { proxy } from 'comlink'", 'app/page.tsx', 'app may not use comlink'],
    ["import { useStore } from 'zustand/react'", 'views/chart.ts', 'views may not use zustand'],
    ["import { Handle } from '@xyflow/react'", 'views/chart.ts', 'views may not use @xyflow/react'],
    ["import { readFileSync } from 'node:fs'", 'scenario/parse/parse.ts', 'scenario may not use node:fs'],
    ['export const lonely = 1', 'attic/box.ts', 'is in no folder of the table'],
  ])('the wrong arrow in: %s', (text, path, problem) => {
    expect(arrows(path, text)).toEqual([`${path}: ${problem}`])
  })

  test.each([
    ["import { Engine } from '../engine.ts'", 'engine/threads/pool.ts'],
    ["import { scaleLinear } from 'd3-scale'", 'views/chart.ts'],
    ["import '@xyflow/react/dist/base.css'", 'app/page.tsx'],
    ["import { expose } from 'comlink'\nimport { pool } from './engine/threads/pool.ts'", 'conductor.worker.ts'],
    ["new Worker(new URL('../../pool.worker.ts', import.meta.url))", 'engine/threads/pool.ts'],
    [
      "// import { trace } from '../trace/trace.ts'\nexport const text = \"import '../trace/trace.ts'\"",
      'engine/engine.ts',
    ],
  ])('nothing wrong in: %s', (text, path) => {
    expect(wrongArrows([source(path, text)], ['engine/engine.ts', 'engine/threads/pool.ts'], layers)).toEqual([])
  })

  test('a cycle, even of types alone', () => {
    const knot = [
      source('a/x.ts', "import type { Y } from '../b/y.ts'"),
      source('b/y.ts', "import '../c/z.ts'"),
      source('c/z.ts', "import '../a/x.ts'"),
    ]
    expect(importCycles(knot)).toEqual(['a/x.ts -> b/y.ts -> c/z.ts -> a/x.ts'])
  })

  test.each([
    'Math.log(2)',
    "Math['exp'](1)",
    'const { cos } = Math',
    '2 ** 3',
    'Date.now()',
    'setTimeout(() => 1, 1)',
    "'a'.localeCompare('b')",
  ])('the impurity of: %s', (text) => expect(impurities(source('measures/x.ts', text))).not.toEqual([]))

  test.each([
    'Math.sqrt(2) + Math.floor(1.5)',
    '// Math.log',
    'const text = "Date.now()"',
    'const row = { performance: 1 }; row.performance',
    'a.b * c',
  ])('no impurity in: %s', (text) => {
    expect(impurities(source('measures/x.ts', text))).toEqual([])
  })

  test.each([
    ['views/index.ts', 'export const a = 1'],
    ['views/all.ts', "export { a } from './a.ts'\nexport { b } from './b.ts'"],
    ['views/all.ts', "export * from './a.ts'\nexport const b = 1"],
  ])('the barrel %s: %s', (path, text) => {
    expect(barrels([source(path, text)])).toEqual([path])
  })
})
