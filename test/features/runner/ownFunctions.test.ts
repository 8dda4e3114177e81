import { execFile } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundle, cache, root } from '../../../scripts/bundle.mjs'
import { readTraceJson } from '../../../src/trace/formats/readTraceJson.ts'

const folder = join(cache, `own-functions-${process.pid}`)
const page = readFileSync(join(root, 'docs/own-functions.md'), 'utf8')
const blocks = [...page.matchAll(/```(?:js|text)\n([\s\S]*?)```/g)].map(([, text]) => text)

beforeAll(async () => {
  await bundle(join(root, 'src/runner.ts'), folder, 'runner.mjs')
  await bundle(join(root, 'src/runnerWorker.ts'), folder, 'worker.mjs')
}, 30_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the example of docs/own-functions.md prints what the page says, and leaves a trace', async () => {
  const [stages, main, output] = blocks
  expect(blocks).toHaveLength(3)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'stages.js'), stages.replace('apportion/worker', './worker.mjs'))
  writeFileSync(join(folder, 'main.js'), main.replace("'apportion'", "'./runner.mjs'"))
  const printed = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, ['main.js'], { cwd: folder }, (error, out, problems) =>
      error === null && problems === '' ? resolve(out) : reject(error ?? new Error(problems)),
    )
  })
  const apart = (text: string) => {
    const lines = text.trimEnd().split('\n')
    return { skipped: lines.filter((line) => line.startsWith('skipped')), others: lines.filter((line) => !line.startsWith('skipped')) }
  }
  expect(apart(printed)).toEqual(apart(output))
  const read = readTraceJson(readFileSync(join(folder, 'run.json'), 'utf8'))
  expect('trace' in read && [read.trace.engine, read.trace.ending]).toEqual(['functions', 'drained'])
}, 20_000)
