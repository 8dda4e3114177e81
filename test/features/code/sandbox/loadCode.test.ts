import { afterEach, expect, test, vi } from 'vitest'
import { loadCode, loadSharedCode, problemOfCode } from '../../../../src/features/code/sandbox/loadCode.ts'

afterEach(() => vi.restoreAllMocks())

test.each([
  ['loading the sandbox', loadCode],
  ['loading a shared sandbox', () => loadSharedCode()()],
  ['reading code', () => problemOfCode('export default () => [1]')],
])('%s where the browser gives no memory is an Error that says so', async (_, load) => {
  const refuses = (error: unknown) =>
    vi.spyOn(WebAssembly, 'Memory').mockImplementation(function Memory() {
      throw error
    })
  refuses(new RangeError('could not allocate memory'))
  await expect(load()).rejects.toThrow(
    /^the sandbox for the code of a policy could not be started: could not allocate memory$/,
  )
  refuses('no')
  await expect(load()).rejects.toThrow(/^the sandbox for the code of a policy could not be started: $/)
})

test('a shared sandbox is opened once, and others each have their own', async () => {
  const opened = vi.spyOn(WebAssembly, 'Memory')
  const shared = loadSharedCode()
  const [first, again] = await Promise.all([shared(), shared()])
  expect([first === again, await shared()]).toEqual([true, first])
  expect(opened).toHaveBeenCalledTimes(1)
  expect(await loadSharedCode()()).not.toBe(first)
  expect(opened).toHaveBeenCalledTimes(2)
})
