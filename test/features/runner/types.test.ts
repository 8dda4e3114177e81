import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cache, root } from '../../../scripts/bundle.mjs'
import { pages } from '../../docs/pages.ts'
import { programs } from './typedPrograms.ts'

const folder = join(cache, `types-${process.pid}`)
/** By path in the folder: the examples of the docs, those of `docs/examples`, and programs that must compile or must not. */
const files = new Map<string, string>()

for (const { path, blocks } of pages())
  if (/^(docs\/[\w-]+|README)\.md$/.test(path))
    for (const { language, line, text } of blocks)
      if (/^[jt]s$/.test(language))
        // A block can have several files: each begins with its name in a comment.
        for (const [k, file] of text.split(/^(?=\/\/ [\w-]+\.[jt]s\b)/m).entries()) {
          const name = /^\/\/ ([\w-]+\.[jt]s)/.exec(file)?.[1] ?? `line${line}-${k}.${language}`
          files.set(join(path.replace(/\.md$/, ''), name), file)
        }
for (const file of ['main.js', 'stages.js'])
  files.set(join('etl', file), readFileSync(join(root, 'docs/examples/etl', file), 'utf8'))
for (const [title, program] of Object.entries(programs))
  files.set(join('programs', `${title.replaceAll(/\W+/g, '-')}.ts`), program)

/** What the examples have from elsewhere. */
const others = `
declare module 'piscina' {
  export class Piscina {
    constructor(options: { filename: string; maxThreads: number })
    run(task: unknown): Promise<unknown>
    threads: unknown[]
  }
}
declare const filename: string
`

const wrongIn = new Map<string, number[]>()
let output = ''

beforeAll(async () => {
  const paths = {
    '': 'runner',
    '/worker': 'runnerWorker',
    '/record': 'recorder',
    '/core': 'core',
    '/embed': 'embedElement',
  }
  const compilerOptions = {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    exactOptionalPropertyTypes: true,
    allowJs: true,
    checkJs: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    skipLibCheck: true,
    types: [join(root, 'node_modules/@types/node'), join(root, 'node_modules/vite/client')],
    paths: Object.fromEntries(
      Object.entries(paths).map(([name, file]) => [`apportion${name}`, [join(root, 'src', `${file}.ts`)]]),
    ),
  }
  const extra = {
    'others.d.ts': others,
    'package.json': '{ "type": "module" }',
    'tsconfig.json': JSON.stringify({ compilerOptions }),
  }
  for (const [path, text] of [...files, ...Object.entries(extra)]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  output = await new Promise((resolve) =>
    execFile(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { cwd: folder }, (_, out, err) =>
      resolve(out + err),
    ),
  )
  // An example in JavaScript leaves out the types of parameters and questions for null.
  for (const [, path, line, code] of output.matchAll(/^(\S+?)\((\d+),\d+\): error (TS\d+)/gm))
    if (!(path.endsWith('.js') && /^TS(70(06|31|53)|1804[78])$/.test(code)))
      wrongIn.set(path, [...(wrongIn.get(path) ?? []), Number(line)])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each([...files])('%s has type errors in the lines marked with "// wrong" alone', (path, text) => {
  const marked = text.split('\n').flatMap((line, k) => (line.endsWith('// wrong') ? [k + 1] : []))
  expect(
    [...new Set(wrongIn.get(path))],
    output
      .split('\n')
      .filter((line) => line.startsWith(path))
      .join('\n'),
  ).toEqual(marked)
})

test('all programs and examples were compiled, and nothing else is wrong', () => {
  expect([...files.values()].filter((text) => text.includes('// wrong')).length).toBeGreaterThanOrEqual(12)
  expect([...files.keys()].filter((path) => !path.startsWith('programs')).length).toBeGreaterThanOrEqual(10)
  expect([...wrongIn.keys()].filter((path) => !files.has(path))).toEqual([])
})
