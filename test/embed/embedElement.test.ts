import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

const defined = new Map<string, unknown>()

beforeEach(() => {
  vi.resetModules()
  defined.clear()
  vi.stubGlobal('HTMLElement', class {})
  vi.stubGlobal('document', { baseURI: 'https://blog.example/posts/first' })
  vi.stubGlobal('customElements', {
    get: (name: string) => defined.get(name),
    define(name: string, element: unknown) {
      if (defined.has(name)) throw new Error(`${name} is defined`)
      defined.set(name, element)
    },
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const entry = () => import('../../src/embedElement.ts')

describe('the element of the package', { timeout: 60_000 }, () => {
  test('is defined when it is asked for and not before, and once', async () => {
    const { ApportionEmbed, defineEmbed } = await entry()
    expect(defined.size).toBe(0)
    defineEmbed('/apportion/page/')
    defineEmbed('/elsewhere/')
    expect([...defined]).toEqual([['apportion-embed', ApportionEmbed]])
    expect(ApportionEmbed.home).toBe('https://blog.example/elsewhere/')
  })

  test.each([
    ['https://cdn.example/page', 'https://cdn.example/page/'],
    ['https://cdn.example/page/', 'https://cdn.example/page/'],
    ['page', 'https://blog.example/posts/page/'],
    ['/page/', 'https://blog.example/page/'],
    [new URL('https://cdn.example/page'), 'https://cdn.example/page/'],
  ])('finds its page in the folder %s', async (home, address) => {
    const { ApportionEmbed, defineEmbed } = await entry()
    defineEmbed(home)
    expect(ApportionEmbed.home).toBe(address)
  })
})

test('its module can be loaded on a server, where there are no elements', async () => {
  vi.stubGlobal('HTMLElement', undefined)
  const { ApportionEmbed } = await entry()
  expect(ApportionEmbed.observedAttributes).toContain('scenario')
})
