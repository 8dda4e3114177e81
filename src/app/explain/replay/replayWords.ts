import { isolated } from '../../../language/isolated.ts'
import { say } from '../../../language/say.ts'
import { DISCARDED, DISMISSED, FAILED, GATHERED, HIRED, RELEASED, ROUTED, type Row, STARTED, WITHDRAWN } from '../../../pipeline/rows.ts'
import type { Difference, Replay, Said } from '../../../runs/study/replay.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { clock, count } from '../../../views/drawing/format.ts'

/** What came of a replay, in a sentence. */
export function verdictOf({ decisions, reproduced, difference }: Replay): string {
  const of = say('{reproduced} of {decisions} decisions', { reproduced: count(reproduced), decisions: count(decisions) })
  if (difference === null) return say('Reproduced, {of}.', { of })
  const { decision, time } = difference
  const where =
    decision < 0
      ? say('before the first decision')
      : decision < reproduced
        ? say('after decision {decision}', { decision: count(decision + 1) })
        : say('at decision {decision}', { decision: count(decision + 1) })
  return say('Differs {where}, at {time}: {of} reproduced before it.', { where, time: clock(time), of })
}

/** The record, and beside it what the core says now, each in a clause. */
export function sidesOf(scenario: Scenario, difference: Difference): { readonly recorded: string; readonly now: string } {
  switch (difference.kind) {
    case 'row':
      return { recorded: rowSaid(scenario, difference.recorded), now: rowSaid(scenario, difference.replayed) }
    case 'decision': {
      const { recorded, replayed } = difference
      const alike = recorded !== null && replayed !== null && recorded.seats.join() === replayed.seats.join()
      const now = seatsSaid(scenario, replayed)
      return { recorded: seatsSaid(scenario, recorded), now: alike ? say('{now}, but from other queues or service times than the record has', { now }) : now }
    }
    case 'refused':
      return { recorded: say('facts that cannot have happened'), now: say('cannot take them: {reason}', { reason: difference.reason }) }
  }
}

function seatsSaid({ stages }: Scenario, said: Said | null): string {
  if (said === null) return say('no decision here')
  return say('seats: {seats}', { seats: stages.map(({ name }, s) => `${isolated(name)} ${said.seats[s]}`).join(', ') })
}

/** People count jobs and workers from 1. */
function rowSaid({ stages }: Scenario, row: Row | null): string {
  if (row === null) return say('nothing more follows')
  const { kind, worker, job, time } = row
  const stage = stages[row.stage]?.name ?? ''
  const who = say('worker {worker}', { worker: worker + 1 })
  const what: Readonly<Record<number, string>> = {
    [STARTED]: say('{who} begins job {job} at {stage}', { who, job: count(job + 1), stage }),
    [HIRED]: say('{who} is hired for {stage}', { who, stage }),
    [DISMISSED]: say('{who} is dismissed from {stage}', { who, stage }),
    [RELEASED]: say('job {job} leaves', { job: count(job + 1) }),
    [FAILED]: say('job {job} is failed at {stage}', { job: count(job + 1), stage }),
    [ROUTED]: say('job {job} is routed to {stage}', { job: count(job + 1), stage }),
    [GATHERED]: say('all parts of job {job} have come to {stage}', { job: count(job + 1), stage: stage === '' ? say('the sink') : stage }),
    [WITHDRAWN]: say('a part of the failed job {job} is taken away from {stage}', { job: count(job + 1), stage }),
    [DISCARDED]: say('a part of the failed job {job} waits no more at {stage}', { job: count(job + 1), stage }),
  }
  return say('{what}, at {time}', { what: what[kind] ?? say('a fact of its own'), time: clock(time) })
}
