import { expect, test } from 'vitest'

test('tests in the browser are cross-origin isolated, as the page is on a host that sends the headers', () => {
  expect(crossOriginIsolated).toBe(true)
  expect(new SharedArrayBuffer(8).byteLength).toBe(8)
})
