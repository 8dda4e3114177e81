import { describe, expect, test } from 'vitest'
import type { WorkerThread } from '../../../src/engine/conductor/environment.ts'
import { createPool } from '../../../src/engine/conductor/pool.ts'

const SECOND = 1_000_000

/** Hires workers whose threads start after this many seconds each, never for Infinity; returns their events, with times. */
async function starts(...seconds: number[]): Promise<string[]> {
  let time = 0
  let tick = () => {}
  const log: string[] = []
  const tell = (what: string) => (worker: number) => void log.push(`${Math.round(time / SECOND)} s: ${worker} ${what}`)
  const begins = seconds.map(() => (_: boolean) => {})
  const pool = createPool(
    { ready: tell('ready'), lost: tell('lost'), reported: () => {}, errorOutsideWork: tell('troubled') },
    {
      now: () => time,
      after: () => () => {},
      every: (_, call) => {
        tick = call
        return () => {}
      },
      cores: 2,
      start: (worker): WorkerThread => ({
        hello: () =>
          new Promise((resolve) => {
            begins[worker] = resolve
          }),
        clock: async () => time,
        hangAt: async () => {},
        port: new MessageChannel().port1,
        onEnd: () => {},
        end: () => {},
      }),
    },
  )
  for (const worker of seconds.keys()) pool.hire(worker)
  while (time < 60 * SECOND) {
    time += SECOND / 10
    seconds.forEach(
      (second, worker) => void (Math.round(second * 10) === Math.round((10 * time) / SECOND) && begins[worker](false)),
    )
    // Promises settle before the next tick.
    for (let k = 0; k < 10; k++) await null
    tick()
    for (let k = 0; k < 10; k++) await null
  }
  pool.end()
  return log
}

describe('a worker that has not started is given up', () => {
  test('three seconds after the last start of another worker', async () => {
    expect(await starts(0.1, 2, Infinity)).toEqual(['0 s: 0 ready', '2 s: 1 ready', '5 s: 2 lost'])
  })

  test('while no worker has started, not before half a minute: their script may load slowly', async () => {
    expect(await starts(20, 22, 26)).toEqual(['20 s: 0 ready', '22 s: 1 ready', '25 s: 2 lost'])
    expect(await starts(Infinity, Infinity)).toEqual(['30 s: 0 lost', '30 s: 1 lost'])
  })
})
