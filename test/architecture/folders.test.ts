import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  duplicateExports,
  foldersOf,
  foldersWithoutReadme,
  importEffects,
  readFolderTable,
  statefulModules,
  wrongInside,
  wrongRows,
} from './folderRules.ts'
import { isEntry } from './importRules.ts'
import { repository, source, sourcePaths, sources } from './sources.ts'

const files = sources()
const paths = sourcePaths()
const folders = foldersOf(paths)
const readme = (folder: string) =>
  paths.includes(`${folder}/README.md`) ? readFileSync(`${repository}src/${folder}/README.md`, 'utf8') : ''

/** Names that two files may export. The list may only shrink. */
const twinsLeft: readonly string[] = []

/** State that exists once per page, not per session: its theme, its language, hidden parts, its version, and caches. The list may only shrink. */
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

describe('the folders of the source', () => {
  test('each README with folders lists them, lowest first', () => {
    expect(
      [...folders].flatMap(([parent, names]) => wrongRows(parent, names, readFolderTable(readme(parent)))),
    ).toEqual([])
  })

  test('every import inside a folder is in the table of its folder', () => {
    const tables = new Map([...folders.keys()].map((parent) => [parent, readFolderTable(readme(parent)) ?? []]))
    expect(wrongInside(files, tables)).toEqual([])
  })

  test('every folder with folders, or with more than eight files, has a README of at most 30 lines without its table', () => {
    expect(foldersWithoutReadme(paths, 8)).toEqual([])
    const prose = (path: string) =>
      readFileSync(`${repository}src/${path}`, 'utf8')
        .trimEnd()
        .split('\n')
        .filter((line) => !line.startsWith('|'))
    const long = paths.flatMap((path) =>
      path.endsWith('/README.md') && prose(path).length > 30 ? [`${path}: ${prose(path).length} lines`] : [],
    )
    expect(long).toEqual([])
  })

  test('no name is exported twice', () => {
    expect([...duplicateExports(files)].filter(([name]) => !twinsLeft.includes(name))).toEqual([])
    expect(twinsLeft.filter((name) => !duplicateExports(files).has(name))).toEqual([])
  })

  test('only entries have effects when they are imported', () => {
    expect(importEffects(files.filter(({ path }) => !isEntry(path)))).toEqual([])
  })

  test('state belongs to a session, except for the state of a page', () => {
    const app = files.filter(({ path }) => /^(app|features)\//.test(path) && !isEntry(path))
    expect(statefulModules(app).filter((each) => !pageWide.includes(each))).toEqual([])
    expect(pageWide.filter((each) => !statefulModules(app).includes(each))).toEqual([])
  })
})

describe('the rules of folders find', () => {
  const tables = new Map([
    [
      'views',
      [
        { name: 'drawing', mayImport: [] },
        { name: 'plots', mayImport: ['drawing'] },
        { name: 'tiles', mayImport: [] },
      ],
    ],
  ])

  test.each([
    ['views/drawing/scale.ts', "import '../plots/plot.ts'", 'drawing may not import plots (../plots/plot.ts)'],
    ['views/tiles/map.ts', "import '../drawing/scale.ts'", 'tiles may not import drawing (../drawing/scale.ts)'],
    ['views/view.ts', "import './drawing/scale.ts'", 'a file of its own may not import drawing (./drawing/scale.ts)'],
  ])('the forbidden import in %s: %s', (path, text, problem) => {
    expect(wrongInside([source(path, text)], tables)).toEqual([`${path}: in views, ${problem}`])
  })

  test.each([
    ['views/plots/plot.ts', "import '../drawing/scale.ts'"],
    ['views/plots/plot.ts', "import './layout.ts'"],
    ['views/plots/plot.ts', "import '../view.ts'"],
    ['views/plots/plot.ts', "import '../../measures/series/steps.ts'"],
  ])('nothing wrong in %s: %s', (path, text) => {
    expect(wrongInside([source(path, text)], tables)).toEqual([])
  })

  test('a table that lacks a folder, has a row too many, or a row that imports a lower one', () => {
    const rows = readFolderTable(
      '| folder | may import | holds |\n|---|---|---|\n| `a` | `b` | x |\n| `b` | nothing | y |\n',
    )
    expect(wrongRows('views', ['a', 'c'], rows)).toEqual([
      'views/README.md lacks `c`',
      'views/README.md has `b`, which is no folder',
      'views/README.md: `a` may import `b`, which does not stand above it',
    ])
    expect(wrongRows('views', ['a'], readFolderTable('# Views'))).toHaveLength(1)
  })

  test.each([
    'start()',
    'if (true) start()',
    'export const stop = store.subscribe(hear)',
    'const w = new Worker(url)',
    'const x = await load()',
  ])('the act: %s', (text) => {
    expect(importEffects([source('app/x.ts', text)])).toHaveLength(1)
  })

  test.each([
    'export const ids = new Map([[1, 2]])',
    'const later = () => start()',
    'const parts = part(() => createStore(() => 1))',
    "'use strict'",
  ])('no act: %s', (text) => {
    expect(importEffects([source('app/x.ts', text)])).toEqual([])
  })

  test.each(['let count = 0', 'export const store = createStore(() => 1)'])('the state of a module: %s', (text) => {
    expect(statefulModules([source('app/x.ts', text)])).toHaveLength(1)
  })
})
