import { expect, test } from 'vitest'
import { type AwayBatch, readReply, type StageReply } from '../../../src/features/stageCode/threads/readReply.ts'
import { serveStageCode } from '../../../src/features/stageCode/threads/stageSandbox.ts'
import { wireOf, wireValue } from '../../../src/features/stageCode/threads/wire.ts'

/** A thread in which QuickJS runs this code at stage 0, and a function that gives it one batch of values. */
async function opened(code: string) {
  const { port1, port2 } = new MessageChannel()
  const heard: unknown[] = []
  let wake = () => {}
  port1.onmessage = ({ data }) => {
    heard.push(data)
    wake()
  }
  const next = async () => {
    while (heard.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    return heard.shift()
  }
  await serveStageCode({ port: port2, codes: [[0, code]], seed: 5 })
  expect(await next()).toBe('{"ready":true}')
  let number = 0
  return {
    async ask(...values: readonly unknown[]): Promise<StageReply> {
      const wires = values.map((value) => wireOf(value instanceof Uint8Array ? value : { record: value as never }))
      const jobs = values.map((_, job) => job)
      const head = {
        number: ++number,
        stage: 0,
        jobs,
        worker: 1,
        tries: jobs.map(() => 1),
        bases: [] as number[],
        costs: jobs.map(() => 0),
        failing: jobs.map(() => 0),
      }
      const all: number[] = []
      for (const { bytes } of wires) {
        head.bases.push(bytes === null ? -1 : all.length)
        all.push(...(bytes ?? []))
      }
      const asked = new Map<number, AwayBatch>([[number, { jobs, sent: 0 }]])
      const message: unknown[] = [JSON.stringify(head), ...wires.map(({ text }) => text)]
      port1.postMessage(all.length === 0 ? message : [...message, new Uint8Array(all).buffer])
      const reply = readReply(await next(), asked, Number.MAX_SAFE_INTEGER)
      if (typeof reply === 'string' || !('values' in reply)) throw new Error(JSON.stringify(reply))
      return reply
    },
    close: () => port1.close(),
  }
}

test('code in QuickJS keeps its state, waits, throws at a line, and gets and returns typed arrays', async () => {
  const thread = await opened(
    'export const setUp = () => ({ seen: 0 })\nexport default async (value, { state, sleep, job }) => {\n  if (value === 3) throw new RangeError("no")\n  await sleep(2)\n  state.seen++\n  return { twice: new Float64Array([2 * (value[0] ?? value)]), job, seen: state.seen }\n}',
  )
  const reply = await thread.ask(1, 3, new Uint8Array([7]))
  expect(reply.values.map(wireValue)).toEqual([
    { twice: new Float64Array([2]), job: 0, seen: 1 },
    { twice: new Float64Array([14]), job: 2, seen: 2 },
  ])
  expect(reply.thrown).toEqual([{ place: 1, reason: 'line 3: RangeError: no' }])
  thread.close()
})

test.each([
  ['fetch("http://localhost")', "ReferenceError: 'fetch' is not defined"],
  ['import("http://localhost/a.js")', 'TypeError: a stage imports nothing'],
  ['performance.now()', "ReferenceError: 'performance' is not defined"],
  ['setTimeout(() => {})', "ReferenceError: 'setTimeout' is not defined"],
  ['(() => { const f = () => f() + 1; return f() })()', 'InternalError: stack overflow'],
])('in QuickJS %s fails: %s', async (text, reason) => {
  const thread = await opened(`export default async () => (${text.startsWith('import') ? 'await ' : ''}${text}, 1)`)
  expect((await thread.ask(1)).thrown).toEqual([{ place: 0, reason: `line 1: ${reason}` }])
  // It goes on.
  expect((await thread.ask(1)).thrown).toHaveLength(1)
  thread.close()
})

test('code with an error of syntax fails at its line', async () => {
  const thread = await opened('const one = 1\nexport default = one')
  expect((await thread.ask(1)).thrown[0].reason).toMatch(/^line 2: SyntaxError/)
  thread.close()
})
