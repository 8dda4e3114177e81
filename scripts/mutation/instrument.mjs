// Plants every mutant of a folder into its sources at once. A mutant is switched on by its number while the tests run.
import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import { filesUnder, root } from '../bundle.mjs'

/** Real threads are tested in a browser. */
const elsewhere = [/^src\/engine\/threads\//, /\.worker\.ts$/]

const silent = { debug() {}, info() {}, warn() {}, isDebugEnabled: () => false }

/**
 * Returns the mutants of `src/<folder>` in the order of their numbers, and by absolute path the source that holds them all. `key` names a
 * mutant whatever its number is; `why` is the reason of the comment that disables it, or null.
 */
export async function instrument(folder) {
  const names = filesUnder(join(root, 'src', folder))
    .map((file) => relative(root, file).split(sep).join('/'))
    .filter((file) => file.endsWith('.ts') && !elsewhere.some((pattern) => pattern.test(file)))
    .sort()
  const mutants = []
  const sources = new Map()
  for (const file of names) {
    const content = readFileSync(join(root, file), 'utf8')
    const planted = await new Instrumenter(silent).instrument([{ name: file, mutate: true, content }], {
      plugins: null,
      excludedMutations: [],
      ignorers: [],
      noHeader: true,
    })
    const first = mutants.length
    const lines = content.split('\n')
    for (const { location, replacement, mutatorName, status, statusReason } of planted.mutants) {
      const { start, end } = location
      const original = textBetween(lines, start, end)
      const place = `${file}:${start.line + 1}:${start.column + 1}`
      const why = status === 'Ignored' ? statusReason : null
      mutants.push({
        id: mutants.length,
        file,
        line: start.line + 1,
        key: `${place}-${end.line + 1}:${end.column} ${mutatorName} ${replacement}`,
        original,
        replacement,
        why,
      })
    }
    sources.set(join(root, file), switched(planted.files[0].content, first))
  }
  return { mutants, sources }
}

function textBetween(lines, start, end) {
  if (start.line === end.line) return lines[start.line].slice(start.column, end.column)
  return [lines[start.line].slice(start.column), ...lines.slice(start.line + 1, end.line), lines[end.line].slice(0, end.column)].join('\n')
}

/** The switches as comparisons of numbers: calls with strings, as the instrumenter writes them, would slow every test down. */
function switched(code, first) {
  const number = (id) => Number(id) + first
  const body = code
    .replace(/stryMutAct_9fa48\("(\d+)"\)/g, (_, id) => `(mutation_9fa48.active===${number(id)}&&mutation_9fa48.hit())`)
    .replace(/stryCov_9fa48\(("\d+"(?:, "\d+")*)\)/g, (_, ids) => `mutation_9fa48.cover?.(${ids.replace(/"(\d+)"/g, (_, id) => number(id))})`)
  return `const mutation_9fa48=globalThis.mutation_9fa48;${body}`
}
