import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { filesIn } from '../../scripts/precache.ts'
import { inFull } from '../fixtures/extent.ts'
import { repository } from './sources.ts'

const folder = mkdtempSync(join(repository, 'node_modules/.builds-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const vite = join(repository, 'node_modules/vite/bin/vite.js')
const digest = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

// A build takes 20 s, so `npm test` leaves this out.
test.runIf(inFull)(
  'two builds of the same sources are equal, byte for byte, and their checksums are right',
  { timeout: 600_000 },
  async () => {
    const builds = ['a', 'b'].map((name) => join(folder, name))
    for (const outDir of builds)
      execFileSync(process.execPath, [vite, 'build', '--logLevel', 'error', '--outDir', outDir], {
        cwd: repository,
        stdio: 'pipe',
      })
    const [a, b] = builds.map((dir) => filesIn(dir).map((file) => `${digest(join(dir, file))}  ${file}`))
    expect(a.length).toBeGreaterThan(100)
    expect(b).toEqual(a)
    const promised = readFileSync(join(builds[0], 'checksums.txt'), 'utf8').trimEnd().split('\n')
    expect(promised).toEqual(a.filter((line) => !/ checksums\.txt$|\.map$/.test(line)))
  },
)
