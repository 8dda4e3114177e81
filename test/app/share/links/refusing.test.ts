import { deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openScenario } from '../../../../src/app/session/run/opening.ts'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { dismissProblems } from '../../../../src/app/session/scenario/scenarioStore.ts'
import type { Session } from '../../../../src/app/session/session.ts'
import { checksum } from '../../../../src/scenario/link/codec.ts'
import { jsonLink, workedExample } from '../../../fixtures/scenarios.ts'
import { canvasOf, eachInMadeUpTime, later, messagesOf, openPage, scenarioOf, stagesOf } from '../../pages.ts'

const bomb = deflateRawSync(Buffer.alloc(40_000_000)).toString('base64url')

const bad: Readonly<Record<string, { readonly fragment: string; readonly says: RegExp }>> = {
  'a short link that was cut': { fragment: '#s=1abcdeK0zS', says: /incomplete or damaged/ },
  'an address that ends in a word': { fragment: '#hello', says: /begins with "#hello".*Copy the whole link/ },
  'a short link of a newer version': { fragment: `#s=9${checksum('9K0zS')}K0zS`, says: /newer version/ },
  'a short link that inflates without end': {
    fragment: `#s=1${checksum(`1${bomb}`)}${bomb}`,
    says: /too long: more than/,
  },
  'a scenario of a newer version': {
    fragment: jsonLink({ ...workedExample, version: 2 }),
    says: /version.*newer version/,
  },
  'a text that is not JSON': { fragment: jsonLink('{"version": 1, "stages": ['), says: /not JSON/ },
  'a broken percent sign': { fragment: '#json=%7B%2', says: /URI-encoded/ },
  'the key __proto__': { fragment: jsonLink('{"version":1,"__proto__":{"workers":2},"stages":[]}'), says: /__proto__/ },
  'more than a million characters': {
    fragment: `#json=${'x'.repeat(1_100_000)}`,
    says: /more than 1,000,000 characters/,
  },
}

/** The parts of the page that a refused link must not change. */
function screenOf(session: Session) {
  const { draft, whole, past } = canvasOf(session)
  const { engine, phase, status } = runStore(session).getState()
  return { draft, whole, past, engine, phase, status: status() }
}

eachInMadeUpTime()

describe('a bad link is refused with a reason, at its place', () => {
  test.each(Object.entries(bad))('%s: the work on the screen stays', async (_, { fragment, says }) => {
    const { session, address } = openPage()
    openScenario(session, scenarioOf('bursts'))
    await later()
    const before = screenOf(session)
    address.follow(fragment)
    await later()
    expect(messagesOf(session)).toMatch(says)
    expect(screenOf(session)).toEqual(before)
    dismissProblems(session)
    expect(messagesOf(session)).toBe('')
    expect(Object.hasOwn(Object.prototype, 'workers')).toBe(false)
  })

  test('on a first visit it leaves the preset beside the message', async () => {
    const { session } = openPage('#s=1abcdeK0zS')
    const first = stagesOf(openPage().session)
    await later()
    expect(messagesOf(session)).toMatch(/incomplete or damaged/)
    expect(stagesOf(session)).toEqual(first)
    expect(first).toHaveLength(4)
  })
})
