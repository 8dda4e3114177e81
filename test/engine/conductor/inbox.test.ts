import { describe, expect, test } from 'vitest'
import { createAlarm, createInstantTrigger } from '../../../src/engine/conductor/inbox.ts'

describe('the bell', () => {
  test('calls once for all events before the message is handled, and again for later ones', async () => {
    let instants = 0
    const bell = createInstantTrigger(() => void instants++)
    bell.ring()
    bell.ring()
    expect(instants).toBe(0)
    await null
    expect(instants).toBe(1)
    bell.ring()
    await null
    expect(instants).toBe(2)
    bell.ring()
    bell.silence()
    await null
    expect(instants).toBe(2)
  })
})

describe('the alarm', () => {
  /** An alarm whose timers are a list: how long they wait, and whether they still do. */
  function alarmOf() {
    const timers: { readonly milliseconds: number; open: boolean; fire(): void }[] = []
    let woken = 0
    const alarm = createAlarm(
      () => void woken++,
      (milliseconds, call) => {
        const timer = { milliseconds, open: true, fire: call }
        timers.push(timer)
        return () => {
          timer.open = false
        }
      },
    )
    return {
      alarm,
      timers,
      open: () => timers.filter((timer) => timer.open).map(({ milliseconds }) => milliseconds),
      woken: () => woken,
    }
  }

  test('is set in milliseconds from now, fires at once if it is due, and reuses its timer for a later or equal time', () => {
    const { alarm, timers, open } = alarmOf()
    alarm.set(1000, 5000)
    expect(open()).toEqual([4])
    alarm.set(2000, 5000)
    alarm.set(2000, 9000)
    expect(timers.length).toBe(1)
    alarm.set(2000, 4500)
    expect(open()).toEqual([2.5])
    alarm.set(6000, 4000)
    expect([timers.length, ...open()]).toEqual([3, 0])
  })

  test('fires once and may then be set to any time; a cleared alarm does not fire', () => {
    const { alarm, timers, open, woken } = alarmOf()
    alarm.set(0, 1000)
    timers[0].fire()
    expect([woken(), timers[0].open]).toEqual([1, false])
    alarm.set(1000, 8000)
    expect(open()).toEqual([7])
    alarm.clear()
    expect(open()).toEqual([])
    alarm.set(1000, 9000)
    expect(open()).toEqual([8])
  })

  test('uses at most the longest timer of browsers, and then checks again', () => {
    const { alarm, open } = alarmOf()
    alarm.set(0, 1e15)
    expect(open()).toEqual([2 ** 31 - 1])
  })
})
