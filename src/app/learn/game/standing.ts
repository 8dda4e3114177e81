import { type Counts, IDLE } from '../../../pipeline/counts.ts'
import { WAIT } from './game.ts'

/** Where each idle worker stands, by number; NONE: nowhere yet. */
export function standing({ status, stage }: Counts): number[] {
  return Array.from(stage).filter((_, w) => status[w] === IDLE)
}

/** Those of them who are left when some go: to a stage whoever is there already, else the first, as the scheduler sends them. */
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
