/**
 * A simulator of queues in a row, in a few lines and apart from the engine: each stage serves in order of arrival with the given number of
 * workers. It writes what a monitor of such a system would.
 */
export interface PlainSystem {
  /** Jobs per second at a time in seconds. */
  readonly rate: (time: number) => number
  readonly most: number
  readonly seconds: number
  /** `spread`: the coefficient of variation of the services: 0 constant, 1 exponential, between them a sum of exponentials. */
  readonly stages: readonly { readonly workers: number; readonly mean: number; readonly spread: number }[]
}

/** The extra columns of a log: the mean measured service time of each second, and a counter of completed jobs. */
export interface Telling {
  readonly measured: boolean
  readonly completed: boolean
}

/** Plays a system. Returns by stage when each job came, began and left, in seconds. */
function servedStages({ rate, most, seconds, stages }: PlainSystem, seed: number) {
  const random = randomFrom(seed)
  const gap = (mean: number) => -mean * Math.log(1 - random())
  let coming: number[] = []
  for (let t = gap(1 / most); t < seconds; t += gap(1 / most)) if (random() * most < rate(t)) coming.push(t)
  return stages.map(({ workers, mean, spread }, s) => {
    const phases = spread > 0 ? Math.round(1 / (spread * spread)) : 0
    const free = Array.from({ length: workers }, () => 0)
    const jobs = coming.map((came) => {
      free.sort((a, b) => a - b)
      const began = Math.max(came, free[0])
      let service = phases === 0 ? mean : 0
      for (let k = 0; k < phases; k++) service += gap(mean / phases)
      free[0] = began + service
      return { came, began, left: began + service }
    })
    coming = jobs.map(({ left }) => left).sort((a, b) => a - b)
    return { name: `stage ${s + 1}`, workers, mean, jobs }
  })
}

/** Returns a log in CSV, with a sample per second. */
export function plainLog(system: PlainSystem, seed: number, { measured, completed }: Telling): string {
  const rows = [`time,stage,queue,service_ms,workers${completed ? ',completed' : ''}`]
  const stages = servedStages(system, seed)
  for (let t = 1; t <= system.seconds; t++)
    for (const { name, workers, mean, jobs } of stages) {
      const queue = jobs.filter(({ came, began }) => came <= t && began > t).length
      const ended = jobs.filter(({ left }) => left > t - 1 && left <= t)
      const service =
        measured && ended.length > 0
          ? ended.reduce((sum, { began, left }) => sum + left - began, 0) / ended.length
          : mean
      const all = jobs.filter(({ left }) => left <= t).length
      rows.push(`${t},${name},${queue},${(service * 1000).toFixed(3)},${workers}${completed ? `,${all}` : ''}`)
    }
  return rows.join('\n')
}

/** Numbers in [0, 1) by the generator of Park and Miller (1988). */
function randomFrom(seed: number): () => number {
  let state = (seed * 7919 + 1) % 2_147_483_647
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
