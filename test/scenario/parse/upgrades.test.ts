import { describe, expect, test } from 'vitest'
import { readFragment, toShortFragment } from '../../../src/scenario/link/codec.ts'
import { plainOpening } from '../../../src/scenario/link/opening.ts'
import { SCENARIO_VERSION } from '../../../src/scenario/model/scenario.ts'
import { type Upgrade, upgrade, upgrades } from '../../../src/scenario/parse/checked.ts'
import { goneIn } from '../../../src/scenario/parse/gone.ts'
import { valid } from '../../fixtures/anyScenario.ts'
import links from '../../fixtures/links/v1.json' with { type: 'json' }

// The scenarios are complete here, so that a changed default, which would change the meaning of old links, is noticed; newer
// keys have the current default here.
describe('a link of version 1 is read for ever', () => {
  test.each(links)('$about', ({ link, scenario }) => {
    expect(readFragment(link)).toEqual({
      found: 'scenario',
      scenario: valid(scenario),
      opening: plainOpening,
      problems: [],
    })
  })
})

describe('a short link', () => {
  test.each(links.filter(({ link, scenario }) => link.startsWith('#s=') && goneIn(valid(scenario)).length === 0))(
    'is the same, character for character, wherever it is made: $about',
    ({ link, scenario }) => {
      expect(toShortFragment(valid(scenario))).toBe(link)
    },
  )
})

describe('upgrades', () => {
  const steps: readonly Upgrade[] = [
    ({ workers, ...rest }) => ({ ...rest, hands: workers }),
    (scenario) => ({ ...scenario, steps: 2 }),
  ]

  test('lead one version at a time to the newest', () => {
    expect(upgrade({ version: 1, workers: 4 }, steps, 3)).toEqual({ scenario: { version: 3, hands: 4, steps: 2 } })
    expect(upgrade({ version: 2, hands: 5 }, steps, 3)).toEqual({ scenario: { version: 3, hands: 5, steps: 2 } })
    expect(upgrade({ version: 3, hands: 6 }, steps, 3)).toEqual({ scenario: { version: 3, hands: 6 } })
  })

  test('refuse newer versions, and values that are no version', () => {
    expect(upgrade({ version: 4 }, steps, 3)).toMatchObject({
      problem: { path: 'version', message: expect.stringContaining('newer version') },
    })
    for (const version of [undefined, null, '1', 0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(upgrade({ version }, steps, 3)).toMatchObject({
        problem: { path: 'version', message: expect.stringContaining('allowed: 1 to 3') },
      })
    expect(upgrade(Object.create({ version: 1 }), steps, 3)).toHaveProperty('problem')
  })

  test('are one fewer than there are versions', () => {
    expect(upgrades).toHaveLength(SCENARIO_VERSION - 1)
  })
})
