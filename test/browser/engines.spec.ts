import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { writeTraceJson } from '../../src/trace/formats/traceJson.ts'
import links from '../fixtures/links/v1.json' with { type: 'json' }
import { playCode } from '../fixtures/playCode.ts'
import { jsonLink, scenarioWith, workedExample } from '../fixtures/scenarios.ts'
import { test } from './driver/engines.ts'
import { playSeeds, readLinks } from './driver/sameEverywhere.ts'
import { LONG, type TraceFile } from './driver/visit.ts'
import { answered, downloadTrace, run, same, saved, stagesOf, visit, WORKERS } from './driver/visitTab.ts'

const golden = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../golden/${name}`, import.meta.url), 'utf8'))

test('a first visit shows a preset ready to run, below the front page; Run ends with a sentence, and every decision can be read', async ({
  tab,
}) => {
  await visit(tab)
  expect(await stagesOf(tab)).toEqual(['Parse', 'Validate', 'Enrich', 'Write'])
  expect(await tab.value('spinbutton', WORKERS)).toBe('8')
  await run(tab)
  await expect.poll(async () => Number(await tab.value('slider', 'Time'))).toBeGreaterThan(0)
  // Stepping pauses the playback. On a slow machine it may have ended, so this steps back and then forward.
  await tab.press('button', 'Previous decision')
  await tab.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
  const before = Number(await tab.value('slider', 'Time'))
  await tab.press('button', 'Next decision')
  await expect.poll(async () => Number(await tab.value('slider', 'Time'))).toBeGreaterThan(before)
  expect(await tab.text('status')).toMatch(/^Finished: 200 of 200 jobs in 2\.78 s/)
  expect(await tab.text('article', 'Decision')).toMatch(/^Decision [\d,]+\s+at \d\.\d{3} s/)
  expect(await tab.text('alert')).toBeNull()
})

test('the worked example is read decision by decision, and another policy decides differently', async ({ tab }) => {
  await visit(tab, jsonLink(workedExample, '&t=0'))
  await answered(tab, /^3(\.0+)? s$/)
  for (const [number, at] of [
    [1, '0.000 s'],
    [2, '1.000 s'],
    [3, '2.000 s'],
  ]) {
    await expect.poll(() => tab.text('article', 'Decision')).toMatch(new RegExp(`^Decision ${number}\\s+at ${at}`))
    await tab.press('button', 'Next decision')
  }
  await tab.select('Policy', 'sinkFirst')
  await run(tab, /^Finished: 3 of 3 jobs/)
})

test('a link opens, Share makes an equal link of it, and an incomplete link is reported without losing the canvas', async ({
  tab,
}) => {
  await visit(tab, links[0].link)
  const stages = links[0].scenario.stages.map(({ name }) => name)
  await expect.poll(() => stagesOf(tab)).toEqual(stages)
  await tab.fill('spinbutton', WORKERS, '5')
  await tab.press('button', 'Share')
  const link = await tab.value('textbox', /^Link \d+ characters/)
  expect(link).toMatch(/#s=1[\w-]+$/)
  await visit(tab, link)
  await expect.poll(() => tab.value('spinbutton', WORKERS)).toBe('5')
  await expect.poll(() => stagesOf(tab)).toEqual(stages)

  await tab.evaluate(`void (location.hash = ${JSON.stringify(new URL(link).hash.slice(0, -5))})`)
  await expect.poll(() => tab.text('alert')).toMatch(/incomplete or damaged/)
  await expect.poll(() => tab.value('spinbutton', WORKERS)).toBe('5')
  await expect.poll(() => stagesOf(tab)).toEqual(stages)
})

test('old links are read as in Node, and written again character for character', async ({ tab }) => {
  await visit(tab)
  expect(await same(tab, 'readLinks()')).toEqual(JSON.parse(JSON.stringify(readLinks())))
})

test('the simulation gives exactly the same runs as in Node', async ({ tab }) => {
  await visit(tab)
  expect(await same(tab, 'playedDigests()')).toEqual(golden('digests.json'))
  expect(await same(tab, 'laterDigests()')).toEqual(golden('later-digests.json'))
})

test('own code decides as in Node, with sines, powers, sorting and random numbers of its sandbox', async ({ tab }) => {
  const scenario = { ...lively, policy: { kind: 'code', name: 'Mathematics', source: mathematics } }
  const parsed = scenarioWith(scenario)
  const here = await playCode(parsed)
  expect(here.decisions.length).toBeGreaterThan(400)
  const { events, decisions } = JSON.parse([...writeTraceJson(here)].join('')) as TraceFile & {
    readonly decisions: unknown
  }
  await visit(tab, jsonLink(scenario))
  await run(tab, /^Finished: 200 of 200 jobs/)
  expect(await downloadTrace(tab)).toMatchObject({ events, decisions, failures: [] })
})

test('250 games of the hostile world are the same as in Node, row by row', async ({ tab }) => {
  await visit(tab)
  expect(await same(tab, 'playSeeds(0, 250)')).toEqual(await playSeeds(0, 250))
})

test('a run on Web Workers ends with every job out in order', async ({ tab }) => {
  await visit(tab, jsonLink(lively))
  await answered(tab)
  const threadCount = await tab.workers()
  await tab.press('radio', 'Web Workers')
  await run(tab, /^Finished: 200 of 200 jobs in [\d.]+ m?s\./)
  await expect.poll(() => tab.workers(), LONG).toBe(threadCount)
  const trace = await downloadTrace(tab)
  expect(trace).toMatchObject({ engine: 'threads', failures: [] })
  const out = trace.events.job.filter((_, i) => trace.kinds[trace.events.kind[i]] === 'released')
  expect(out).toEqual(Array.from({ length: 200 }, (_, job) => job))
})

test('a worker that crashes is reported, and the others finish the run', async ({ tab }) => {
  await visit(
    tab,
    jsonLink({
      ...lively,
      source: { kind: 'batch', jobs: 40 },
      workerEvents: [{ at: 60_000, kind: 'crash', worker: 1 }],
    }),
  )
  await tab.press('radio', 'Web Workers')
  await run(tab, /^Finished: 40 of 40 jobs in .*, 1 worker lost \(worker 2 crashed\)\./)
})

test('a conductor that never answers is started again after half a minute, and after another the run fails', async ({
  tab,
}) => {
  await visit(tab, jsonLink(lively))
  await tab.press('radio', 'Web Workers')
  await tab.evaluate(`(${muteConductors})()`)
  await tab.press('button', 'Run')
  await expect.poll(() => tab.evaluate<number>('window.mute'), LONG).toBe(1)
  await tab.evaluate(`(${hasten})()`)
  await expect.poll(() => tab.evaluate<number>('window.mute'), LONG).toBe(2)
  await expect.poll(() => tab.text('status'), LONG).toMatch(/^Failed: /)
  expect(await tab.evaluate<number>('window.mute')).toBe(2)
})

test('Stop ends a run even when every worker is stuck, and leaves no worker behind', { tag: '@alone' }, async ({
  tab,
}) => {
  // A page that waited for an answer would wait until a job ends, after ten minutes.
  const workerEvents = [0, 1].map((worker) => ({ at: 100_000, kind: 'hang', worker }))
  const stages = lively.stages.map((stage) => ({
    ...stage,
    work: 'burn',
    service: { kind: 'constant', mean: 600_000_000 },
  }))
  await visit(tab, jsonLink({ ...lively, workers: 2, stages, workerEvents }))
  await answered(tab)
  const threadCount = await tab.workers()
  await tab.press('radio', 'Web Workers')
  await tab.press('button', 'Run')
  await expect.poll(() => tab.workers(), LONG).toBe(threadCount + 3)
  await tab.press('button', 'Stop')
  await expect.poll(() => tab.text('status'), LONG).toMatch(/^Stopped/)
  await expect.poll(() => tab.workers(), LONG).toBe(threadCount)
})

test('a run is saved as a video', async ({ tab }) => {
  await visit(tab, jsonLink(workedExample))
  await run(tab, /^Finished: 3 of 3 jobs/)
  // If the window is too narrow for the menu Export, its items are in More.
  await tab.press('button', 'More')
  await tab.press('menuitem', 'Save as video')
  await tab.fill('spinbutton', /^Length in seconds( \d+)?$/, '4')
  await tab.select('Size', '0')
  // As text: a list of this many numbers is too large for a driver's answer.
  const hex = `arrayBuffer().then((buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join(''))`
  const film = Buffer.from(await saved(tab, hex, () => tab.press('button', 'Make the video')), 'hex')
  await expect.poll(() => tab.evaluate('document.querySelector("dialog").innerText'), LONG).toMatch(/^Saved: /m)
  // An EBML header, and a cluster for each of the two key frames.
  expect([...film.subarray(0, 4)]).toEqual([0x1a, 0x45, 0xdf, 0xa3])
  expect(film.toString('latin1').split('\x1f\x43\xb6\x75')).toHaveLength(3)
})

/** Functions that browser engines may compute differently, in every seat. */
const mathematics = `const weights = new Map()
export default function allocate({ workers, stages, memory, random, time }) {
  const claims = stages.map(({ id, waiting, mean, done }, s) => {
    const old = weights.get(id) ?? 1
    const claim = Math.exp(Math.sin(time / 1e4 + s)) * Math.pow(waiting + 0.3, 1.7) + Math.log(mean + 1) * random() + Math.tan(old)
    weights.set(id, Math.cbrt(Math.abs(claim)) + Math.cosh(1 / (1 + mean)))
    return { s, claim: done ? -Infinity : claim }
  })
  memory.text = JSON.stringify(claims)
  const order = JSON.parse(memory.text).sort((a, b) => b.claim - a.claim)
  const seats = stages.map(() => 0)
  for (let n = 0; n < workers; n++) seats[order[n % Math.min(2, order.length)].s]++
  return seats
}
`

/** Sleeping workers, so that the number of cores matters little. */
const lively = {
  version: 1,
  title: 'Lively',
  seed: 5,
  source: { kind: 'poisson', rate: 400, jobs: 200 },
  stages: ['Read', 'Think', 'Write'].map((name, k) => ({
    id: 'ABC'[k],
    name,
    work: 'wait',
    service: { kind: 'exponential', mean: 2000 + 2000 * k },
  })),
  order: { kind: 'buffer', slots: 64 },
  workers: 4,
}

/** From now on conductor threads neither receive nor send. The page counts them in `window.mute`. */
function muteConductors(): void {
  const counted = window as unknown as { mute: number; Worker: unknown }
  const Real = window.Worker
  counted.mute = 0
  counted.Worker = function Made(address: string | URL, options?: WorkerOptions): unknown {
    if (!String(address).includes('conductor')) return new Real(address, options)
    counted.mute++
    return Object.assign(new EventTarget(), { postMessage() {}, terminate() {} })
  }
}

/** From now on the page's clock runs twenty times as fast. */
function hasten(): void {
  const now = performance.now.bind(performance)
  const since = now()
  performance.now = () => since + 20 * (now() - since)
}
