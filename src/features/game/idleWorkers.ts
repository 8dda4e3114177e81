import { type Counts, IDLE } from '../../pipeline/counts.ts'
import { WAIT } from './game.ts'

/** Returns where each idle worker stands, by number; NONE for nowhere. */
export function idleWorkerStages({ status, stage }: Counts): number[] {
  return Array.from(stage).filter((_, w) => status[w] === IDLE)
}

/** Returns those who are left when some go. A stage gets who stands there already, or else the first, as the scheduler does it. */
export function leftBehind(idle: readonly number[], going: readonly number[]): number[] {
  const left = idle.slice()
  const take = (at: number) => left.splice(at, 1)
  const others = going.filter((place) => {
    const at = left.indexOf(place)
    if (place === WAIT || at < 0) return true
    take(at)
    return false
  })
  for (const place of others) take(place === WAIT ? left.length - 1 : 0)
  return left
}
