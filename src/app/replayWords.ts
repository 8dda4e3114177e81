import { DISCARDED, DISMISSED, FAILED, GATHERED, HIRED, RELEASED, ROUTED, type Row, STARTED, WITHDRAWN } from '../pipeline/rows.ts'
import type { Difference, Replay, Said } from '../runs/replay.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { clock, count } from '../views/format.ts'

/** What came of a replay, in a sentence. */
export function verdictOf({ decisions, reproduced, difference }: Replay): string {
  const of = `${count(reproduced)} of ${count(decisions)} decisions`
  if (difference === null) return `Reproduced, ${of}.`
  const { decision, time } = difference
  const where =
    decision < 0 ? 'before the first decision' : decision < reproduced ? `after decision ${count(decision + 1)}` : `at decision ${count(decision + 1)}`
  return `Differs ${where}, at ${clock(time)}: ${of} reproduced before it.`
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
      return { recorded: seatsSaid(scenario, recorded), now: alike ? `${now}, but from other queues or service times than the record has` : now }
    }
    case 'refused':
      return { recorded: 'facts that cannot have happened', now: `cannot take them: ${difference.reason}` }
  }
}

function seatsSaid({ stages }: Scenario, said: Said | null): string {
  if (said === null) return 'no decision here'
  return `seats: ${stages.map(({ name }, s) => `${name} ${said.seats[s]}`).join(', ')}`
}

/** People count jobs and workers from 1. */
function rowSaid({ stages }: Scenario, row: Row | null): string {
  if (row === null) return 'nothing more follows'
  const { kind, worker, job, time } = row
  const stage = stages[row.stage]?.name ?? ''
  const who = `worker ${worker + 1}`
  const what: Readonly<Record<number, string>> = {
    [STARTED]: `${who} begins job ${count(job + 1)} at ${stage}`,
    [HIRED]: `${who} is hired for ${stage}`,
    [DISMISSED]: `${who} is dismissed from ${stage}`,
    [RELEASED]: `job ${count(job + 1)} leaves`,
    [FAILED]: `job ${count(job + 1)} is failed at ${stage}`,
    [ROUTED]: `job ${count(job + 1)} is routed to ${stage}`,
    [GATHERED]: `all parts of job ${count(job + 1)} have come to ${stage === '' ? 'the sink' : stage}`,
    [WITHDRAWN]: `a part of the failed job ${count(job + 1)} is taken away from ${stage}`,
    [DISCARDED]: `a part of the failed job ${count(job + 1)} waits no more at ${stage}`,
  }
  return `${what[kind] ?? 'a fact of its own'}, at ${clock(time)}`
}
