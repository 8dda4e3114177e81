// Runs the benchmarks in test/bench one after the other and writes all figures to test/bench/results.json.
//
//   npm run bench                    all of them
//   npm run bench -- simulation      those with "simulation" in the file's name; the other figures in the file stay
//   npm run bench -- --quick         a trial run, whose figures are worth nothing and are not written
//
// An entry is test/bench/NAME.bench.ts. Its default export is called once and returns its table:
//
//   export default async function (tools: Tools): Promise<Row[]>
//
//   type Row = {
//     name: string
//     figures: Record<string, string | number | null>   the keys of all rows are the columns; null: not there on this machine
//   }
//   type Tools = {
//     root: string                                   the repository
//     quick: boolean                                 true with --quick: make do with the least work that runs every line
//     launch(options?): Promise<Browser>             Playwright's, with the browser that setup found; closed by us at the end
//     serve(html?: string): Promise<string>          builds the app, or the page at this path in the repository, serves it with
//                                                    the headers of a real host and returns its address; ended by us
//   }
//
// Times compared with each other belong in one entry: ratios within one run mean something, figures of two machines do not.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { basename, join } from 'node:path'
import { browserPath } from './browser.mjs'
import { cache, importBundled, root } from './bundle.mjs'

const folder = join(root, 'test/bench')
const quick = process.argv.includes('--quick')
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const entries = (existsSync(folder) ? readdirSync(folder) : [])
  .filter((file) => file.endsWith('.bench.ts') && (wanted.length === 0 || wanted.some((word) => file.includes(word))))
  .sort()
if (entries.length === 0)
  console.log(`No benchmark in test/bench${wanted.length > 0 ? ` with ${wanted.join(' or ')} in its name` : ''}.`)

const machine = {
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
}
const file = join(folder, 'results.json')
const results = { machine, tables: wanted.length > 0 ? earlierTables() : {} }
for (const entry of entries) {
  const name = basename(entry, '.bench.ts')
  console.log(`\n${name}`)
  try {
    const { default: measure } = await importBundled(join(folder, entry), [join(root, 'src'), folder])
    const rows = await withTools(measure)
    results.tables[name] = rows
    printTable(rows)
  } catch (error) {
    process.exitCode = 1
    results.tables[name] = { error: String(error?.message ?? error) }
    console.error(error)
  }
}
if (entries.length > 0 && !quick) {
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
  console.log('\nAll figures: test/bench/results.json')
}

function earlierTables() {
  try {
    const earlier = JSON.parse(readFileSync(file, 'utf8'))
    // Figures of another machine are not mixed with these.
    return JSON.stringify(earlier.machine) === JSON.stringify(machine) ? earlier.tables : {}
  } catch {
    return {}
  }
}

/** Calls a benchmark and closes everything it opened, even if it throws. */
async function withTools(measure) {
  const opened = []
  const launch = async (options = {}) => {
    const { chromium } = await import('playwright-core')
    const browser = await chromium.launch({ executablePath: browserPath(), ...options })
    opened.push(() => browser.close())
    return browser
  }
  const serve = async (html = 'index.html') => {
    const { build, preview } = await import('vite')
    const outDir = join(cache, 'bench', html.replaceAll('/', '-'))
    // The app is built with all its parts, a page of a benchmark alone.
    const input = html === 'index.html' ? {} : { rolldownOptions: { input: join(root, html) } }
    const common = { root, logLevel: 'error', build: { outDir, emptyOutDir: true, ...input } }
    await build(common)
    // Ports from 32768 on are ephemeral: none of them is on the list that browsers refuse.
    const server = await preview({
      ...common,
      preview: { port: 45_210 + opened.length, host: 'localhost', open: false },
    })
    opened.push(() => server.close())
    return new URL(html === 'index.html' ? '' : html, server.resolvedUrls.local[0]).href
  }
  try {
    return await measure({ root, quick, launch, serve })
  } finally {
    for (const close of opened.reverse()) await close()
  }
}

function printTable(rows) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row.figures)))]
  const cells = [
    ['', ...columns],
    ...rows.map((row) => [row.name, ...columns.map((column) => shown(row.figures[column]))]),
  ]
  const widths = cells[0].map((_, at) => Math.max(...cells.map((line) => line[at].length)))
  for (const line of cells)
    console.log(
      `  ${line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join('  ')}`,
    )
}

/** Two runs never agree in more than three significant digits. */
function shown(value) {
  if (value === null || value === undefined) return '-'
  if (typeof value !== 'number') return String(value)
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en-GB') : String(Number(value.toPrecision(3)))
}
