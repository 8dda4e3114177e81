import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { kernelFunctions } from '../../../src/engine/work/kernels.ts'
import { sha256Hex } from '../../../src/engine/work/textLines.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** A page on plain http has `crypto` without `subtle`. */
const plainHttp = () => vi.stubGlobal('crypto', {})

const bytes = fc.uint8Array({ maxLength: 300 }) as fc.Arbitrary<Uint8Array<ArrayBuffer>>

test('the checksum is the same with the browser’s own SHA-256, without it, and in Node', async () => {
  await fc.assert(
    fc.asyncProperty(bytes, fc.nat(80), async (whole, from) => {
      const part = whole.subarray(Math.min(from, whole.length))
      const right = createHash('sha256').update(part).digest('hex')
      vi.unstubAllGlobals()
      expect(await sha256Hex(part)).toBe(right)
      expect(await sha256Hex(part.slice().buffer)).toBe(right)
      plainHttp()
      expect(await sha256Hex(part)).toBe(right)
      expect(await sha256Hex(part.slice().buffer)).toBe(right)
    }),
  )
})

test('a phone on plain http does the work of the kernel sha256', async () => {
  const own = await kernelFunctions.sha256({ record: { a: 1 } })
  plainHttp()
  expect(await kernelFunctions.sha256({ record: { a: 1 } })).toEqual(own)
  vi.stubGlobal('crypto', undefined)
  expect(await kernelFunctions.sha256({ record: { a: 1 } })).toEqual(own)
})
