// Measures the tests of a folder: plants every mutant that StrykerJS knows into its sources, one at a time, and counts how many of them the
// tests of that folder catch.
//
//   npm run -s mutation                          the folders below
//   npm run -s mutation -- pipeline workload     these folders; also a folder inside one, as in trace/logs
//   npm run -s mutation -- engine --sample 300   300 mutants of it, always the same ones, and an interval
//   npm run -s mutation -- engine --file shards  mutants of files whose name contains the word
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cache } from './bundle.mjs'
import { instrument } from './mutation/instrument.mjs'
import { chosen, intervalOf } from './mutation/sample.mjs'
import { testScripts } from './mutation/testScripts.mjs'
import { openTrials } from './mutation/trials.mjs'

const FOLDERS = ['allocation', 'scheduler', 'pipeline', 'workload', 'engine', 'trace', 'measures', 'scenario', 'runs']

const { folders, sample, word } = asked()
const rows = []
for (const folder of folders) rows.push(await measureFolder(folder))
console.log(['', '| folder | mutants | tried | caught | survived | no test reaches it | score |', '|---|--:|--:|--:|--:|--:|--:|', ...rows].join('\n'))

function asked() {
  const words = process.argv.slice(2)
  const take = (name) => {
    const at = words.indexOf(name)
    return at < 0 ? undefined : words.splice(at, 2)[1]
  }
  const sample = Number(take('--sample') ?? Infinity)
  const word = take('--file') ?? ''
  if (sample > 0 && !words.some((each) => each.startsWith('-'))) return { folders: words.length > 0 ? words : FOLDERS, sample, word }
  console.error('Usage: npm run -s mutation -- [folders] [--sample how many mutants] [--file word in the name of a source]')
  process.exit(2)
}

async function measureFolder(folder) {
  const began = performance.now()
  const { mutants, sources } = await instrument(folder)
  const home = join(cache, `mutation-${process.pid}`)
  mkdirSync(home, { recursive: true })
  try {
    const scripts = await testScripts(folder, sources, home)
    const trials = await openTrials(scripts)
    const asked = mutants.filter(({ file }) => file.includes(word))
    const open = asked.filter(({ why }) => why === null)
    const wanted = chosen(open, sample)
    const known = readKnown(folder)
    const results = new Map()
    const save = () => writeKnown(folder, known, results)
    let unsaved = performance.now()
    await trials.run(wanted, scripts, known, (mutant, result) => {
      results.set(mutant.key, result)
      if (performance.now() - unsaved < 10_000) return
      unsaved = performance.now()
      save()
    })
    trials.close()
    save()
    return told({ folder, open, wanted, results, disabled: asked.length - open.length, seconds: (performance.now() - began) / 1000 })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

function told({ folder, open, wanted, results, disabled, seconds }) {
  const of = (end) => wanted.filter(({ key }) => results.get(key).end === end)
  const alive = wanted.filter(({ key }) => ['survived', 'unreached'].includes(results.get(key).end))
  console.log(`\n${folder}`)
  for (const { file, line, original, replacement, key } of alive) {
    const unreached = results.get(key).end === 'unreached' ? '  (no test reaches it)' : ''
    console.log(`  ${file}:${line}  ${short(original)}  ->  ${short(replacement)}${unreached}`)
  }
  const caught = wanted.length - alive.length
  const share = (of) => `${(100 * of).toFixed(1)}%`
  const [low, high] = intervalOf(caught, wanted.length)
  const score = wanted.length === open.length ? share(caught / wanted.length) : `${share(caught / wanted.length)} (${share(low)} to ${share(high)})`
  console.log(`  ${wanted.length} tried, ${of('late').length} of the caught ones ran in circles, ${disabled} disabled with a reason; ${seconds.toFixed(0)} s`)
  return `| \`${folder}\`${word === '' ? '' : `, files with “${word}”`} | ${open.length} | ${wanted.length} | ${caught} | ${of('survived').length} | ${of('unreached').length} | ${score} |`
}

function short(code) {
  const line = code.replace(/\s+/g, ' ')
  return line.length > 70 ? `${line.slice(0, 67)}...` : line === '' ? '(nothing)' : line
}

function readKnown(folder) {
  const file = knownFile(folder)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

/** What other samples have found stays. */
function writeKnown(folder, known, results) {
  mkdirSync(join(cache, 'mutation'), { recursive: true })
  writeFileSync(knownFile(folder), JSON.stringify({ ...known, ...Object.fromEntries(results) }))
}

function knownFile(folder) {
  return join(cache, 'mutation', `${folder.replaceAll('/', '-')}.json`)
}
