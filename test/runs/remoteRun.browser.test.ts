import { expect, test } from 'vitest'
import { openThread } from '../../src/runs/thread.ts'

const broken = (script: string) => new Worker(URL.createObjectURL(new Blob([script])))

test.each([
  ['throws when it is loaded', 'throw new Error("no such luck")', 'no such luck'],
  ['is no script at all', 'this is none', 'SyntaxError'],
])('a thread that %s is reported in words, and no call to it is left hanging', async (_, script, words) => {
  let reason = ''
  const thread = openThread<{ greet(): string }>(broken(script), (why) => {
    reason = why
  })
  const answer = await thread.line.ask(Infinity, () => thread.remote.greet())
  expect(answer.kind).toBe('gone')
  expect(reason).toContain('a thread of the page broke')
  expect(reason).toContain(words)
})
