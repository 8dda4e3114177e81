import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readTable } from './importRules.ts'
import { repository } from './sources.ts'

const table = readTable(readFileSync(`${repository}src/features/README.md`, 'utf8')) ?? []
const names = table.map(({ name }) => name)
/** Entries of the package that are of one feature each. */
const entries = ['runner.ts', 'runnerWorker.ts', 'recorder.ts']
const lists = ['features.ts', 'studies.ts', 'commands.ts', 'core.ts']

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(repository, 'node_modules/.features-'))
  cpSync(`${repository}src`, join(folder, 'src'), { recursive: true })
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: `${repository}tsconfig.json`, include: ['src'] }),
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Returns the list of features `text` without its lines that name a feature. */
function withoutFeatures(text: string): string {
  const imported = [...text.matchAll(/^import \{ (\w+) \} from '\.\/features\/.*\n/gm)].map(([, name]) => name)
  return text
    .replaceAll(/^(?:import|export) .* from '\.\/features\/.*\n/gm, '')
    .replaceAll(/^ {2}\w+: async .*\n(?: {4}.*\n)*/gm, (entry) => (entry.includes("import('./features/") ? '' : entry))
    .replaceAll(/^ {2}(\w+),\n/gm, (line, name) => (imported.includes(name) ? '' : line))
}

// That a feature can be deleted alone, with those that import it, follows from the table of imports.
test('the sources compile without any feature', async () => {
  for (const name of names) rmSync(join(folder, 'src/features', name), { recursive: true })
  for (const entry of entries) rmSync(join(folder, 'src', entry))
  for (const list of lists)
    writeFileSync(join(folder, 'src', list), withoutFeatures(readFileSync(`${repository}src/${list}`, 'utf8')))
  const problems = await new Promise((resolve) => {
    const compiler = [join(repository, 'node_modules/typescript/bin/tsc'), '-p', folder]
    execFile(process.execPath, compiler, (_, out) => resolve(out))
  })
  expect(problems).toBe('')
})
