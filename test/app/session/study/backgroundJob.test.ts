import { expect, test } from 'vitest'
import { createJob, type JobControl } from '../../../../src/app/session/study/backgroundJob.ts'

/** A job whose work the test controls. */
function started() {
  const job = createJob<string>()
  const states: unknown[] = []
  job.store.subscribe((state) => states.push(state))
  const begin = () => {
    let control: JobControl | null = null
    let settle = { resolve(_: string) {}, reject(_: unknown) {} }
    const ended = job.run((given) => {
      control = given
      return new Promise((resolve, reject) => {
        settle = { resolve, reject }
      })
    })
    if (control === null) throw new Error('the work has not begun')
    return { control: control as JobControl, ...settle, ended }
  }
  return { job, states, begin }
}

test('a job goes from idle over its progress to its result', async () => {
  const { job, states, begin } = started()
  expect(job.store.getState()).toEqual({ phase: 'idle' })
  const { control, resolve, ended } = begin()
  control.progress(0.5)
  resolve('found')
  await ended
  control.progress(0.7)
  expect(states).toEqual([
    { phase: 'running', progress: 0 },
    { phase: 'running', progress: 0.5 },
    { phase: 'done', result: 'found' },
  ])
})

test('a failed job has a reason, for any thrown value', async () => {
  const { job, begin } = started()
  const first = begin()
  first.reject(new Error('no thread could be started'))
  await first.ended
  expect(job.store.getState()).toEqual({ phase: 'failed', sentence: 'no thread could be started' })
  await job.run(() => Promise.reject('words'))
  expect(job.store.getState()).toEqual({ phase: 'failed', sentence: 'words' })
})

test('a cancelled job is idle, and ignores later results', async () => {
  const { job, begin } = started()
  const { control, resolve, ended } = begin()
  job.cancel()
  expect(control.signal.aborted).toBe(true)
  control.progress(0.5)
  resolve('too late')
  await ended
  expect(job.store.getState()).toEqual({ phase: 'idle' })
})
