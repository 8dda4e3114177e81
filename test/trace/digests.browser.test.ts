import { expect, test } from 'vitest'
import golden from '../golden/digests.json'
import later from '../golden/later-digests.json'
import { laterDigests, playedDigests } from './digestList.ts'

test('a browser plays the same runs as Node, digit for digit', async () => {
  expect(await playedDigests()).toEqual(golden)
  expect(await laterDigests()).toEqual(later)
})
