import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  keepAwake,
  keepName,
  newDeviceId,
  storedName,
  threadChoice,
} from '../../../../src/features/room/join/ownDevice.ts'
import { madeUpStorage } from '../../../fixtures/madeUpStorage.ts'

afterEach(() => void vi.unstubAllGlobals())

test('a laptop lends all cores but one, a phone one thread, and each lends at least one', () => {
  expect(threadChoice(8, false)).toEqual({ most: 7, usual: 7 })
  expect(threadChoice(8, true)).toEqual({ most: 7, usual: 1 })
  expect(threadChoice(3.9, false)).toEqual({ most: 2, usual: 2 })
  for (const cores of [0, 1, 2, Number.NaN]) expect(threadChoice(cores, false)).toEqual({ most: 1, usual: 1 })
})

test('the name of a device fits into a topic and is new each time', () => {
  const names = Array.from({ length: 200 }, newDeviceId)
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9]{16}$/)
  expect(new Set(names).size).toBe(names.length)
  // Letters that look like others are not used.
  expect(names.join('')).not.toMatch(/[IOl01]/)
})

test('the name of a person is kept for the next visit, at most 40 characters of it, and no longer once it is empty', () => {
  madeUpStorage()
  expect(storedName()).toBe('')
  keepName('Ada')
  expect([storedName(), localStorage.getItem('apportion.device'), sessionStorage.getItem('apportion.device')]).toEqual([
    'Ada',
    'Ada',
    null,
  ])
  keepName('x'.repeat(41))
  expect(storedName()).toBe('x'.repeat(40))
  keepName('')
  expect([storedName(), localStorage.getItem('apportion.device')]).toEqual(['', null])
})

describe('the screen of a device', () => {
  /** A page of which the test says whether it is visible, and a browser of which it says what it grants. */
  function page({ visible = true, offers = true } = {}) {
    const listeners = new Set<() => void>()
    const requests: { grant(): void; refuse(): void }[] = []
    let released = 0
    const document = {
      visibilityState: visible ? 'visible' : 'hidden',
      addEventListener: (event: string, call: () => void) => event === 'visibilitychange' && listeners.add(call),
      removeEventListener: (event: string, call: () => void) => event === 'visibilitychange' && listeners.delete(call),
    }
    const request = (kind: string) =>
      new Promise((resolve, reject) => {
        expect(kind).toBe('screen')
        requests.push({
          grant: () => resolve({ release: async () => void released++ }),
          refuse: () => reject(new Error('low battery')),
        })
      })
    vi.stubGlobal('document', document)
    vi.stubGlobal('navigator', offers ? { wakeLock: { request } } : {})
    const results: string[] = []
    const end = keepAwake((awake) => results.push(awake))
    const settle = async (what: 'grant' | 'refuse') => {
      requests.at(-1)?.[what]()
      for (let k = 0; k < 5; k++) await null
    }
    const show = (state: 'visible' | 'hidden') => {
      document.visibilityState = state
      for (const call of listeners) call()
    }
    return { results, requests, end, settle, show, listeners, released: () => released }
  }

  test('stays awake while the page is visible, and is asked for again each time it becomes visible', async () => {
    const { results, requests, settle, show } = page()
    expect(requests).toHaveLength(1)
    await settle('grant')
    expect(results).toEqual(['kept'])
    show('hidden')
    expect(requests).toHaveLength(1)
    show('visible')
    expect(requests).toHaveLength(2)
    await settle('refuse')
    expect(results).toEqual(['kept', 'refused'])
    show('visible')
    await settle('grant')
    expect(results).toEqual(['kept', 'refused', 'kept'])
  })

  test('may sleep again in the end: what was granted is given back, and nothing more is asked', async () => {
    const { end, settle, show, requests, listeners, released } = page()
    await settle('grant')
    expect(released()).toBe(0)
    end()
    expect([released(), listeners.size]).toEqual([1, 0])
    show('visible')
    expect(requests).toHaveLength(1)
  })

  test('of a browser that does not offer it is reported as missing, and the end changes nothing', () => {
    const { results, end, listeners } = page({ offers: false })
    expect([results, listeners.size]).toEqual([['missing'], 0])
    expect(() => end()).not.toThrow()
  })
})
