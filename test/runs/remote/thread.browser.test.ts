import { expect, test } from 'vitest'
import { openThread } from '../../../src/runs/remote/thread.ts'

const broken = (script: string) => new Worker(URL.createObjectURL(new Blob([script])))

test.each([
  ['throws when it is loaded', 'throw new Error("no such luck")', 'no such luck'],
  ['is no script at all', 'this is none', 'SyntaxError'],
])('a thread that %s is reported in words, and no call to it is left hanging', async (_, script, words) => {
  let reason = ''
  const thread = openThread<{ greet(): string }>(broken(script), (why) => {
    reason = why
  })
  const answer = await thread.calls.ask(Infinity, () => thread.remote.greet())
  expect(answer.kind).toBe('gone')
  expect(reason).toContain('a thread of the page broke')
  expect(reason).toContain(words)
})

test('a thread that ends by itself is noticed, and its pending calls settle', async () => {
  const reasons: string[] = []
  const mortal = new Worker(new URL('../mortal.worker.ts', import.meta.url), { type: 'module' })
  const thread = openThread<{ die(): void; live(lock: string, within: number): boolean }>(mortal, (why) =>
    reasons.push(why),
  )
  await thread.calls.ask(Infinity, () => thread.remote.live('another', 10_000))
  expect((await thread.calls.ask(Infinity, () => thread.remote.die())).kind).toBe('gone')
  expect(reasons).toEqual(['a thread of the page has ended'])
})

test('a thread that never starts is given up, and one that we ended is not reported', async () => {
  const reasons: string[] = []
  const mute = () => new Worker(URL.createObjectURL(new Blob(['onmessage = () => {}'])))
  const thread = openThread<{ greet(): string }>(mute(), (why) => reasons.push(why), 500_000)
  openThread(mute(), (why) => reasons.push(why), 500_000).end('not wanted')
  expect((await thread.calls.ask(Infinity, () => thread.remote.greet())).kind).toBe('gone')
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(reasons).toEqual(['a thread of the page does not answer'])
})
