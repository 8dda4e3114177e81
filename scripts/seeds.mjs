// Plays games of the hostile world (test/seeds) on all cores. A game that breaks a rule is reduced as far as possible
// and printed with its plan, so that it can be pinned in test/seeds/pinned.ts. After ten of them it stops.
//
//   npm run -s seeds                        25,000 games
//   npm run -s seeds -- 1000000             as many as you say
//   npm run -s seeds -- 5000 --from 70000   5,000 games, from seed 70,000 on
//   npm run -s seeds -- 5000 --rooms        5,000 games, all of them in rooms; --simulated: in the simulation; --themes: of test/seeds/themes.ts
//   npm run -s seeds -- --rare 1000 WORDS   the branches of the sources with these words in their path that these games take in at most one of 100
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { importBundled, root } from './bundle.mjs'
import { rareBranches } from './rare.mjs'

/** Games that a process plays before it asks for more. */
const PIECE = 1000
/** It stops after this many games that broke a rule. */
const MAX_BROKEN = 10

const bundled = (file) =>
  importBundled(
    join(root, 'test/seeds', file),
    ['src', 'test/seeds', 'test/fixtures'].map((folder) => join(root, folder)),
  )
const { playSeeds } = await bundled('many.ts')
if (process.send) {
  process.on('message', async ({ from, count, kind }) => {
    process.send({ ...(await playSeeds(from, count, kind)), from, count })
  })
  process.send('ready')
} else if (process.argv.includes('--rare')) {
  const [games = '1000', ...words] = process.argv.slice(process.argv.indexOf('--rare') + 1)
  console.log((await rareBranches(Number(games), words.length === 0 ? [''] : words)).join('\n'))
} else process.exitCode = await playAll(...asked())

function asked() {
  const words = process.argv.slice(2)
  const at = words.indexOf('--from')
  const from = at < 0 ? 0 : Number(words.splice(at, 2)[1])
  const kind = ['rooms', 'simulated', 'themes'].find((one) => words.includes(`--${one}`))
  if (kind !== undefined) words.splice(words.indexOf(`--${kind}`), 1)
  const count = Number(words[0] ?? 25_000)
  if (Number.isSafeInteger(from) && from >= 0 && Number.isSafeInteger(count) && count > 0) return [from, count, kind]
  console.error(
    'Usage: npm run -s seeds -- [how many, 25000 unless given] [--from first seed, 0 unless given] [--rooms, --simulated or --themes], or --rare [how many] [words]',
  )
  process.exit(2)
}

async function playAll(first, many, kind) {
  const began = performance.now()
  const failures = []
  let next = first
  let games = 0
  let rows = 0
  /** Gives a process the rest of its piece after a game that broke a rule, or the next piece. */
  const pieceFor = (child, { from, count } = { from: next, count: 0 }) => {
    const isDone = count === 0 && next >= first + many
    if (isDone || failures.length >= MAX_BROKEN) return child.kill()
    if (count > 0) return child.send({ from, count, kind })
    const piece = { from: next, count: Math.min(PIECE, first + many - next), kind }
    next += piece.count
    child.send(piece)
  }
  const hear = (child, message) => {
    if (message === 'ready') return pieceFor(child)
    const { from, count } = message
    games += message.games
    rows += message.rows
    if (message.failure !== null) {
      failures.push(message.failure)
      console.error(`\n${message.failure}`)
    }
    if (games % 50_000 < message.games) console.log(`${games.toLocaleString('en')} games`)
    pieceFor(child, { from: from + message.games, count: count - message.games })
  }
  await Promise.all(
    Array.from({ length: Math.min(availableParallelism(), Math.ceil(many / PIECE)) }, () => {
      const child = spawn(process.execPath, [fileURLToPath(import.meta.url)], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      })
      child.on('message', (message) => hear(child, message))
      return new Promise((resolve) =>
        child.on('exit', (code) => {
          if (code !== null) {
            failures.push(code)
            console.error(`\nA process that played ended with ${code}.`)
          }
          resolve()
        }),
      )
    }),
  )
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(
    `${games.toLocaleString('en')} games of ${rows.toLocaleString('en')} rows from seed ${first} on: ${failures.length} broke a rule; ${seconds} s`,
  )
  return failures.length > 0 ? 1 : 0
}
