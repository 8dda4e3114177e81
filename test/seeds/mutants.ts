/** A bug that is planted: in a file below src this text, which stands there once, is replaced. */
export interface Mutant {
  readonly file: string
  readonly text: string
  readonly instead: string
  readonly breaks: string
  /** A game that breaks, where few do: it is played first. */
  readonly seed?: number
}

/** Each must be found by the games of the first 10,000 seeds: `npm run -s mutants`. */
export const mutants: readonly Mutant[] = [
  {
    file: 'pipeline/apply.ts',
    text: 'if (counts.jobsInHand[worker] === 1) state.leases[worker] = ++state.batches',
    instead: 'if (counts.jobsInHand[worker] === 1) state.leases[worker] = 1',
    breaks: 'every batch has the same lease',
  },
  {
    file: 'pipeline/apply.ts',
    text: 'if (counts.jobsInHand[worker] === 0) state.leases[worker] = 0\n      else if',
    instead: 'if',
    breaks: 'a lease outlives its batch',
  },
  {
    file: 'pipeline/apply.ts',
    text: 'state.queues[stage].putBack(jobParts === null ? jobs : jobs.filter((job) => !jobParts.failed.has(job)))',
    instead: 'for (const job of jobs) state.queues[stage].push(job)',
    breaks: 'what a failed batch gives back goes to the end of the queue',
  },
  { file: 'pipeline/apply.ts', text: 'begun === 1 ? 1 : 0', instead: '1', breaks: 'whoever failed in company counts as tried alone' },
  {
    file: 'pipeline/apply.ts',
    text: 'const begun = isWaiting(state, worker) ? 0 : tried',
    instead: 'const begun = tried',
    breaks: 'a job that nobody had begun has failed once more',
  },
  { file: 'pipeline/apply.ts', text: '  state.failedTickets.push(job)\n', instead: '', breaks: 'the ticket of a failed job never passes the sink' },
  {
    file: 'pipeline/apply.ts',
    text: 'topology.gated[stage] === 1 && job >= buffer.tail + topology.slots',
    instead: 'topology.gated[stage] === 1 && job > buffer.tail + topology.slots',
    breaks: 'the ring lets one ticket too many begin',
  },
  {
    file: 'pipeline/apply.ts',
    text: 'else if (jobParts.failed.has(job)) follows(state, waitsFor > 0 ? DISCARDED : WITHDRAWN, stage, job)\n',
    instead: '',
    breaks: 'parts of a failed job go on',
  },
  {
    file: 'pipeline/state.ts',
    text: 'capacity[only[stage]] - counts.waiting[only[stage]] - counts.inHands[stage]',
    instead: 'capacity[only[stage]] - counts.waiting[only[stage]]',
    breaks: 'what is in hands reserves no room in the queue behind',
  },
  {
    file: 'pipeline/state.ts',
    text: 'room -= counts.inHands[before[next][k]]',
    instead: 'room -= counts.inHands[stage] / before[next].length',
    breaks: 'where several stages feed a queue, the hands of the others reserve no room',
  },
  {
    file: 'pipeline/state.ts',
    text: 'return lease > 0 && state.leases[worker] === lease',
    instead: 'return lease > 0',
    breaks: 'any reply counts, under whatever lease',
  },
  {
    file: 'pipeline/topology.ts',
    text: '(behind.length === 0 || behind.some((next) => capacity[next] > 0 && gated[next] === 1))',
    instead: 'behind.length === 0',
    breaks: 'late tickets fill the queue that the awaited one needs',
  },
  {
    file: 'pipeline/countRow.ts',
    text: 'waiting[firsts[i]] >= capacity[firsts[i]]',
    instead: 'waiting[firsts[i]] > capacity[firsts[i]]',
    breaks: 'the first queue takes one more than its capacity',
  },
  {
    file: 'pipeline/countRow.ts',
    text: 'counts.status[worker] = GONE\n      counts.since[worker] = time\n      counts.live--',
    instead: 'counts.status[worker] = GONE\n      counts.since[worker] = time',
    breaks: 'the dead count as live',
  },
  { file: 'pipeline/countRow.ts', text: 'if (counts.leaving[worker] === 0) return\n', instead: 'return\n', breaks: 'who is dismissed while busy stays' },
  {
    file: 'pipeline/counts.ts',
    text: 'over = over && counts.waiting[stage] === 0 && counts.inHands[stage] === 0',
    instead: 'over = over && counts.waiting[stage] === 0',
    breaks: 'a stage is done while its jobs are in hands',
  },
  {
    file: 'pipeline/counts.ts',
    text: ' && counts.inHands.every((jobs) => jobs === 0)',
    instead: '',
    breaks: 'a run ends while somebody still serves a part of a failed job',
    seed: 3498,
  },
  {
    file: 'pipeline/orderBuffer.ts',
    text: 'while (states[first] !== EMPTY) {',
    instead: 'if (states[first] !== EMPTY) {',
    breaks: 'only one of those that may leave does',
  },
  { file: 'pipeline/discipline.ts', text: '    this.returned += jobs.length\n', instead: '', breaks: 'who comes last overtakes what was put back' },
  { file: 'pipeline/discipline.ts', text: 'size: -Infinity', instead: 'size: this.sizeOf(jobs[i])', breaks: 'what was put back is not the first to be served' },
  {
    file: 'pipeline/resourceQueues.ts',
    text: 'const had = queue[0] === worker',
    instead: 'const had = true',
    breaks: 'who gives up waiting hands on a resource that it never had',
  },
  {
    file: 'pipeline/groupQueue.ts',
    text: '!member.group.held && member.group.jobs[0] === member',
    instead: 'member.group.jobs[0] === member',
    breaks: 'a job is begun while another of its group is served',
  },
  {
    file: 'pipeline/shards.ts',
    text: 'if (wanted === this.shards || least < this.begun) return',
    instead: 'if (wanted === this.shards) return',
    breaks: 'shards are dealt anew while tickets are still under way',
  },
  {
    file: 'scheduler/dispatch.ts',
    text: 'posting.held = row.holds ? heldBack(core) : 0',
    instead: 'posting.held = 0',
    breaks: 'whoever is held back by hand lends a hand',
  },
  {
    file: 'scheduler/dispatch.ts',
    text: 'idle < counts.live || !counts.exhausted ? idle : idle - 1',
    instead: 'idle',
    breaks: 'all are held back by hand though nobody is at work and no job will come',
  },
  {
    file: 'scheduler/dispatch.ts',
    text: '  if (core.scenario.policy !== policy) core.taken.decisions = 0\n',
    instead: '',
    breaks: 'seats given out by hand go on counting where another policy left off',
  },
  {
    file: 'scheduler/dispatch.ts',
    text: 'while (given > 0 && (core.state.tries.size > 0 || core.state.topology.bounded) && hasWork(core))',
    instead: 'while (given < 0)',
    breaks: 'room that an order makes is not used in the same step',
  },
  {
    file: 'scheduler/dispatch.ts',
    text: 'if (job === NONE || (alone && taken > 0)) return',
    instead: 'if (job === NONE) return',
    breaks: 'a poisonous job takes a batch down with it',
    seed: 5924,
  },
  {
    file: 'scheduler/dispatch.ts',
    text: 'if (busy === 0 || seats[k] < busy) continue',
    instead: 'if (busy === 0) continue',
    breaks: 'who has no seat where he is gets a second batch there',
  },
  { file: 'scheduler/dispatch.ts', text: 'eligible[k] = 1 - done[stage]', instead: 'eligible[k] = 1', breaks: 'stages that are done get seats' },
  {
    file: 'scheduler/posts.ts',
    text: '(short === 0 && !lend)',
    instead: '(short === 0 && lend)',
    breaks: 'nobody lends a hand where a stage has all its seats',
  },
  {
    file: 'scheduler/posts.ts',
    text: 'worker[p] = lowestAt(posting, status, stage, stageOf[place[p]])',
    instead: 'worker[p] = lowestAt(posting, status, stage, stageOf[place[0]])',
    breaks: 'workers are sent round though one stands there already',
  },
  {
    file: 'scheduler/posts.ts',
    text: 'runnable[best] -= state.shards === null ? jobs : 1',
    instead: 'runnable[best] -= 1',
    breaks: 'posts are drawn for jobs that another batch has taken',
  },
  { file: 'scheduler/batches.ts', text: ' || prefetching[w] === 1', instead: '', breaks: 'who has two batches is given a third' },
  { file: 'scheduler/resize.ts', text: 'size >= max', instead: 'size > max', breaks: 'a pool grows beyond the most that it may have' },
  {
    file: 'scheduler/resize.ts',
    text: 'since[w] <= since[idlest]',
    instead: 'since[w] < since[idlest]',
    breaks: 'of those idle for equally long the first is dismissed',
  },
  {
    file: 'allocation/estimate.ts',
    text: 'estimates.sum[stage] += serviceMicros - ring[at]',
    instead: 'estimates.sum[stage] += serviceMicros',
    breaks: 'what has left the window still counts',
  },
  {
    file: 'engine/silenceLimit.ts',
    text: 'const LEAST: Micros = 2_000_000',
    instead: 'const LEAST: Micros = 500_000',
    breaks: 'who takes half a second is given up',
  },
  {
    file: 'engine/resourceGrants.ts',
    text: 'if (workerJobs[worker].length > 0 && !isWaiting(state, worker)) begin',
    instead: 'if (workerJobs[worker].length > 1) begin',
    breaks: 'nobody is told that the resource it waited for is its own',
  },
  {
    file: 'engine/conductor/facts.ts',
    text: 'if (expectsReply(run.core.state, worker, lease)) return true',
    instead: 'if (lease > 0) return true',
    breaks: 'a reply counts from whoever was given up',
    seed: 7499,
  },
  {
    file: 'engine/conductor/facts.ts',
    text: 'return lease > 0 && core.state.prefetchLeases[worker] === lease',
    instead: 'return lease < 0 && core.state.prefetchLeases[worker] === lease',
    breaks: 'the answer to a second batch that comes too early is lost',
  },
  {
    file: 'engine/conductor/facts.ts',
    text: 'Math.min(now - run.givenAt[worker], silence + LONGEST_TICK)',
    instead: '(now - run.givenAt[worker])',
    breaks: 'after a sleep nobody is ever given up',
  },
  { file: 'engine/conductor/facts.ts', text: 'run.leaving[worker] = 1', instead: 'run.leaving[worker] = 0', breaks: 'who is to leave after its batch stays' },
  {
    file: 'engine/conductor/pool.ts',
    text: 'if (workers.get(worker) === hired && drop(worker, reason))',
    instead: 'if (drop(worker, reason))',
    breaks: 'a notice about a thread that is no more kills the one after it',
  },
  { file: 'engine/conductor/pool.ts', text: '    hired.thread.end()\n', instead: '', breaks: 'threads are left running' },
  {
    file: 'engine/conductor/pool.ts',
    text: 'for (const give of hired.queued.splice(0)) give()',
    instead: 'hired.queued.splice(0)',
    breaks: 'what was ordered before a thread had started is forgotten',
  },
  {
    file: 'engine/conductor/batchPort.ts',
    text: 'const asked = waiting.get(data.number)',
    instead: 'const asked = [...waiting.values()][0]',
    breaks: 'an answer that comes twice is taken for the next',
  },
  {
    file: 'engine/conductor/callTracker.ts',
    text: 'const LONGEST_TICK: Micros = 250_000',
    instead: 'const LONGEST_TICK: Micros = 1e15',
    breaks: 'a sleep kills everybody',
  },
  {
    file: 'engine/conductor/callTracker.ts',
    text: 'if (one.silence > one.silenceLimit) one',
    instead: 'if (one.silence < 0) one',
    breaks: 'silence is never noticed',
  },
  {
    file: 'engine/conductor/orders.ts',
    text: 'if (!isWaiting(state, worker)) send(',
    instead: 'send(',
    breaks: 'who waits for a resource begins all the same',
  },
  { file: 'engine/conductor/conductor.ts', text: "if (counts.stopped) return 'stopped'\n", instead: '', breaks: 'Stop does not end the run' },
  {
    file: 'engine/conductor/conductor.ts',
    text: 'if (reading < run.now) run.origin -= run.now - reading\n      else run.now = reading',
    instead: 'run.now = Math.max(run.now, reading)',
    breaks: 'a clock that runs back makes the run wait until it has caught up',
  },
]
