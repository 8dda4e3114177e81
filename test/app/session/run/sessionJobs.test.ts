import { expect, test } from 'vitest'
import { sessionJob } from '../../../../src/app/session/run/sessionJobs.ts'
import { createSession } from '../../../../src/app/session/session.ts'

test('each session has jobs of its own, which end with it', () => {
  const find = sessionJob<void>()
  const [session, other] = [createSession(), createSession()]
  const jobs = [find(session), find(other)]
  expect(find(session)).toBe(jobs[0])
  for (const job of jobs) void job.run(() => new Promise<void>(() => {}))
  session.end()
  expect(jobs.map((job) => job.store.getState().phase)).toEqual(['idle', 'running'])
})
