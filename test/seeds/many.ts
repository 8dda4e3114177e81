import { createDigest, type Digest } from '../trace/digestOf.ts'
import { type Plan, planOf, roomPlanOf, simulatedPlanOf, themePlanOf } from './plans.ts'
import { playRoom } from './roomGame.ts'
import { playSimulated } from './simulatedGame.ts'
import { playThreads } from './threadGame.ts'
import { type Game, playWorld } from './world.ts'

/** The result of many games. */
export interface Played {
  readonly games: number
  /** Rows of all of them: facts, orders and consequences. */
  readonly rows: number
  /** The first broken rule, with the smallest game that breaks it; null if there is none. */
  readonly failure: string | null
  /** Checksum of all rows and decisions. */
  readonly digest: string
}

/** Games of all kinds, or of one: in rooms, in the simulation, or with a theme. */
const plansOf = { all: planOf, rooms: roomPlanOf, simulated: simulatedPlanOf, themes: themePlanOf }
export type Games = keyof typeof plansOf

/** Plays the games of the seeds from `from` on and stops at the first that breaks a rule. */
export async function playSeeds(from: number, count: number, games: Games = 'all'): Promise<Played> {
  const digest = createDigest()
  let rows = 0
  for (let seed = from; seed < from + count; seed++) {
    const plan = plansOf[games](seed)
    try {
      const { referee } = await play(plan)
      rows += referee.rows.length
      addGame(digest, referee)
    } catch {
      return { games: seed - from + 1, rows, failure: await report(plan), digest: digest.toString() }
    }
  }
  return { games: count, rows, failure: null, digest: digest.toString() }
}

/** Finds the first seed, `known` ones first, whose game breaks a rule. Returns the seed and the rule in one line; null if there is none. */
export async function firstBroken(
  count: number,
  known: readonly number[],
  games: Games,
  onSeed: (seed: number) => void,
): Promise<{ readonly seed: number; readonly message: string } | null> {
  for (const seed of [...known, ...Array(count).keys()]) {
    onSeed(seed)
    const failure = await failureOf(plansOf[games](seed))
    if (failure !== null) return { seed, message: failure.message.split('\n')[0].slice(0, 160) }
  }
  return null
}

/** Adds a game to the digest, with the same fields as the digest of a run. */
function addGame({ mix, mixTime }: Digest, { rows, decisions }: Game['referee']): void {
  for (const { time, kind, stage, worker, job, began, ended } of rows) {
    mixTime(time)
    mix((kind << 24) ^ (stage << 12) ^ worker)
    mix(job)
    mixTime(began)
    mixTime(ended)
  }
  for (const { row, hash, seats } of decisions) {
    mix(row)
    mix(hash)
    for (const seat of seats) mix(seat)
  }
}

/** Plays a game to its end; throws at the first broken rule. */
export async function play(plan: Plan, watch?: (game: Game) => void): Promise<Game> {
  if (plan.plain || plan.simulated) return playSimulated(plan, watch)
  if (plan.room) return playRoom(plan, watch)
  return plan.threads ? playThreads(plan, watch) : playWorld(plan, watch)
}

/** Returns how a plan fails; null if it does not. */
export async function failureOf(plan: Plan): Promise<{ readonly message: string; readonly game: Game | null } | null> {
  let game: Game | null = null
  try {
    await play(plan, (started) => {
      game = started
    })
    return null
  } catch (error) {
    return {
      message:
        error instanceof Error ? `${error.message}\n${error.stack?.split('\n').slice(1, 4).join('\n')}` : String(error),
      game,
    }
  }
}

/** The smallest game of the same seed that still fails: fewer jobs first, then fewer faults. */
export async function shrink(plan: Plan): Promise<Plan> {
  let smallest = plan
  const tryWith = async (smaller: Plan) => {
    if ((await failureOf(smaller)) === null) return false
    smallest = smaller
    return true
  }
  for (let jobs = 0; jobs < Math.min(40, smallest.jobs); jobs++) if (await tryWith({ ...smallest, jobs })) break
  for (let faults = 0; faults < Math.min(30, smallest.faults); faults++)
    if (await tryWith({ ...smallest, faults })) break
  return smallest
}

/** Returns a report of a failure: the plan to pin, the scenario, the last rows. */
export async function report(plan: Plan): Promise<string> {
  const small = await shrink(plan)
  const failure = await failureOf(small)
  if (failure === null) return `seed ${plan.seed} fails now and then: the world is not deterministic`
  const rows = failure.game?.referee.lastLines(30) ?? []
  return [
    `${JSON.stringify(small)} breaks a rule: ${failure.message}`,
    JSON.stringify(failure.game?.scenario),
    ...rows,
  ].join('\n')
}
