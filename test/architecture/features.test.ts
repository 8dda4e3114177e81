import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inFull } from '../fixtures/extent.ts'
import { readFolderTable } from './folderRules.ts'
import { repository } from './sources.ts'

const table = readFolderTable(readFileSync(`${repository}src/features/README.md`, 'utf8')) ?? []
const names = table.map(({ name }) => name)

/** A feature, and those that import it or one of these. */
function dependents(name: string): string[] {
  const gone = new Set([name])
  for (const { name: other, mayImport } of table) if (mayImport.some((each) => gone.has(each))) gone.add(other)
  return [...gone]
}

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(repository, 'node_modules/.features-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Copies the sources without some features and without their lines in the lists. Returns what the compiler says of them. */
async function problemsWithout(gone: readonly string[]): Promise<string> {
  const copy = join(folder, gone.join('-'))
  cpSync(`${repository}src`, join(copy, 'src'), { recursive: true })
  for (const name of gone) rmSync(join(copy, 'src/features', name), { recursive: true })
  for (const list of ['features.ts', 'studies.ts', 'commands.ts']) {
    let text = readFileSync(join(copy, 'src', list), 'utf8')
    for (const name of gone) {
      const [line, imported] = new RegExp(`^import \\{ (\\w+) \\} from './features/${name}/.*\\n`, 'm').exec(text) ?? []
      text = text.replaceAll(new RegExp(`^.*import\\('\\./features/${name}/.*\n`, 'gm'), '')
      if (line !== undefined) text = text.replace(line, '').replace(`  ${imported},\n`, '')
    }
    writeFileSync(join(copy, 'src', list), text)
  }
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify({ extends: `${repository}tsconfig.json`, include: ['src'] }))
  return new Promise((resolve) => {
    execFile(process.execPath, [join(repository, 'node_modules/typescript/bin/tsc'), '-p', copy], (_, out) => resolve(out))
  })
}

describe('the sources compile', () => {
  test('without any feature', async () => {
    expect(await problemsWithout(names)).toBe('')
  })

  // In `npm test` the import table says the same of each of them.
  test.runIf(inFull).each(names)('without the feature %s and those that import it', async (name) => {
    expect(await problemsWithout(dependents(name))).toBe('')
  })
})
