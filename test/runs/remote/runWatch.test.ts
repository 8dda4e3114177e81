import { expect, test } from 'vitest'
import { createRunWatch, SILENCE_LIMIT } from '../../../src/runs/remote/runWatch.ts'

/** Advances this many seconds in ticks of a fifth of a second. Returns the last state that the watch found. */
const pass = (watch: ReturnType<typeof createRunWatch>, seconds: number) => {
  let found = watch.tick(0)
  for (let tick = 0; tick < seconds * 5; tick++) found = watch.tick(200_000)
  return found
}
const watchOf = (mustBegin: boolean) => createRunWatch(mustBegin, SILENCE_LIMIT)

test('a thread that never answers is dead after half a minute, and not before', () => {
  for (const mustBegin of [true, false]) {
    const watch = watchOf(mustBegin)
    expect(pass(watch, 30)).toBe('ok')
    expect(watch.tick(1)).toBe('dead')
  }
})

test('a conductor that answers and begins no run is dead too; a simulation may compute for longer', () => {
  const conductor = watchOf(true)
  const simulation = watchOf(false)
  for (const watch of [conductor, simulation]) {
    pass(watch, 20)
    watch.answered()
    pass(watch, 11)
  }
  expect([conductor.tick(0), simulation.tick(0)]).toEqual(['dead', 'ok'])
  expect(pass(simulation, 20)).toBe('silent')
  simulation.signOfLife(true)
  expect(simulation.tick(0)).toBe('ok')
})

test('each worker that answers adds half a minute for the others', () => {
  const watch = watchOf(true)
  for (let worker = 0; worker < 10; worker++) {
    expect(pass(watch, 29)).toBe('ok')
    watch.signOfLife(false)
  }
  expect(pass(watch, 31)).toBe('dead')
})

test('a run that has begun is never dead: without a sign it is silent until the next one', () => {
  const watch = watchOf(true)
  watch.signOfLife(true)
  expect(pass(watch, 30)).toBe('ok')
  expect(pass(watch, 100)).toBe('silent')
  watch.answered()
  expect(watch.tick(0)).toBe('ok')
})

test('a thread is asked at once, later only when it has been quiet for a while, and once until it answers', () => {
  const watch = watchOf(true)
  const asked = (seconds: number) => {
    let times = 0
    for (let tick = 0; tick < seconds * 5; tick++) {
      watch.tick(200_000)
      if (watch.asks()) times++
    }
    return times
  }
  expect([watch.asks(), watch.asks(), asked(4)]).toEqual([true, false, 0])
  watch.answered()
  watch.signOfLife(true)
  expect(asked(4)).toBe(0)
  watch.signOfLife(true)
  expect(asked(4)).toBe(0)
  expect(asked(60)).toBe(1)
  watch.answered()
  expect(asked(6)).toBe(1)
})
