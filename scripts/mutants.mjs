// Plants the bugs of test/seeds/mutants.ts in copies of the source, one at a time, and plays the hostile world until a game
// breaks a rule. Every bug must be caught within 10,000 games.
//
//   npm run -s mutants                  all bugs
//   npm run -s mutants -- line facts    bugs whose file or description contains one of the words
//   npm run -s mutants -- --every 6     the first bug and every sixth after it
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundle, cache, importBundled, root } from './bundle.mjs'

const SEEDS = 10_000
/** Milliseconds. A longer game loops for ever, so the bug is caught. */
const PATIENCE = 20_000

if (process.send) {
  process.once('message', async ({ file, known, games }) => {
    const { firstBroken } = await import(pathToFileURL(file).href)
    const broken = await firstBroken(SEEDS, known, games, (seed) => process.send({ seed }))
    // A busy parent lets the channel fill up: the process may end only when its answer is written.
    process.send({ broken }, () => process.exit())
  })
} else process.exitCode = await plantAll()

async function plantAll() {
  const { mutants } = await importBundled(join(root, 'test/seeds/mutants.ts'), [])
  const words = process.argv.slice(2)
  const at = words.indexOf('--every')
  const every = at < 0 ? 1 : Number(words.splice(at, 2)[1])
  const chosen = mutants.filter(
    ({ file, breaks }, i) =>
      i % every === 0 && (words.length === 0 || words.some((word) => `${file} ${breaks}`.includes(word))),
  )
  const home = join(cache, `mutants-${process.pid}`)
  mkdirSync(home, { recursive: true })
  let missed = 0
  let next = 0
  const work = async () => {
    while (next < chosen.length) {
      const k = next++
      const began = performance.now()
      const outcome = await plant(chosen[k], home, `${k}.mjs`)
      if (!outcome.caught) missed++
      const seconds = ((performance.now() - began) / 1000).toFixed(0)
      console.log(
        `${outcome.caught ? 'caught' : 'MISSED'}  ${chosen[k].file}: ${chosen[k].breaks}\n        ${outcome.words} (${seconds} s)`,
      )
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  rmSync(home, { recursive: true, force: true })
  console.log(`\n${chosen.length} planted bugs, ${chosen.length - missed} caught, ${missed} missed`)
  return missed > 0 ? 1 : 0
}

async function plant({ file, text, instead, seed: known, games }, home, name) {
  let places = 0
  const planting = {
    name: 'planting',
    enforce: 'pre',
    transform(code, id) {
      if (id.split('?')[0] !== join(root, 'src', file)) return
      places = code.split(text).length - 1
      return code.replace(text, () => instead)
    },
  }
  await bundle(join(root, 'test/seeds/many.ts'), home, name, [planting])
  if (places !== 1) return { caught: false, words: `the text stands there ${places} times` }
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url)], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    let at = 0
    let watchdog
    const watch = () => {
      clearTimeout(watchdog)
      watchdog = setTimeout(() => child.kill('SIGKILL'), PATIENCE)
    }
    watch()
    child.on('message', ({ seed, broken }) => {
      watch()
      at = seed ?? at
      if (broken === null) resolve({ caught: false, words: `not in ${SEEDS} seeds` })
      else if (broken !== undefined) resolve({ caught: true, words: `seed ${broken.seed}: ${broken.message}` })
    })
    child.on('close', (_, signal) => {
      clearTimeout(watchdog)
      resolve({
        caught: signal === 'SIGKILL',
        words: signal === 'SIGKILL' ? `seed ${at}: runs in circles` : 'ended without an answer',
      })
    })
    child.send({ file: join(home, name), known: known === undefined ? [] : [known], games })
  })
}
