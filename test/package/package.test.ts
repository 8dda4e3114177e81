import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hires } from '../../src/scenario/model/defaults.ts'
import { policyKinds } from '../../src/scenario/model/policies.ts'
import { chromiumOptions } from '../browser/driver/chromium.ts'
import { begun, fetchTools, install, installPacked, nodes, type Packed, ran, repository } from './installed.ts'

const own = join(repository, 'node_modules')
const tools = await fetchTools()
let folder = ''
let bin = ''
let browser: Browser
let packed: { readonly apportion: Packed; readonly page: Packed }

beforeAll(async () => {
  ;[{ folder, ...packed }, browser] = await Promise.all([installPacked(), chromium.launch(chromiumOptions())])
  bin = join(folder, 'node_modules/.bin/apportion')
  mkdirSync(join(folder, 'elsewhere'))
  copyFileSync(join(repository, 'docs/examples/worked-example.json'), join(folder, 'elsewhere/worked.json'))
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

const here = () => join(folder, 'elsewhere')
const apportion = (...words: string[]) => ran(here(), bin, words)
const log = join(repository, 'public/sample-incident.csv')

/** What play.js prints, wherever it runs. */
const expected = {
  article: [5, 1, 1, 1],
  jefferson: [8, 0, 0, 0],
  under: [5, 1, 1, 1],
  // All that share out a number of workers.
  policies: policyKinds.filter((kind) => kind !== 'code' && !hires(kind)).length,
  spread: [1, 3, 2, 4],
  order: ['a', 'b'],
  means: [3, 3],
  problem: 'stages',
  rows: 121,
  embed: ['function', 'function'],
  summary: { policy: 'code', jobs: 20, completed: 20, makespan: 14_000 },
}

describe('the packed package', () => {
  test('has at most 4 MB, brings no other package, runs nothing when it is installed, and has the licences of all that is built in', () => {
    expect(packed.apportion.unpackedSize).toBeLessThanOrEqual(4e6)
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['apportion'])
    const home = join(folder, 'node_modules/apportion')
    const { dependencies, peerDependencies, scripts, engines } = JSON.parse(
      readFileSync(join(home, 'package.json'), 'utf8'),
    )
    expect([dependencies, peerDependencies, scripts.install, scripts.postinstall, engines.node]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      '>=20.19.0',
    ])
    expect(readdirSync(home).sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json', 'packed'])
    const licences = readFileSync(join(home, 'packed/licences.txt'), 'utf8')
    const names = ['aedes', 'quickjs-emscripten-core', 'valibot', 'react']
    expect(names.filter((name) => new RegExp(`^${name} \\d`, 'm').test(licences))).toEqual(names.slice(0, 3))
  })

  test.each(nodes())('runs in Node %s', async (_, node) => {
    const { status, out, err } = await ran(folder, node, ['play.js'])
    expect([status, err]).toEqual([0, ''])
    const { figures, trace } = JSON.parse(out)
    expect(figures).toMatchObject(expected)
    writeFileSync(join(here(), 'run.json'), JSON.stringify(trace))
    const told = await ran(here(), node, [
      join(folder, 'node_modules/apportion/packed/command.js'),
      'headless',
      'run.json',
      '--json',
    ])
    expect(JSON.parse(told.out)).toEqual([figures.summary])
    const own = await ran(folder, node, ['own.js'])
    expect([own.err, own.out.trim()]).toEqual(['', JSON.stringify(Array.from({ length: 50 }, (_, k) => 2 * k))])
  })

  const compilers: readonly (readonly [resolution: string, compiler: string, modules: string | null])[] = [
    ['nodenext', 'the newest compiler', own],
    ['bundler', 'the newest compiler', own],
    ['nodenext', 'an older one', tools],
  ]
  test.each(compilers.filter(([, , modules]) => modules !== null))(
    'has types that hold under %s for %s',
    async (resolution, _, modules) => {
      const tsc = join(modules ?? '', 'typescript/bin/tsc')
      expect(await ran(folder, process.execPath, [tsc, '-p', `${resolution}.json`])).toEqual({
        status: 0,
        out: '',
        err: '',
      })
    },
  )

  test.runIf(tools !== null)('has nothing that publint or arethetypeswrong would have otherwise', async () => {
    const file = packed.apportion.filename
    const publint = await ran(folder, process.execPath, [
      join(tools ?? '', 'publint/src/cli.js'),
      'run',
      file,
      '--strict',
    ])
    expect([publint.status, publint.out]).toEqual([0, expect.stringContaining('All good!')])
    const types = await ran(folder, process.execPath, [
      join(tools ?? '', '@arethetypeswrong/cli/dist/index.js'),
      file,
      '--profile',
      'esm-only',
    ])
    expect([types.status, types.out]).toEqual([0, expect.stringContaining('"apportion/core"')])
  })

  const bundlers: readonly (readonly [name: string, file: () => string, words: readonly string[]])[] = [
    ['vite', () => join(own, 'vite/bin/vite.js'), ['build', '--outDir', 'out/vite', '--logLevel', 'error']],
    [
      'esbuild',
      () => join(tools ?? '', 'esbuild/bin/esbuild'),
      ['page.js', 'stages.js', '--bundle', '--format=esm', '--log-level=warning', '--outdir=out/esbuild'],
    ],
    ['webpack', () => 'webpack.cjs', [join(tools ?? '', 'webpack')]],
  ]
  test.each(bundlers.filter(([name]) => tools !== null || name === 'vite'))(
    'is bundled by %s without a warning and runs in a browser',
    async (name, file, words) => {
      const built = await ran(folder, process.execPath, [file(), ...words])
      expect([built.status, built.out.trim(), built.err.replace(/^.*chunks are larger.*(\n.*)*/m, '').trim()]).toEqual([
        0,
        '',
        '',
      ])
      const page = await browser.newPage()
      const out = join(folder, 'out', name)
      if (name !== 'vite') copyFileSync(join(folder, 'index.html'), join(out, 'index.html'))
      await page.route('**/*', (route) =>
        route.fulfill({ path: join(out, new URL(route.request().url()).pathname.replace(/^\/$/, '/index.html')) }),
      )
      await page.goto('https://app.test/')
      const figures = await page.waitForFunction(() => document.body.dataset.figures)
      expect(JSON.parse((await figures.jsonValue()) ?? '')).toMatchObject({ ...expected, element: true })
      const results = await page.waitForFunction(() => document.body.dataset.results)
      expect(await results.jsonValue()).toBe('[2,4,6]')
      await page.close()
    },
  )
})

describe('the command apportion', () => {
  test('reads files from where one stands, a trace, the standard input, and finds its threads', async () => {
    const { out } = await apportion('headless', 'worked.json', '--json', '--trace', 'worked-run.json')
    expect(JSON.parse(out)[0]).toMatchObject({ policy: 'leastScore', makespan: 3e6 })
    expect((await apportion('headless', 'worked-run.json', '--json')).out).toBe(out)
    expect(await apportion('check', 'worked-run.json')).toMatchObject({ status: 0, err: '' })
    expect(
      (await ran(here(), bin, ['headless', '-', '--json'], readFileSync(join(here(), 'worked.json'), 'utf8'))).out,
    ).toBe(out)
    expect(await apportion('headless', 'none.json')).toMatchObject({
      status: 1,
      out: '',
      err: expect.stringMatching(/^none\.json: cannot be read/),
    })
    const found = await apportion(
      'find',
      '--worse',
      'adams',
      '--than',
      'leastScore',
      '--measure',
      'makespan',
      '--runs',
      '20',
      '--from',
      'worked.json',
      '--json',
    )
    expect(JSON.parse(found.out).runs).toBeLessThanOrEqual(20)
    expect(await apportion('fit', log)).toMatchObject({ status: 0, out: expect.stringMatching(/^#s=/m) })
  })

  test('says how each command is used, and its version', async () => {
    const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
    expect((await apportion('--version')).out).toBe(`${version}\n`)
    const { out } = await apportion('--help')
    for (const name of ['headless', 'find', 'fit', 'import', 'check', 'room', 'lend']) {
      expect(out).toMatch(new RegExp(`^  ${name} +\\w`, 'm'))
      expect((await apportion(name, '--help')).out).toMatch(new RegExp(`^usage: apportion ${name} `))
    }
  })

  test.each(['worked.json', 'room'])('without the page, %s says how to get it', async (word) => {
    expect(await apportion(word)).toMatchObject({
      status: 1,
      out: '',
      err: expect.stringMatching(/^[^\n]*npm i apportion-page@[^\n]* apportion (FILE|room)[^\n]*\n$/),
    })
  })
})

describe('the command apportion beside the package of the page', () => {
  beforeAll(() => install(folder, packed.page))

  test('opens a room that serves the page, and lends threads to it', async () => {
    const room = begun(here(), bin, ['room', '--port', '0', '--host', 'localhost', '--json'])
    await expect.poll(room.said).toMatch(/\n$/)
    const { page, join: link } = JSON.parse(room.said())
    expect(await (await fetch(page)).text()).toContain('Apportion')
    const lender = begun(here(), bin, ['lend', link, '--threads', '1'])
    await expect.poll(lender.said).toMatch(/^In room \w+ with 1 thread/)
    lender.child.kill()
    room.child.kill()
  })

  test.each([
    ['a trace', 'worked-run.json', /^Finished/],
    ['a scenario', 'worked.json', /./],
    ['a log', 'log.csv', /./],
  ])('serves the page with %s in it, and nothing to others', async (what, file, status) => {
    copyFileSync(log, join(here(), 'log.csv'))
    const served = begun(here(), bin, [file, '--port', '0'])
    await expect.poll(served.said).toMatch(/^Apportion: http.*\n/)
    const [address] = /http\S+/.exec(served.said()) ?? ['']
    const page = await browser.newPage()
    await page.goto(address)
    await page
      .getByText(what === 'a log' ? 'Parse' : 'Worked example')
      .first()
      .waitFor()
    await expect.poll(() => page.getByRole('status').innerText()).toMatch(status)
    expect(await page.getByRole('alert').allInnerTexts()).toEqual([])
    const opened = new URL(`/opened/${file}`, address)
    expect((await fetch(opened)).headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect((await ran(here(), 'curl', ['-s', '-H', 'Host: elsewhere.example', opened.href])).out).toMatch(
      /for this machine alone/,
    )
    await page.close()
    served.child.kill()
  })

  test('says that the page is that of another version', async () => {
    const file = join(folder, 'node_modules/apportion-page/package.json')
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), version: '0.0.9' }))
    expect(await apportion('worked.json')).toMatchObject({
      status: 1,
      err: expect.stringMatching(/version 0\.0\.9 .*npm i/),
    })
  })
})
