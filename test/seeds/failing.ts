import type { Plan } from './plans.ts'
import { playRoom } from './roomGame.ts'
import { playSimulated } from './simulatedGame.ts'
import { playThreads } from './threadGame.ts'
import { type Game, playWorld } from './world.ts'

/** Plays a game to its end; throws at the first broken rule. */
export async function play(plan: Plan, watch?: (game: Game) => void): Promise<Game> {
  if (plan.plain || plan.simulated) return playSimulated(plan, watch)
  if (plan.room) return playRoom(plan, watch)
  return plan.threads ? playThreads(plan, watch) : playWorld(plan, watch)
}

/** What a plan fails with; null if it plays through. */
export async function failureOf(plan: Plan): Promise<{ readonly message: string; readonly game: Game | null } | null> {
  let game: Game | null = null
  try {
    await play(plan, (begun) => {
      game = begun
    })
    return null
  } catch (error) {
    return { message: error instanceof Error ? `${error.message}\n${error.stack?.split('\n').slice(1, 4).join('\n')}` : String(error), game }
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
  for (let faults = 0; faults < Math.min(30, smallest.faults); faults++) if (await tryWith({ ...smallest, faults })) break
  return smallest
}

/** All one needs to look into a failure: the plan to pin, the scenario, the last rows. */
export async function report(plan: Plan): Promise<string> {
  const small = await shrink(plan)
  const failure = await failureOf(small)
  if (failure === null) return `seed ${plan.seed} fails now and then: the world is not deterministic`
  const rows = failure.game?.referee.lately(30) ?? []
  return [`${JSON.stringify(small)} breaks a rule: ${failure.message}`, JSON.stringify(failure.game?.scenario), ...rows].join('\n')
}
