import type { Scenario } from '../scenario/model/scenario.ts'
import { createRandom, randomKey } from './random.ts'

/**
 * Returns a function that tells which stage a job goes to from a stage that routes, both by number: by (seed, stage, job), in proportion
 * to the weights, and independent of its services.
 */
export function routingOf({ seed, stages }: Pick<Scenario, 'seed' | 'stages'>): (stage: number, job: number) => number {
  const routes = stages.map(({ id, fanOut }) => {
    if (fanOut === 'copy') return null
    const ways = stages.flatMap((stage, to) => (Object.hasOwn(fanOut.route, stage.id) ? [{ to, weight: fanOut.route[stage.id] }] : []))
    const total = ways.reduce((sum, { weight }) => sum + weight, 0)
    // No stage id has a space, so no stage has this key.
    return { ways, total, random: createRandom(seed, randomKey(`${id} routes`)) }
  })
  return (stage, job) => {
    const route = routes[stage]
    if (route === null) throw new RangeError(`stage ${stage} routes nothing`)
    let left = route.random(job, 0) * route.total
    for (const { to, weight } of route.ways) {
      left -= weight
      if (left < 0) return to
    }
    return route.ways[route.ways.length - 1].to
  }
}
