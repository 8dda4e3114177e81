import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inFull } from '../fixtures/extent.ts'
import { readTable } from './importRules.ts'
import { repository } from './sources.ts'

const table = readTable(readFileSync(`${repository}src/features/README.md`, 'utf8')) ?? []
const names = table.map(({ name }) => name)
/** Entries of the package that are of one feature each. */
const entries: Readonly<Record<string, readonly string[]>> = {
  runner: ['runner.ts', 'runnerWorker.ts'],
  spans: ['recorder.ts'],
}
const lists = ['features.ts', 'studies.ts', 'commands.ts', 'core.ts', 'runner.ts']

/** A feature with all features that depend on it. */
function dependents(name: string): string[] {
  const gone = new Set([name])
  for (const { name: other, mayImport } of table) if (mayImport.some((each) => gone.has(each))) gone.add(other)
  return [...gone]
}

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(repository, 'node_modules/.features-'))
  cpSync(`${repository}src`, join(folder, 'src'), { recursive: true, preserveTimestamps: true })
  const compilerOptions = { incremental: true, tsBuildInfoFile: join(folder, 'checked.json') }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: `${repository}tsconfig.json`, compilerOptions, include: ['src'] }),
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/**
 * Removes some features and their lines in the lists from the copy. Returns the errors of the compiler, and restores them. The compiler
 * keeps its results, so that it checks again only what the features affect.
 */
async function problemsWithout(gone: readonly string[]): Promise<string> {
  for (const name of gone) rmSync(join(folder, 'src/features', name), { recursive: true })
  for (const list of lists) {
    let text = readFileSync(`${repository}src/${list}`, 'utf8')
    for (const name of gone) {
      const [line, imported] = new RegExp(`^import \\{ (\\w+) \\} from './features/${name}/.*\\n`, 'm').exec(text) ?? []
      text = text
        .replaceAll(/^ {2}\w+: async .*\n(?: {4}.*\n)*/gm, (entry) =>
          entry.includes(`import('./features/${name}/`) ? '' : entry,
        )
        .replaceAll(new RegExp(`^export .* from '\\./features/${name}/.*\n`, 'gm'), '')
      if (line !== undefined) text = text.replace(line, '').replace(`  ${imported},\n`, '')
    }
    writeFileSync(join(folder, 'src', list), text)
  }
  for (const entry of gone.flatMap((name) => entries[name] ?? [])) rmSync(join(folder, 'src', entry))
  try {
    return await new Promise((resolve) => {
      execFile(process.execPath, [join(repository, 'node_modules/typescript/bin/tsc'), '-p', folder], (_, out) =>
        resolve(out),
      )
    })
  } finally {
    cpSync(`${repository}src`, join(folder, 'src'), { recursive: true, preserveTimestamps: true })
  }
}

describe('the sources compile', () => {
  test('without any feature', async () => {
    expect(await problemsWithout(names)).toBe('')
  })

  // The import table checks the same for each of them, so only those that another imports are compiled too, and none in `npm test`.
  test.runIf(inFull).each(names.filter((name) => dependents(name).length > 1))(
    'without the feature %s and those that import it',
    async (name) => {
      expect(await problemsWithout(dependents(name))).toBe('')
    },
  )
})
