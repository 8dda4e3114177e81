import { execFile, execFileSync } from 'node:child_process'
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeParts } from '../../src/headless/command.ts'
import { writeDecisionsCsv } from '../../src/measures/decisions/decisionExports.ts'
import { createEstimateHistory } from '../../src/measures/decisions/estimateHistory.ts'
import { writeTraceEvents } from '../../src/measures/profile/traceEvents.ts'
import { playSimulation, summarise } from '../../src/runs/play/play.ts'
import { toJsonFragment, toShortFragment } from '../../src/scenario/link/codec.ts'
import { readTraceJson } from '../../src/trace/formats/readTraceJson.ts'
import { type Outcome, runHere, runScript } from '../fixtures/commandHere.ts'
import { inFull } from '../fixtures/extent.ts'
import { workedExample } from '../measures/scenarios.ts'
import { digestOf } from '../trace/digestOf.ts'

const script = fileURLToPath(new URL('../../scripts/headless.mjs', import.meta.url))
let folder = ''
let file = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'apportion-headless-'))
  file = join(folder, 'worked.json')
  writeFileSync(file, JSON.stringify(workedExample))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const headless = (...words: string[]) => runHere('headless', ...words)

/** Runs the command in a shell that uses its output. */
const inShell = (words: string) => shell(`"${process.execPath}" "${script}" ${words}`)

function shell(line: string): Promise<Outcome> {
  // A shell whose locale is not installed would say so.
  const env = { ...process.env, LC_ALL: 'C' }
  return new Promise((resolve) => {
    execFile('bash', ['-c', line], { env }, (error, out, err) =>
      resolve({ status: error === null ? 0 : Number(error.code), out, err }),
    )
  })
}

describe('the headless command', () => {
  test('prints one summary per policy as JSON, with the figures that the page shows', async () => {
    const { status, out, err } = await headless(file, '--policy', 'leastScore,jefferson,single', '--json')
    expect([status, err]).toEqual([0, ''])
    const summaries = JSON.parse(out)
    expect(
      summaries.map(({ policy, makespan, lowerBound }: Record<string, unknown>) => [policy, makespan, lowerBound]),
    ).toEqual([
      ['leastScore', 3e6, 3e6],
      ['jefferson', 3e6, 3e6],
      ['single', 6e6, 3e6],
    ])
    expect(summaries[0]).toEqual(summarise(await playSimulation(workedExample, 0)))
  })

  test('answers a question, and refuses options of a run', async () => {
    const asked =
      '#ask={"version":1,"workers":4,"stages":[{"name":"A","waiting":3,"mean":10},{"name":"B","waiting":0,"mean":10}]}'
    const { status, out, err } = await headless(asked, '--json')
    expect([status, err]).toEqual([0, ''])
    expect(JSON.parse(out)).toMatchObject({
      seats: { A: 4, B: 0 },
      counterfactuals: [{ stage: 'B', waiting: 1, seats: { A: 3, B: 1 } }],
    })
    expect(await headless(asked, '--seed=3')).toMatchObject({
      status: 1,
      err: '--seed: belongs to a run; allowed with a question: --json\n',
    })
  })

  test('plays the original and its branches, or the chosen one, each with a trace of its own', async () => {
    const quicker = [{ id: 'B', from: 0, service: { kind: 'constant', mean: 500_000 } }]
    const branches = [{ at: 1_000_000, title: 'Six', workers: 6, stages: quicker }, { at: 2_000_000 }]
    writeFileSync(join(folder, 'branched.json'), JSON.stringify({ ...workedExample, branches }))
    const [branched, trace] = [join(folder, 'branched.json'), join(folder, 'fork.json')]
    const { status, out, err } = await headless(branched, '--json', '--trace', trace)
    expect([status, err]).toEqual([0, ''])
    expect(JSON.parse(out).map(({ branch, makespan }: Record<string, unknown>) => [branch, makespan])).toEqual([
      ['original', 3e6],
      ['branch 1', 2.5e6],
      ['branch 2', 3e6],
    ])
    const one = await headless(branched, '--branch', '1')
    expect(one.out).toMatch(/^ +branch 1$/m)
    expect(one.out).toMatch(/^makespan +2\.5 s$/m)
    expect(await headless(branched, '--branch', '3')).toMatchObject({
      status: 1,
      err: expect.stringContaining('--branch: found "3"; allowed: 0, the original, to 2'),
    })
    // Its scenario is complete: it has no branches, and lists the joining workers.
    const written = readTraceJson(readFileSync(join(folder, 'fork.branch-1.leastScore.json'), 'utf8'))
    if ('problems' in written) throw new Error(written.problems[0].message)
    expect(written.trace.scenario.branches).toEqual([])
    expect(written.trace.scenario.workerEvents).toHaveLength(4)
  })

  test('says why a run is stuck, also beside JSON, and what would help', async () => {
    const stuck = join(folder, 'stuck.json')
    writeFileSync(
      stuck,
      JSON.stringify({
        version: 1,
        source: { kind: 'batch', jobs: 9 },
        stages: ['A', 'B', 'C'].map((id) => ({ id })),
        workers: 2,
        policy: { kind: 'hpa' },
      }),
    )
    for (const words of [[], ['--json']]) {
      const { status, err } = await headless(stuck, ...words)
      expect([status, err]).toEqual([
        0,
        expect.stringMatching(/^hpa is stuck: Waiting: 9 jobs at C, and all .*Take more workers/),
      ])
    }
  })

  test('plays links of both forms, anywhere in an address, like the file', async () => {
    const own = await headless(file, '--json')
    for (const link of [
      toJsonFragment(workedExample),
      `https://example.org/x/${toShortFragment(workedExample)}&t=5&run=simulation`,
    ])
      expect(await headless(link, '--json')).toEqual(own)
  })

  test('prints a table for people', async () => {
    const { status, out, err } = await runScript('headless', file)
    expect([status, err]).toEqual([0, ''])
    expect(out).toContain('Worked example: 3 jobs, 2 stages, 2 workers, seed 1')
    expect(out).toMatch(/^makespan +3 s$/m)
    expect(out).toContain('There is 6 s of work for 2 workers, so no run can finish before 3 s.')
    expect((await headless('--help')).out).toContain('usage: ')
  })

  test('prints the cost of order if there is one', async () => {
    // Ticket 0 takes 3 s and the three others 1 s each: two of those end before it.
    const service = { kind: 'constant', mean: 3_000_000 }
    const stages = [{ id: 'A', service, changes: [{ from: 1, service: { ...service, mean: 1_000_000 } }] }]
    const file = join(folder, 'slow.json')
    writeFileSync(
      file,
      JSON.stringify({
        version: 1,
        source: { kind: 'batch', jobs: 4 },
        stages,
        workers: 2,
        order: { kind: 'buffer', slots: 8 },
      }),
    )
    const { status, out } = await headless(file)
    expect(status).toBe(0)
    expect(out).toMatch(/^longest hole +2 s, ticket 0$/m)
    expect(out).toMatch(/^most held +2, by ticket 0$/m)
    expect((await headless(join(folder, 'worked.json'))).out).not.toContain('hole')
  })

  test('writes the trace, one file per policy if there are several', async () => {
    const target = join(folder, 'out.json')
    expect(await headless(file, '--trace', target)).toMatchObject({ status: 0, err: '' })
    const back = readTraceJson(readFileSync(target, 'utf8'))
    expect('trace' in back && digestOf(back.trace)).toBe(digestOf(await playSimulation(workedExample, 0)))
    expect((await headless(file, '--trace', target, '--policy=webster,single')).status).toBe(0)
    expect(
      readdirSync(folder)
        .filter((name) => name.startsWith('out.'))
        .sort(),
    ).toEqual(['out.json', 'out.single.json', 'out.webster.json'])
  })

  test('writes the run for profilers and the decisions as a table, like the page', async () => {
    const [events, csv] = [join(folder, 'run.events.json'), join(folder, 'run.csv')]
    expect(await headless(file, '--events', events, '--csv', csv)).toMatchObject({ status: 0, err: '' })
    const trace = await playSimulation(workedExample, 0)
    expect(readFileSync(events, 'utf8')).toBe([...writeTraceEvents(trace)].join(''))
    expect(readFileSync(csv, 'utf8')).toBe([...writeDecisionsCsv(trace, createEstimateHistory(trace))].join(''))
    expect((await headless(file, '--csv', csv, '--policy=webster,single')).status).toBe(0)
    expect(
      readdirSync(folder)
        .filter((name) => name.startsWith('run.'))
        .sort(),
    ).toEqual(['run.csv', 'run.events.json', 'run.single.csv', 'run.webster.csv'])
    expect(await headless(file, '--csv', join(folder, 'no', 'run.csv'))).toMatchObject({
      status: 1,
      err: expect.stringMatching(/^--csv: .*cannot be written/),
    })
  })

  test('takes another seed', async () => {
    const random = join(folder, 'random.json')
    writeFileSync(
      random,
      JSON.stringify({ version: 1, stages: [{ id: 'A', service: { kind: 'exponential', mean: 1000 } }], workers: 2 }),
    )
    const [one, same, other] = await Promise.all([
      headless(random, '--json'),
      headless(random, '--json', '--seed', '1'),
      headless(random, '--json', '--seed', '2'),
    ])
    expect(same.out).toBe(one.out)
    expect(other.out).not.toBe(one.out)
  })

  test('plays the scenario of a trace, of the standard input and of an address as that of a file', async () => {
    const { out } = await headless(file, '--json')
    const trace = join(folder, 'inside.json')
    await headless(file, '--seed', '3', '--trace', trace)
    expect(await headless(trace, '--json', '--seed', '1')).toEqual({
      status: 0,
      out,
      err: `${trace} is a trace. Its scenario is inside, and is played again.\n`,
    })
    const { out: link } = await headless(trace, '--seed', '1', '--link')
    expect(link).toMatch(/^#s=[\w-]+\n$/)
    expect((await headless(link.trim(), '--json')).out).toBe(out)
    expect(await inShell(`- --json < "${file}"`)).toEqual({ status: 0, out, err: '' })
    const server = createServer((request, response) => {
      response.statusCode = request.url === '/worked.json' ? 200 : 404
      response.end(readFileSync(file))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const home = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    expect(await headless(`${home}/worked.json`, '--json')).toEqual({ status: 0, out, err: '' })
    expect(await headless(`${home}/other.json`)).toEqual({
      status: 1,
      out: '',
      err: `${home}/other.json: cannot be read: the server answered 404 Not Found\n`,
    })
    server.close()
    expect((await headless(`${home}/worked.json`)).err).toMatch(/\/worked\.json: cannot be read: connect ECONNREFUSED/)
    expect((await inShell('- < /dev/null')).err).toMatch(/^the file is empty; .* \(in standard input\)\n$/)
    const others = [
      Buffer.from(`\ufeff${readFileSync(file, 'utf8')}`, 'utf16le'),
      Buffer.from(`\ufeff${readFileSync(file, 'utf8')}`),
    ]
    for (const [k, bytes] of others.entries()) writeFileSync(join(folder, `other-${k}.json`), bytes)
    expect((await headless(join(folder, 'other-0.json'))).err).toMatch(
      /^the file is UTF-16\. Save it as UTF-8, and try again \(in .*other-0\.json\)\n$/,
    )
    expect(await headless(join(folder, 'other-1.json'), '--json')).toEqual({ status: 0, out, err: '' })
  })

  test('every command says its version and how it is used', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    for (const name of ['headless', 'find', 'fit', 'import', 'check', 'room', 'lend', 'open']) {
      expect(await runHere(name, '--version')).toEqual({ status: 0, out: `${version}\n`, err: '' })
      expect((await runHere(name, '--help')).out).toMatch(
        name === 'open' ? /^usage: apportion \[FILE\]/ : new RegExp(`^usage: apportion ${name} `),
      )
    }
  })

  test('prints on standard error what is wrong and where, and fails', async () => {
    const wrong = join(folder, 'wrong.json')
    writeFileSync(
      wrong,
      JSON.stringify({ version: 1, stages: [{ id: 'A', service: { kind: 'constant', mean: -1 } }], workers: 2 }),
    )
    const cut = join(folder, 'cut.json')
    await headless(file, '--trace', cut)
    writeFileSync(cut, readFileSync(cut, 'utf8').slice(0, -1000))
    const large = join(folder, 'large.json')
    writeFileSync(large, '')
    truncateSync(large, 3 * 2 ** 30)
    const endless = join(folder, 'endless.json')
    const policy = { kind: 'code', source: 'export default () => {\n  for (;;) Math.abs(1)\n}' }
    writeFileSync(endless, JSON.stringify({ version: 1, stages: [{ id: 'A' }], workers: 2, policy }))
    const cases: readonly (readonly [RegExp, ...string[]])[] = [
      [/^policy: the code of the policy took too long: line [12] \(in .*endless\.json\)\n$/, endless],
      [/^stages\[0\]\.service\.mean: .* \(in .*wrong\.json\)$/m, wrong],
      [/^the trace ends .*|.* \(in .*cut\.json\)\n$/, cut],
      [/none\.json: cannot be read/, join(folder, 'none.json')],
      [/^policy\.kind: found "fastest"/, file, '--policy', 'fastest'],
      [/^policy\.allocation: /, file, '--policy', 'fixed'],
      [/^seed: found "x"/, file, '--seed', 'x'],
      [/^order.kind: found "reverse"; allowed: none, buffer or shard/, file, '--order', 'reverse'],
      [/^--colour: unknown option/, file, '--colour'],
      [/^--policy: stands without its value/, file, '--policy'],
      [/^--policy: found ","; allowed: names of policies/, file, '--policy', ','],
      [/cannot be read: it is a folder; allowed: a file/, folder],
      [/^\/dev\/zero: cannot be read: it is a device; allowed: a file/, '/dev/zero'],
      [/large\.json: cannot be read: it has 3\.22 GB; allowed: a scenario of at most 2,000,000 characters/, large],
      [/^--trace: \/dev\/full cannot be written: ENOSPC/, file, '--trace', '/dev/full'],
      [/^--trace: .* cannot be written/, file, '--trace', join(folder, 'no', 'such', 'folder.json')],
      [/^which scenario\?/],
      [/^one scenario at a time/, file, file],
      [/^This link is incomplete or damaged/, '#s=nonsense'],
    ]
    const outcomes = await Promise.all(cases.map(([, ...words]) => headless(...words)))
    outcomes.forEach(({ status, out, err }, i) => {
      expect([status, out]).toEqual([1, ''])
      expect(err).toMatch(cases[i][0])
    })
  })

  test('never succeeds with half of its output: a full disk and a closed pipe are reported', async () => {
    expect(await inShell(`"${file}" --json > /dev/full`)).toMatchObject({
      status: 1,
      err: 'standard output: cannot be written: ENOSPC: no space left on device, write\n',
    })
    // More than a pipe holds, and nothing reads on.
    const many = join(folder, 'many.json')
    writeFileSync(
      many,
      JSON.stringify({
        version: 1,
        stages: Array.from({ length: 256 }, (_, i) => ({ id: `s${i}` })),
        source: { jobs: 1 },
        workers: 1,
      }),
    )
    const cut = await inShell(
      `"${many}" --json --policy leastScore,jefferson,webster,adams,dean | head -c 10; exit "\${PIPESTATUS[0]}"`,
    )
    expect(cut).toMatchObject({ status: 1, err: 'standard output: cannot be written: EPIPE: broken pipe, write\n' })
  })
})

describe('a file that is written', () => {
  test('replaces the old one when it is whole, with its mode, also through a link', () => {
    const [old, link] = [join(folder, 'old.json'), join(folder, 'link.json')]
    writeFileSync(old, 'old', { mode: 0o640 })
    symlinkSync(old, link)
    const seen: string[] = []
    function* parts() {
      yield 'new '
      seen.push(readFileSync(old, 'utf8'))
      yield 'content'
      seen.push(readFileSync(link, 'utf8'))
    }
    writeParts('--trace', link, parts())
    expect([...seen, readFileSync(old, 'utf8'), lstatSync(link).isSymbolicLink(), statSync(old).mode & 0o777]).toEqual([
      'old',
      'old',
      'new content',
      true,
      0o640,
    ])
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  test('stays as it was if writing fails midway, and nothing is left beside it', () => {
    const old = join(folder, 'kept.json')
    writeFileSync(old, 'old')
    function* broken() {
      yield 'new'
      throw new Error('no space left')
    }
    expect(() => writeParts('--csv', old, broken())).toThrow(`--csv: ${old} cannot be written: no space left`)
    expect([readFileSync(old, 'utf8'), readdirSync(folder).filter((name) => name.endsWith('.part'))]).toEqual([
      'old',
      [],
    ])
    expect(() => writeParts('--csv', join(folder, 'missing', 'x.csv'), ['a'])).toThrow('cannot be written')
    expect(() => writeParts('--csv', folder, ['a'])).toThrow('cannot be written')
  })

  test('that is a device or a pipe is written as it is', async () => {
    writeParts('--csv', '/dev/null', ['a'])
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
    const { out } = await inShell(`"${file}" --csv /dev/stdout --json | head -c 8`)
    expect(out).toBe('decision')
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const { out: read } = await shell(
      `cat "${pipe}" & "${process.execPath}" "${script}" "${file}" --csv "${pipe}" > /dev/null; wait`,
    )
    expect(read).toMatch(/^decision,/)
    expect(lstatSync(pipe).isFIFO()).toBe(true)
  })
})

test.runIf(inFull)('a decision that never comes back from a built-in ends the command in words', async () => {
  const source =
    "const text = 'ab'.repeat(700000)\nexport default () => {\n  for (let i = 0; i < 9000; i++) text.indexOf('ab'.repeat(20) + 'c')\n  return [1]\n}"
  const slow = join(folder, 'slow.json')
  const policy = { kind: 'code', name: 'Slow', source }
  writeFileSync(
    slow,
    JSON.stringify({ version: 1, stages: [{ id: 'A' }], workers: 1, source: { kind: 'batch', jobs: 3 }, policy }),
  )
  const { out, err } = await runScript('headless', slow)
  expect([out, err]).toEqual(['', 'policy: the code of the policy took too long\n'])
})
