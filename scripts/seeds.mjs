// Plays games of the hostile world (test/seeds) on all cores. A game that breaks a rule is reduced as far as possible
// and printed with its plan, so that it can be pinned in test/seeds/pinned.ts.
//
//   npm run -s seeds                        25,000 games
//   npm run -s seeds -- 1000000             as many as you say
//   npm run -s seeds -- 5000 --from 70000   5,000 games, from seed 70,000 on
//   npm run -s seeds -- 5000 --rooms        5,000 games, all of them in rooms
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { importBundled, root } from './bundle.mjs'

/** Games that a process plays before it asks for more. */
const PIECE = 1000

const { playSeeds } = await importBundled(
  join(root, 'test/seeds/many.ts'),
  ['src', 'test/seeds', 'test/fixtures'].map((folder) => join(root, folder)),
)
if (process.send) {
  process.on('message', async ({ from, count, rooms }) => process.send(await playSeeds(from, count, rooms)))
  process.send('ready')
} else process.exitCode = await playAll(...asked())

function asked() {
  const words = process.argv.slice(2)
  const at = words.indexOf('--from')
  const from = at < 0 ? 0 : Number(words.splice(at, 2)[1])
  const rooms = words.includes('--rooms')
  if (rooms) words.splice(words.indexOf('--rooms'), 1)
  const count = Number(words[0] ?? 25_000)
  if (Number.isSafeInteger(from) && from >= 0 && Number.isSafeInteger(count) && count > 0) return [from, count, rooms]
  console.error('Usage: npm run -s seeds -- [how many, 25000 unless given] [--from first seed, 0 unless given] [--rooms]')
  process.exit(2)
}

async function playAll(first, count, rooms) {
  const began = performance.now()
  const failures = []
  let next = first
  let games = 0
  let rows = 0
  const pieceFor = (child) => {
    if (next >= first + count || failures.length > 0) return child.kill()
    const piece = { from: next, count: Math.min(PIECE, first + count - next), rooms }
    next += piece.count
    child.send(piece)
  }
  const hear = (child, message) => {
    if (message !== 'ready') {
      games += message.games
      rows += message.rows
      if (message.failure !== null) failures.push(message.failure)
      if (games % 50_000 < PIECE) console.log(`${games.toLocaleString('en')} games`)
    }
    pieceFor(child)
  }
  await Promise.all(
    Array.from({ length: Math.min(availableParallelism(), Math.ceil(count / PIECE)) }, () => {
      const child = spawn(process.execPath, [fileURLToPath(import.meta.url)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
      child.on('message', (message) => hear(child, message))
      return new Promise((resolve) =>
        child.on('exit', (code) => {
          if (code !== null) failures.push(`A process that played ended with ${code}.`)
          resolve()
        }),
      )
    }),
  )
  for (const failure of failures) console.error(`\n${failure}`)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${games.toLocaleString('en')} games of ${rows.toLocaleString('en')} rows from seed ${first} on: ${failures.length} broke a rule; ${seconds} s`)
  return failures.length > 0 ? 1 : 0
}
