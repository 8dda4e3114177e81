import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createLogLines } from '../../../src/engine/work/textLines.ts'

const lines = (seed: number, count: number) => Array.from({ length: count }, (_, k) => createLogLines(seed)(k))

test('the lines of a log are the same everywhere: here are the first one and the checksums of five hundred', () => {
  expect(lines(7, 1)[0]).toBe(
    '{"time":"2026-11-14T00:00:00.226Z","request":"73ad6a00000000","service":"images","method":"HEAD","path":"/lanterns/5200","status":304,"bytes":0,"micros":27812,"client":"10.27.179.234","agent":"Chrome/156.0"}',
  )
  expect([7, 8].map((seed) => createHash('sha256').update(lines(seed, 500).join('\n')).digest('hex'))).toEqual([
    '662a34b0d7dab71d933eb87894a481935a606cba3bb63c4cb01477571568a50b',
    '063284477d396d0175a49ed0582b2360e4f382ea4d7f077d8740a4c8e0a5cbaf',
  ])
})
