import { PlainRun } from '../../src/engine/simulation/plain.ts'
import { isPlain } from '../../src/engine/simulation/simulatedRun.ts'
import { beginAnyRun } from '../../src/engine/simulation/simulation.ts'
import type { Ending } from '../../src/pipeline/journal.ts'
import { isFact, rowAt } from '../../src/pipeline/rows.ts'
import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { countJobs } from '../../src/scenario/model/sources.ts'
import { parse } from '../../src/scenario/parse/parse.ts'
import { createServices } from '../../src/workload/service.ts'
import { type Chance, createChance } from '../fixtures/chance.ts'
import { claim } from './claim.ts'
import { NaiveClock } from './naiveClock.ts'
import { workloadMatches } from './naiveWorkload.ts'
import { draw, type Plan } from './plans.ts'
import { Referee } from './referee.ts'
import { slower, withTroubles } from './threadPlans.ts'
import type { Game } from './world.ts'

/** For ticks and phases, besides the instants that jobs cause. */
const OTHER_INSTANTS = 20_000

/**
 * Plays one game with the simulation, or with its core for plain scenarios, instant by instant. Stop may come between two instants. Throws at the first
 * broken rule.
 */
export function playSimulated(plan: Plan, watch: (game: Game) => void = () => {}): Game {
  const scenario = plan.plain ? draw(plan).scenario : drawForSimulation(plan)
  const chance = createChance(plan.seed ^ 0x2e11)
  const { at: cost } = createServices(scenario)
  const referee = new Referee(scenario, cost, chance, plan)
  const game = { scenario, referee }
  watch(game)
  const jobs = countJobs(scenario.source)
  workloadMatches(scenario, jobs)
  claim(!plan.plain || isPlain(scenario), () => 'a plain game is not plain')
  const listener = { journal: () => {}, failure: () => {}, ended: () => {} }
  const any = plan.plain ? null : beginAnyRun(scenario, listener)
  const run = any ?? new PlainRun(scenario, listener)
  const core = any?.core ?? null
  const clock = new NaiveClock(referee.books, scenario, cost)
  const { rows } = run.journal
  const stopAfter = plan.faults > 0 && chance.percent(30) ? chance.below(chance.pick([4, 20, 40])) : Infinity
  const most = 10 + 2 * jobs * (scenario.stages.length + 1) + (plan.plain ? 0 : OTHER_INSTANTS)
  let ending: Ending | null = null
  for (let n = 0; ending === null; n++) {
    claim(n < most, () => 'the run does not end')
    const from = rows.length
    // A journal is full after any row, so each step plays one instant.
    ending = n < stopAfter ? run.play(from + 1) : run.stop()
    let facts = from
    while (facts < rows.length && isFact(rows.kind[facts])) facts++
    const instant = Array.from({ length: rows.length - from }, (_, i) => rowAt(rows, from + i))
    clock.facts(instant.slice(0, facts - from))
    clock.orders(instant.slice(facts - from))
    if (rows.length > from) referee.check(core, run.journal, from, facts)
    clock.settled(referee.books.time)
    if (ending === null) referee.keep(core, run.journal)
  }
  referee.review(core, run.journal)
  referee.end(core, ending)
  return game
}

/** The scenario of a plan for the simulation: with random services and arrivals, fewer cores than workers, and troubles. */
function drawForSimulation(plan: Plan): Scenario {
  const { scenario } = draw(plan)
  const chance = createChance(plan.seed ^ 0x3a9f)
  const fashion = fashionOf(plan.seed)
  const usual = {
    ...scenario,
    source: {
      ...sourceOf(scenario, chance),
      ...(scenario.source.retry && { retry: scenario.source.retry }),
      ...(scenario.source.classes && { classes: scenario.source.classes }),
    },
    stages: scenario.stages.map((stage) => ({
      ...stage,
      service: serviceOf(chance),
      work: chance.pick(['burn', 'burn', 'wait']),
    })),
    groupSwitchCost: createChance(plan.seed ^ 0x6c).pick([0, 30, 700]),
    cores: chance.pick([scenario.workers, scenario.workers, 1, 2]),
    // A worker that hangs is given up after two seconds or more.
    ...slower(scenario, 40_000),
    later: scenario.later.map((turn) => ({ ...turn, ...slower(turn, 40_000) })),
    workerEvents: withTroubles(scenario, Math.min(plan.faults, chance.pick([0, 0, 1, 3])), chance, 6000),
  }
  const parsed = parse(inFashion(fashion, usual, scenario, plan))
  if ('problems' in parsed)
    throw new Error(`seed ${plan.seed} draws no scenario for the simulation: ${JSON.stringify(parsed.problems)}`)
  return parsed.scenario
}

/** What a simulated game is made of: anything, times that coincide, many troubles, second batches over a network, or jobs one by one. */
type Fashion = 'any' | 'grid' | 'troubles' | 'ahead' | 'oneByOne'

function fashionOf(seed: number): Fashion {
  return createChance(seed ^ 0x6fa5).pick<Fashion>([
    'any',
    'any',
    'grid',
    'grid',
    'grid',
    'troubles',
    'troubles',
    'troubles',
    'troubles',
    'ahead',
    'ahead',
    'oneByOne',
  ])
}

/** All times of a grid are multiples of this. */
const GRID = 5000

/** The same scenario with more of what its fashion is about. */
function inFashion(
  fashion: Fashion,
  usual: Pick<Scenario, 'later'> & { readonly stages: readonly Pick<Scenario['stages'][number], 'fails'>[] },
  scenario: Scenario,
  { seed, faults, shards = false }: Plan,
): object {
  const chance = createChance(seed ^ 0x19e3)
  const constant = (mean: number) => ({ kind: 'constant', mean })
  const fails = () =>
    chance.percent(60)
      ? { jobs: Array.from({ length: chance.between(1, 4) }, () => chance.below(12)), tries: chance.between(1, 3) }
      : null
  const cores = () => (chance.percent(40) ? { cores: chance.between(1, 4) } : {})
  const later = usual.later.map((turn) => ({ ...turn, ...cores() }))
  switch (fashion) {
    case 'any':
      return { ...usual, later }
    case 'grid':
    case 'troubles': {
      const isGrid = fashion === 'grid'
      const events = withTroubles(
        scenario,
        Math.min(faults, chance.between(3, 8)),
        chance,
        isGrid ? 8 * GRID : chance.pick([100, 800, 4000]),
      ).map((event) => ({
        ...event,
        ...(isGrid && { at: onGrid(event.at), kind: event.kind === 'hang' ? 'crash' : event.kind }),
      }))
      // A worker may be in trouble as soon as it joins.
      const withJoined = events.flatMap((event) =>
        event.kind === 'join' && chance.percent(50)
          ? [event, { ...event, kind: chance.pick(isGrid ? ['crash', 'leave'] : ['crash', 'leave', 'hang']) }]
          : [event],
      )
      return {
        ...usual,
        // No worker of a grid hangs, so ticks may come often.
        ...(isGrid && { source: onGridFrom(scenario), switchCost: 0, network: null, ...pidOnGrid(scenario) }),
        stages: usual.stages.map((stage) => ({
          ...stage,
          fails: fails() ?? stage.fails,
          ...(isGrid && { service: constant(GRID * chance.pick([1, 1, 2])), startUp: null }),
        })),
        ...(isGrid && chance.percent(60) && { cores: scenario.workers + scenario.workerEvents.length }),
        later: isGrid ? [] : later,
        workerEvents: withJoined,
      }
    }
    case 'ahead':
      return {
        ...usual,
        stages: usual.stages.map((stage) => ({
          ...stage,
          service: constant(chance.pick([40, 300])),
          fails: chance.percent(30) ? fails() : null,
        })),
        batch: { size: chance.between(1, 3), inHand: shards ? 1 : 2 },
        network: chance.percent(60) ? { roundTrip: chance.pick([2, 75, 900]), loss: chance.pick([0, 0.3]) } : null,
        later: [],
      }
    case 'oneByOne':
      return {
        ...usual,
        stages: usual.stages.map((stage) => ({ ...stage, resource: null, fails: null, startUp: null, work: 'burn' })),
        batch: { size: 1, inHand: 1 },
        cores: scenario.workers,
        switchCost: 0,
        groupSwitchCost: 0,
        network: null,
        workerEvents: [],
        later: [],
      }
  }
}

/** A controller that often dismisses a busy worker, in place of any other. */
function pidOnGrid({ policy }: Scenario) {
  return 'every' in policy
    ? { policy: { kind: 'pid', every: 4 * GRID, kp: 1, ki: 0, kd: 0, setpoint: 2, up: -1, down: 0, max: null } }
    : {}
}

function onGridFrom({ source }: Scenario) {
  return source.kind === 'times' ? { ...source, at: source.at.map(onGrid) } : source
}

const onGrid = (time: number) => Math.round(time / GRID) * GRID

function serviceOf(chance: Chance) {
  const mean = chance.pick([1, 40, 300, 5000])
  return chance.pick([
    { kind: 'constant', mean },
    { kind: 'uniform', min: mean, max: 3 * mean },
    { kind: 'exponential', mean },
    { kind: 'erlang', mean, k: chance.between(1, 4) },
    { kind: 'pareto', mean, alpha: 3 },
    { kind: 'bimodal', fast: mean, slow: 20 * mean, pSlow: 0.2 },
    { kind: 'empirical', values: [mean, 2 * mean, 7 * mean] },
  ])
}

function sourceOf({ source }: Scenario, chance: Chance) {
  const jobs = countJobs(source)
  if (source.kind !== 'times' || jobs === 0) return source
  const rate = chance.pick([50, 2000, 100_000])
  return chance.pick([
    source,
    { kind: 'poisson', rate, jobs },
    { kind: 'regular', rate, jobs },
    { kind: 'bursts', rate, burstRate: 10 * rate, on: 2000, off: 5000, jobs },
  ])
}
