import { describe, expect, test } from 'vitest'
import { readFragment, toShortFragment } from '../../../src/scenario/link/codec.ts'
import { plainOpening } from '../../../src/scenario/link/opening.ts'
import { goneIn } from '../../../src/scenario/parse/gone.ts'
import { valid } from '../../fixtures/anyScenario.ts'
import links from '../../fixtures/links/v1.json' with { type: 'json' }

describe('in a browser', () => {
  test('the links of version 1 are read as in Node, and made character for character', () => {
    for (const { link, scenario } of links) {
      expect(readFragment(link)).toEqual({
        found: 'scenario',
        scenario: valid(scenario),
        opening: plainOpening,
        problems: [],
      })
      if (link.startsWith('#s=') && goneIn(valid(scenario)).length === 0)
        expect(toShortFragment(valid(scenario))).toBe(link)
    }
  })
})
