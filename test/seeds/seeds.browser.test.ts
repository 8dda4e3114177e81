import { expect, test } from 'vitest'
import golden from '../golden/seeds.json'
import { playSeeds } from './many.ts'

test('a browser plays 3,000 games of the hostile world as Node does, row by row', async () => {
  expect(await playSeeds(0, 3000)).toEqual(golden)
}, 300_000)
