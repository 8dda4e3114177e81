import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { builtPage } from '../../src/headless/builtPage.ts'

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'apportion-page-'))
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(home, { recursive: true })
})

const own = 'global/node_modules/apportion'

/** Writes a package that could be the page. */
function put(folder: string, version: string): void {
  write(
    `${folder}/package.json`,
    JSON.stringify({ version, exports: { './package.json': './package.json', './*': './page/*' } }),
  )
  write(`${folder}/page/index.html`)
}

function write(file: string, text = ''): void {
  mkdirSync(dirname(join(home, file)), { recursive: true })
  writeFileSync(join(home, file), text)
}

test.each([
  ['beside the command', ['global/node_modules/apportion-page 1.0.0'], 'global/node_modules/apportion-page/page'],
  ['beside the current folder', ['mine/node_modules/apportion-page 1.0.0'], 'mine/node_modules/apportion-page/page'],
  [
    'with the same version, not the nearest',
    ['global/node_modules/apportion-page 0.9.0', 'mine/node_modules/apportion-page 1.0.0'],
    'mine/node_modules/apportion-page/page',
  ],
  ['in a clone, built', [`${own}/src 0`, `${own}/dist 0`], `${own}/dist`],
  ['in a clone, not built', [`${own}/src 0`], /npm run build/],
  [
    'of another version',
    ['mine/node_modules/apportion-page 0.9.0'],
    /0\.9\.0 .*mine.* 1\.0\.0.*npm i apportion-page@1\.0\.0/,
  ],
  ['nowhere', [], /npm i apportion-page@1\.0\.0.*npx -p apportion -p apportion-page apportion FILE/],
])('finds the page %s', (_, packages, expected) => {
  put(own, '1.0.0')
  mkdirSync(join(home, 'mine/deep'), { recursive: true })
  for (const [folder, version] of packages.map((text) => text.split(' '))) put(folder, version)
  vi.spyOn(process, 'cwd').mockReturnValue(join(home, 'mine/deep'))
  const found = () => builtPage(pathToFileURL(join(home, own, 'packed/command.js')), 'FILE')
  if (expected instanceof RegExp) expect(found).toThrow(expected)
  else expect(found()).toBe(join(home, expected))
})
