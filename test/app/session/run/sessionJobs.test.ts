import { expect, test } from 'vitest'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { sessionCoreJob, sessionJob } from '../../../../src/app/session/run/sessionJobs.ts'
import { createSession } from '../../../../src/app/session/session.ts'

const forever = () => new Promise<void>(() => {})

test('a job that takes all cores stops when a real run begins, not when a simulation does', () => {
  const session = createSession()
  const [job, other] = [sessionCoreJob<void>()(session), sessionJob<void>()(session)]
  void job.run(forever)
  void other.run(forever)
  runStore(session).setState({ phase: 'running', engine: 'simulation' })
  expect(job.store.getState().phase).toBe('running')
  runStore(session).setState({ phase: 'running', engine: 'threads' })
  expect(job.store.getState().phase).toBe('idle')
  expect(other.store.getState().phase).toBe('running')
})

test('each session has jobs of its own, which end with it', () => {
  const find = sessionJob<void>()
  const [session, other] = [createSession(), createSession()]
  const jobs = [find(session), find(other)]
  expect(find(session)).toBe(jobs[0])
  for (const job of jobs) void job.run(forever)
  session.end()
  expect(jobs.map((job) => job.store.getState().phase)).toEqual(['idle', 'running'])
})
