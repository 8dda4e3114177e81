import type { Games } from './many.ts'

/** A planted bug: `text` occurs once in a file below src and is replaced by `instead`. */
export interface Mutant {
  readonly file: string
  readonly text: string
  readonly instead: string
  readonly breaks: string
  /** Games that find it, where few games do: they are played first. */
  readonly seed: number | undefined
  /** The games that are played. Code of rooms is run only there, and some branches hardly anywhere but with a theme or in the simulation. */
  readonly games: Games
}

/** By file. */
type Planted = Readonly<
  Record<string, readonly (readonly [text: string, instead: string, breaks: string, seed?: number])[]>
>

const everywhere: Planted = {
  'pipeline/apply.ts': [
    [
      'if (counts.jobsInHand[worker] === 1) state.leases[worker] = ++state.batches',
      'if (counts.jobsInHand[worker] === 1) state.leases[worker] = 1',
      'every batch has the same lease',
    ],
    ['if (counts.jobsInHand[worker] === 0) state.leases[worker] = 0\n  else if', 'if', 'a lease outlives its batch'],
    [
      '  if (state.clients !== null) state.clients.unstarted.delete(job)\n  countStarted',
      '  countStarted',
      'a client gives up a job that was served before',
      3007,
    ],
    [
      ' || rows.job[i + k] !== hand[k]',
      '',
      'a batch served in another order than reported continues in that order',
      1122,
    ],
  ],
  'pipeline/moves.ts': [
    [
      'state.queues[stage].putBack(jobParts === null ? jobs : jobs.filter((job) => !jobParts.failed.has(job)))',
      'for (const job of jobs) state.queues[stage].push(job)',
      'jobs of a failed batch return to the end of the queue',
    ],
    [
      'jobs.length === 1 || state.threadEnds !== null ? 1 : 0',
      '1',
      'a job that failed in a larger batch counts as tried alone',
    ],
    [
      'else if (threw) countTry',
      'else if (jobs.length > 0) countTry',
      'losing a worker counts as a failure of its job',
    ],
    ['  state.failedTickets.push(job)\n', '', 'the ticket of a failed job never passes the sink'],
    [
      'topology.gated[stage] === 1 && job >= buffer.tail + topology.slots',
      'topology.gated[stage] === 1 && job > buffer.tail + topology.slots',
      'one ticket too many starts in the ring',
    ],
    [
      'else if (jobParts.failed.has(job)) follows(state, waitsFor > 0 ? DISCARDED : WITHDRAWN, stage, job)\n',
      '',
      'parts of a failed job continue',
      133,
    ],
  ],
  'pipeline/state.ts': [
    [
      'sizeOf(i, job) * ageing + counts.time',
      'sizeOf(i, job) * ageing - counts.time',
      'jobs grow younger in the queue',
    ],
    ['sizeOf(i, job) * ageing + counts.time', 'sizeOf(i, job) + counts.time', 'jobs age a class in a microsecond', 315],
    [
      'capacity[only[stage]] - counts.waiting[only[stage]] - counts.inHands[stage]',
      'capacity[only[stage]] - counts.waiting[only[stage]]',
      'jobs in service reserve no space in the queue behind them',
      44,
    ],
    [
      'room -= counts.inHands[before[next][k]]',
      'room -= counts.inHands[stage] / before[next].length',
      'where several stages feed a queue, jobs in service at the other stages reserve no space',
      63,
    ],
    ['return lease > 0 && state.leases[worker] === lease', 'return lease > 0', 'any reply counts, under any lease'],
  ],
  'pipeline/topology.ts': [
    [
      '(behind.length === 0 || behind.some((next) => capacity[next] > 0 && gated[next] === 1))',
      'behind.length === 0',
      'late tickets fill the queue that the next ticket needs',
    ],
  ],
  'pipeline/countRow.ts': [
    [
      'waiting[first] >= capacity[first]',
      'waiting[first] > capacity[first]',
      'the first queue takes one more than its capacity',
    ],
    [
      'counts.status[worker] = GONE\n      counts.since[worker] = time\n      counts.live--',
      'counts.status[worker] = GONE\n      counts.since[worker] = time',
      'dead workers count as live',
    ],
    ['if (counts.leaving[worker] === 0) return\n', 'return\n', 'a worker that is dismissed while busy stays'],
  ],
  'pipeline/counts.ts': [
    [
      '!counts.exhausted || counts.away > 0',
      '!counts.exhausted',
      'a stage is done while clients will send jobs again',
      5340,
    ],
    [
      'over = over && counts.waiting[stage] === 0 && counts.inHands[stage] === 0',
      'over = over && counts.waiting[stage] === 0',
      'a stage is done while its jobs are in service',
    ],
    [
      '&&\n    counts.inHands.every((jobs) => jobs === 0)',
      '',
      'a run ends while a worker still serves a part of a failed job',
      3498,
    ],
  ],
  'pipeline/orderBuffer.ts': [
    ['while (states[first] !== EMPTY) {', 'if (states[first] !== EMPTY) {', 'only one of those that may leave does'],
  ],
  'pipeline/discipline.ts': [
    ['    this.returned += jobs.length\n', '', 'new jobs overtake jobs that were put back', 397],
    ['size: -Infinity', 'size: this.sizeOf(jobs[i])', 'jobs that were put back are not served first', 114],
  ],
  'pipeline/workerJobs.ts': [
    [
      'const had = queue[0] === worker',
      'const had = true',
      'who gives up waiting hands on a resource that it never had',
      73,
    ],
  ],
  'pipeline/groupQueue.ts': [
    [
      '!member.group.held && member.group.jobs[0] === member',
      'member.group.jobs[0] === member',
      'a job starts while another of its group is served',
    ],
  ],
  'pipeline/shards.ts': [
    [
      'if (wanted === this.shards || least < this.startedEnd) return',
      'if (wanted === this.shards) return',
      'shards are assigned again while tickets are still in progress',
    ],
  ],
  'scheduler/dispatch.ts': [
    [
      'assignments.held = row.holds ? heldBack(core) : 0',
      'assignments.held = 0',
      'a worker held back by hand helps',
      33,
    ],
    [
      'idle < counts.live || !counts.exhausted ? idle : idle - 1',
      'idle',
      'all workers are held back by hand though no worker is busy and no job will come',
      56,
    ],
    [
      'while (given > 0 && (core.state.tries.size > 0 || core.state.topology.bounded) && hasWork(core))',
      'while (given < 0)',
      'space that an order frees is not used in the same step',
    ],
    [
      'if (job === NONE || (alone && taken > 0)) return',
      'if (job === NONE) return',
      'a poisonous job fails with other jobs in its batch',
      16798,
    ],
    [
      'if (busy === 0 || seats[k] < busy) continue',
      'if (busy === 0) continue',
      'a worker without a seat at its stage gets a second batch there',
    ],
    ['eligible[k] = 1 - done[stageOf[k]]', 'eligible[k] = 1', 'stages that are done get seats'],
  ],
  'scheduler/core.ts': [
    [
      '  if (core.scenario.policy !== policy) core.taken.decisions = 0\n',
      '',
      'seats given by hand continue the count of another policy',
      355,
    ],
  ],
  'scheduler/carrying.ts': [
    ['          this.forget(w)\n', '', 'jobs of a lost worker wait for it for ever', 242],
    [' && this.carrierOf(s, j) !== w', ' && this.carrierOf(s, j) === w', 'a job that throws is carried by no worker'],
    [' && !counted.has(worker)', '', 'a worker that carries jobs at two stages has two seats'],
    ['!this.gone.has(worker[last])', 'true', 'a worker that is lost carries a job that it routed', 6585],
  ],
  'scheduler/stealing.ts': [
    [
      '    for (const key of stolen) carrying.give(key, worker)\n',
      '',
      'a thief carries nothing that it has stolen',
      358,
    ],
    ['deques.get((from + i) % workers)', 'deques.get(i)', 'thieves begin to search at worker 0', 2886],
    [', [...parts].reverse())', ', [...parts])', 'a worker goes on with its oldest part', 29],
  ],
  'scheduler/assignments.ts': [
    ['(short === 0 && !lend)', '(short === 0 && lend)', 'no worker helps a stage that has all its seats'],
    [
      'roster.firstAt(stageOf[place[p]])',
      'roster.firstAt(stageOf[place[0]])',
      'workers change stages though one is at the stage already',
    ],
    [
      'runnable[best] -= state.shards === null ? jobs : 1',
      'runnable[best] -= 1',
      'workers are assigned to jobs that another batch has taken',
      1244,
    ],
  ],
  'scheduler/roster.ts': [[' && prefetching[worker] === 0', '', 'who has two batches is given a third']],
  'scheduler/resize.ts': [
    ['size >= max', 'size > max', 'a pool grows beyond its limit', 60],
    [
      'starting.idleSince(counts, w) <= starting.idleSince(counts, idlest)',
      'starting.idleSince(counts, w) < starting.idleSince(counts, idlest)',
      'of workers idle equally long the first is dismissed',
    ],
    ['if (left > 1) pool', 'if (left > 9) pool', 'of several dismissals at a tick the first repeats'],
    ['came: Math.max(0, came - before)', 'came: waiting[stage]', 'a forecast counts waiting jobs as arrived jobs', 354],
  ],
  'scheduler/knownPools.ts': [
    [
      'rate(k) < rate(least) ? k : least',
      'rate(k) <= rate(least) ? k : least',
      'under xenna the last of equally slow stages gets the worker',
      65,
    ],
    ['arrivals / Math.min(1, utilisation)', 'arrivals', 'vertices of Flink are busy all the time', 2783],
    [
      'Math.max(2 * start, start + 4)',
      'Math.max(2 * size, size + 4)',
      'a pool of Kubernetes doubles at every tick',
      8030,
    ],
  ],
  'scheduler/controllers.ts': [
    [
      'Math.floor(size * policy.decrease)',
      'Math.ceil(size * policy.decrease)',
      'a pool that should shrink to a share keeps one more',
    ],
    ['service / policy.tunedAt', 'policy.tunedAt / service', 'gains shrink when services get longer', 79],
    [
      'const now = rate + ((endRate - rate) * since) / (end - start)',
      'const now = endRate',
      'between two corners a profile has the rate of the second',
      2409,
    ],
  ],
  'allocation/estimate.ts': [
    [
      'estimates.sum[stage] += serviceMicros - ring[at]',
      'estimates.sum[stage] += serviceMicros',
      'measurements outside the window still count',
    ],
  ],
  'engine/simulation/plain.ts': [
    ['ballot.eligible[line[this.done++]] = 0', 'this.done++', 'in a plain run a stage that is done gets seats'],
    ['    assignments.staffed[place]--\n', '', 'in a plain run a finished worker counts as busy'],
  ],
  'engine/engine.ts': [
    [
      'this.retry.backoff * (1 << (tries - 1))',
      'this.retry.backoff',
      'the wait before a job is sent again does not double',
      391,
    ],
    [
      'Number(isOutside(b)) - Number(isOutside(a)) || a - b',
      'a - b',
      'a job comes in from outside at the instant at which its client gives it up',
      3061,
    ],
    [
      'const MIN_SILENCE: Micros = 2_000_000',
      'const MIN_SILENCE: Micros = 500_000',
      'a worker that takes half a second is given up',
      59,
    ],
    [
      'if (workerJobs[worker].length > 0 && !isWaiting(state, worker)) begin',
      'if (workerJobs[worker].length > 1) begin',
      'no worker is notified that it got its resource',
      89,
    ],
  ],
  'engine/conductor/facts.ts': [
    [
      'if (expectsReply(run.core.state, worker, lease)) return true',
      'if (lease > 0) return true',
      'a reply counts from a worker that was given up',
      9597,
    ],
    [
      'return lease > 0 && core.state.prefetchLeases[worker] === lease',
      'return lease < 0 && core.state.prefetchLeases[worker] === lease',
      'an early answer to a second batch is lost',
      48,
    ],
    [
      'Math.min(now - run.givenAt[worker], silence + LONGEST_TICK)',
      '(now - run.givenAt[worker])',
      'after a sleep no worker is ever given up',
      729,
    ],
    ['run.leaving[worker] = 1', 'run.leaving[worker] = 0', 'a worker that should leave after its batch stays'],
  ],
  'engine/conductor/pool.ts': [
    [
      'if (workers.get(worker) === hired && drop(worker, reason))',
      'if (drop(worker, reason))',
      'a notice about an ended thread kills its successor',
      338,
    ],
    ['    hired.thread.end()\n', '', 'threads are left running'],
    [
      'for (const give of hired.queued.splice(0)) give()',
      'hired.queued.splice(0)',
      'orders from before the start of a thread are lost',
    ],
  ],
  'engine/conductor/batchPort.ts': [
    [
      'const asked = waiting.get(data.number)',
      'const asked = [...waiting.values()][0]',
      'a repeated answer counts as the next one',
      48,
    ],
  ],
  'engine/conductor/callTracker.ts': [
    [
      'const LONGEST_TICK: Micros = 250_000',
      'const LONGEST_TICK: Micros = 1e15',
      'after a sleep all workers are given up',
      729,
    ],
    ['if (one.silence > one.silenceLimit) one', 'if (one.silence < 0) one', 'silence is never noticed'],
  ],
  'engine/conductor/orders.ts': [
    [
      'else send(run, worker, stage, jobs, behind)',
      'send(run, worker, stage, jobs, behind)',
      'a worker that waits for a resource starts anyway',
      89,
    ],
  ],
  'engine/conductor/conductor.ts': [
    ["if (counts.stopped) return 'stopped'\n", '', 'Stop does not end the run', 127],
    [
      'if (reading < run.now) run.origin -= run.now - reading\n      else run.now = reading',
      'run.now = Math.max(run.now, reading)',
      'a clock that runs back stops the run until it has caught up',
      2248,
    ],
  ],
  'pipeline/outlook.ts': [
    [
      '(inHands[from] + coming[from])',
      '(inHands[stage] + coming[from])',
      'preallocate counts jobs in service here, not those on the way',
      46,
    ],
    [
      '* (ahead[from] + inHands[from])',
      '* ahead[from]',
      'the age of waiting jobs ignores jobs in service upstream',
      2725,
    ],
  ],
  'allocation/switchAware.ts': [
    [
      'score(votes, seats)) <= cost',
      'score(votes, seats)) < cost / 2',
      'a seat moves that saves less than a change of stage costs',
      34,
    ],
  ],
  'measures/figures/runTotals.ts': [
    [
      '      leaveQueue(run, stage, job, time)\n      run.flow[job] = time - run.arrivedAt[job]\n',
      '      leaveQueue(run, stage, job, time)\n',
      'a job that has failed has no flow time',
    ],
    [
      '  if (run.counts.outside > 0) touchFirsts(run, run.trace.topology, time)\n',
      '',
      'the first queue is counted wrongly when one job leaves as another enters from outside',
    ],
    [
      '    run.waited[run.entered] += time - run.arrivedAt[run.entered]\n',
      '',
      'the time outside a full first queue is no wait',
    ],
  ],
  'measures/jobs/batches.ts': [
    [
      '(isWaitingForResource(batches, batch) ? until : batch.ready)',
      'until',
      'a worker counts as waiting while it serves a job of a group',
    ],
  ],
  'measures/figures/plainTotals.ts': [
    [
      'if (lastStage[worker] !== NONE) run.switches++',
      'run.switches++',
      'in a plain run the first assignment counts as a change of stage',
    ],
    [
      '  if (length > longest[stage]) longest[stage] = length\n',
      '  if (length >= longest[stage]) longest[stage] = length + 1\n',
      'in a plain run the longest queue is one too long',
    ],
  ],
  'measures/figures/rangeStats.ts': [
    [
      '    if (kind === WITHDRAWN) waited.total[waited.marks.length - 1] += totals.waited[job] - before\n',
      '',
      'a stretch forgets the waits of the other parts of a failed job',
      3688,
    ],
    [
      't >= end ? marks.length : marksBefore(marks, t)',
      'marksBefore(marks, t)',
      'the last instant of a run belongs to no stretch',
    ],
  ],
  'measures/figures/occupancy.ts': [
    ['decisions.row[d] === row + 1', 'decisions.row[d] === row', 'seats change one row too early'],
    ['Math.min(time, makespan) - counts.time', 'time - counts.time', 'the time after the last row of work counts'],
  ],
  'measures/figures/metrics.ts': [
    [
      'Math.ceil((values.length * percent) / 100) - 1',
      'Math.floor((values.length * percent) / 100)',
      'the median is one rank too high',
    ],
  ],
  'trace/trace.ts': [
    [
      'log.row[state.decisions] <= row',
      'log.row[state.decisions] < row',
      'seats at a time are those before its last decision',
      644,
    ],
  ],
  'trace/formats/traceJson.ts': [
    [
      '(rows.kind[i] === FINISHED ? beganAt(rows, i) : -1)',
      '(rows.kind[i] === FINISHED ? rowTime(rows, i) - rows.lasted[i] : -1)',
      'work that ended before its report is recorded too late',
    ],
    ['changes.push(stage, seats)', 'changes.push(seats, stage)', 'seats are written where their stage should be'],
  ],
  'trace/formats/rowChecker.ts': [
    ['      whole[job] = AWAY\n', '', 'a record may let a job leave twice'],
    ['  if (at[part] !== WAITING) return notWaiting(row)\n', '', 'a record may start a job that does not wait', 166],
    [
      'counts.stage[worker] === stage ? hands[worker].indexOf(job) : -1',
      'hands.findIndex((jobs) => jobs.includes(job))',
      'a record may let one worker finish the job of another',
    ],
  ],
  'trace/formats/workTimes.ts': [
    ['if (began < since)', 'if (began < 0)', 'a record may let work begin before it was given'],
  ],
  'engine/simulation/simulation.ts': [
    [
      'const began = run.beganAt[worker] + run.switchTime[worker]',
      'const began = run.beganAt[worker]',
      'the cost of a change of stage counts as service',
      101,
    ],
    [
      'Math.max(now + 1, begins + work + back)',
      'Math.max(now + 1, begins + work)',
      'answers take no time over a network',
      111,
    ],
  ],
  'engine/simulation/faults.ts': [
    [
      "if (kind === 'crash') loseWorker(run, worker, msg('crashed'))",
      "if (kind === 'crash') continue",
      'in the simulation a worker that crashes stays',
      131,
    ],
    [
      'else if (underway) run.leaving[worker] = 1',
      'else if (underway) run.leaving[worker] = 0',
      'in the simulation a worker that should leave after its batch stays',
      111,
    ],
    [
      'front.find((one) => run.failing[stage].has(one)) ?? NONE',
      'front[front.length - 1]',
      'the last job of a batch is reported, whichever throws',
      2681,
    ],
  ],
  'engine/simulation/calendar.ts': [
    ['return burning > cores ? cores / burning : 1', 'return 1', 'workers that burn never share cores', 1591],
  ],
  'workload/laws.ts': [
    ['whole(-mean * log(1 - u))', 'whole(-mean * log(u))', 'a greater draw gives a shorter exponential service', 31],
    [
      'Math.floor(random(job, 0) * (max - min + 1))',
      'Math.floor(random(job, 0) * (max - min))',
      'the greatest uniform service is never drawn',
      101,
    ],
    [
      'power(1 - random(job, 0), -1 / alpha)',
      'power(1 - random(job, 0), -alpha)',
      'the tail of a Pareto distribution has another exponent',
      81,
    ],
  ],
  'workload/arrivals.ts': [
    [
      'level[0] -= log(random(k, 0))',
      'level[0] = k - log(random(k, 0))',
      'gaps between random arrivals are not exponential',
      261,
    ],
    [
      'return start + off + (burstRate',
      'return start + (burstRate',
      'bursts come before the calm part of a cycle',
      401,
    ],
  ],
  'workload/service.ts': [
    [
      'pickByWeight(route.weights, route.random',
      'pickByWeight(route.weights.map(() => route.total / route.weights.length), route.random',
      'jobs are routed without regard to weights',
      1201,
    ],
    ['random(job, 0) * total)', 'random(job, 1) * total)', 'the class of a job is another draw'],
  ],
  'workload/random.ts': [
    ['mix((mixed ^ second) + Math.imul(draw, GOLDEN))', 'mix(mixed ^ second)', 'all draws of a job are alike', 281],
  ],
  'scheduler/batches.ts': [
    [
      'if (before === STARTING || this.exclusive[stage] === 1) return false',
      'if (this.exclusive[stage] === 1) return false',
      'the start of a thread counts as a message',
    ],
    [
      'if (first > 0 && kind[first - 1] === PREFETCH) return last',
      '',
      'a second batch counts as sent while its worker serves the first',
    ],
  ],
}

/** Code of rooms only: all games are played in rooms. */
const inRooms: Planted = {
  'features/room/protocol/lender.ts': [
    [
      'if (loan <= known.highest) return known.late.delete(loan)',
      '',
      'a repeated hello restarts a seat that has ended',
      24,
    ],
    [
      'if (other > known.highest && other < loan) known.late.add(other)',
      'if (other > loan) known.late.add(other)',
      'a late hello, overtaken by a newer one, is refused',
    ],
    ['++silence >= SILENT_TIMES', '++silence < 0', 'a device serves a silent conductor for ever'],
  ],
  'features/room/protocol/lentThread.ts': [
    [
      'for (let due = early.get(next); due !== undefined; due = early.get(next)) {',
      'for (let due: BatchMessage | undefined = message; due !== undefined; due = early.get(next)) {',
      'batches are served as they arrive, not in order',
    ],
    [
      '    if (known !== undefined) {\n      listener.send(known)\n      return\n    }\n',
      '',
      'a lost answer is never sent again',
      269,
    ],
  ],
  'features/room/protocol/loan.ts': [
    [
      'if (request.waited >= request.wait) repeat(request)',
      'if (request.waited < -1) repeat(request)',
      'a lost message is not sent again',
    ],
    [
      'request.waited < 0 ? 0 : request.waited + elapsed',
      'now() - request.sent',
      'while the clock runs back, nothing is sent again',
      159,
    ],
    ['      open.delete(key)\n      request.answer', '      request.answer', 'a repeated answer counts twice', 65],
  ],
  'features/room/protocol/roomThreads.ts': [
    [
      "if (message.kind === 'gone') device.restsUntil = waited() + REST",
      '',
      'a device that refuses is asked again at once, for ever',
      663,
    ],
    ['          device.loans.delete(number)\n', '', 'a returned thread is never lent again', 957],
    ['if (ticked >= device.dueBy)', 'if (ticks > 1)', 'a connection that was lost for a moment empties the room'],
    [
      'Math.max(0, presence.threads - loans.size)',
      'presence.threads',
      'a device is asked for more threads than it lends',
    ],
  ],
  'engine/conductor/orders.ts': [
    [
      'worker <= last && free > 0',
      'worker <= last && free < 0',
      'a device that joins a room during a run gets no work',
      33,
    ],
    [
      'Math.min(run.emptySince, newWorkers.waited())',
      'newWorkers.waited()',
      'a run whose room is empty waits for ever',
    ],
  ],
  'engine/conductor/facts.ts': [
    [
      "kind !== 'hang' && (joining.has(worker) || inbox.joined.includes(worker))",
      'run.now < 0',
      'a worker that the scenario removes while it starts stays',
      184,
    ],
  ],
  'features/room/protocol/roomEngine.ts': [
    ['        stop = resolve\n', '', 'Stop waits until a room has gathered', 72],
  ],
}

/** Branches that games with a theme take often. */
const inThemes: Planted = {
  'scheduler/knownPools.ts': [
    [
      'size : Math.ceil(damped * size)',
      'size : Math.ceil(damped * running)',
      'a pool of Kubernetes grows as if no pod were starting up',
      122,
    ],
    [
      'sample.idle >= idle && sample.size > minThreads',
      'sample.idle >= idle && sample.size >= minThreads',
      'a pool of SEDA shrinks below its least size',
      43,
    ],
    ['&& size > least ? -1 : 0', '&& size >= least ? -1 : 0', 'a pool of Ray Data shrinks below its least size', 1],
  ],
  'scheduler/resize.ts': [['  if (elapsed <= 0) return\n', '', 'of two ticks at one time each counts', 16]],
  'scheduler/roster.ts': [
    [
      'return found * 32 + lowestBit(words[set * wide + found])',
      'return found * 32',
      'of more than 32 workers one is found idle that is busy',
      23,
    ],
  ],
  'scheduler/carrying.ts': [
    [
      '    if (alone && batch.length > 0) break\n',
      '',
      'a job that has thrown goes in a batch with jobs that its worker carries',
      801,
    ],
  ],
  'scheduler/dispatch.ts': [
    [
      '  if (arrived > core.arrivals.length) core.arrivals = grown(core.arrivals, arrived)\n',
      '',
      'the ages of jobs after the first 64 are unknown',
      11,
    ],
  ],
}

/** Branches that games of the simulation take often. */
const inSimulation: Planted = {
  'engine/simulation/faults.ts': [
    [
      '  if (run.leaving[worker] === 1) leaveAfterBatch(run, worker)\n  run.listener',
      '  run.listener',
      'a worker that should leave after its batch stays if the batch throws',
      36,
    ],
  ],
  'engine/simulation/simulation.ts': [
    [
      'calendar.set(worker, now + services.at(rows.stage[i], rows.job[i]))',
      'calendar.set(worker, now + services.at(rows.stage[i], rows.job[i]) + 1)',
      'where jobs are served one by one each takes a microsecond more',
      52,
    ],
  ],
  'pipeline/switchCosts.ts': [
    [
      'groupOf(job) === groupOf(next) ? 0 : costsOf',
      'groupOf(job) !== groupOf(next) ? 0 : costsOf',
      'jobs of one group cost a change of group',
      28,
    ],
  ],
}

/** The games of the first 10,000 seeds must find each: `npm run -s mutants`. */
const planted: readonly (readonly [Games, Planted])[] = [
  ['all', everywhere],
  ['rooms', inRooms],
  ['themes', inThemes],
  ['simulated', inSimulation],
]
export const mutants: readonly Mutant[] = planted.flatMap(([games, files]) =>
  Object.entries(files).flatMap(([file, all]) =>
    all.map(([text, instead, breaks, seed]) => ({ file, text, instead, breaks, seed, games })),
  ),
)
