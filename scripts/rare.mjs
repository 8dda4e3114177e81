// Which branches of the product the games of the hostile world seldom take, or never: npm run -s seeds -- --rare 1000 conductor room
//
// V8 counts the branches, so nothing in the product has to name them. Plays as many games of all kinds, of rooms, of the simulation, with a theme, and
// of pipelines.
import { readFileSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { SourceMap } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle, cache, root } from './bundle.mjs'

/** A branch is rare if it is taken in at most one of this many games. */
const RARE = 100
const LONGEST = 90

/**
 * Returns a line for each branch in files whose path contains one of the words: how often it was taken, where it is, and how it begins. A word such as
 * `ring.ts:117` names a line, whose branches are listed however often they were taken.
 */
export async function rareBranches(games, words) {
  const folder = join(cache, 'rare')
  const names = { many: 'playSeeds', runnerGame: 'playRunner' }
  rmSync(folder, { recursive: true, force: true })
  // One build for both, so that each source is there once.
  const entries = Object.fromEntries(Object.keys(names).map((name) => [name, join(root, `test/seeds/${name}.ts`)]))
  await bundle(entries, folder, '[name].mjs', [], { sourcemap: true, chunkFileNames: '[name].mjs' })
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const [{ playSeeds }, { playRunner }] = await Promise.all(
    Object.keys(names).map((name) => import(pathToFileURL(join(folder, `${name}.mjs`)).href)),
  )
  for (const kind of ['all', 'rooms', 'simulated', 'themes']) {
    const { failure } = await playSeeds(0, games, kind)
    if (failure !== null) throw new Error(failure)
  }
  for (let seed = 0; seed < games; seed++) await playRunner(seed)
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const counts = new Map()
  for (const { url, functions } of result) {
    if (!url.startsWith(pathToFileURL(folder).href)) continue
    for (const [place, count] of placesIn(new URL(url), functions)) counts.set(place, (counts.get(place) ?? 0) + count)
  }
  return [...counts]
    .filter(([place, count]) =>
      words.some(
        (word) =>
          place
            .split('  ')[0]
            .concat(' ')
            .includes(word.includes(':') ? `${word} ` : word) &&
          (word.includes(':') || count <= games / RARE),
      ),
    )
    .sort()
    .map(([place, count]) => `${String(count).padStart(5)}  ${place}`)
}

/** Returns each branch in a built file, by its place in the sources, with its count. */
function placesIn(file, functions) {
  const text = readFileSync(file, 'utf8')
  const map = new SourceMap(JSON.parse(readFileSync(new URL(`${file.href}.map`), 'utf8')))
  const lines = [...text.matchAll(/^/gm)].map(({ index }) => index)
  const places = []
  for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges)) {
    const branch = text.slice(startOffset, endOffset)
    const begins = branch.search(/[^\s{}]/)
    if (begins < 0) continue
    const line = lines.findLastIndex((at) => at <= startOffset + begins)
    const { originalSource, originalLine } = map.findEntry(line, startOffset + begins - lines[line])
    const at = originalSource?.lastIndexOf('/src/') ?? -1
    if (at < 0) continue
    places.push([
      `${originalSource.slice(at + 1)}:${originalLine + 1}  ${branch.replace(/\s+/g, ' ').trim().slice(0, LONGEST)}`,
      count,
    ])
  }
  return places
}
