/**
 * Ten minutes of a photo service, as its monitor saw them: photos are fetched, resized and uploaded by twelve workers. At 09:03 more
 * photos arrive. At 09:04 an operator sees a queue at Fetch and moves a worker there, away from Resize, which needs it most. At 09:07 the
 * worker goes back. Returns the log in CSV, always the same bytes: whole milliseconds and no functions that differ between machines.
 */
export function sampleIncident(): string {
  const random = randomFrom(11)
  const stages = means.map(({ name }): Stage => ({ name, queue: 0, done: 0, took: 0, fresh: 0, serving: [] }))
  const rows = ['time,stage,queue,service_ms,workers,completed']
  for (let now = WARM_UP; now <= END; now += STEP) {
    stages.forEach((stage, s) => {
      for (const each of stage.serving.filter(({ until }) => until <= now)) {
        stage.done++
        stage.fresh++
        stage.took += each.took
        if (s + 1 < stages.length) stages[s + 1].queue++
      }
      stage.serving = stage.serving.filter(({ until }) => until > now)
    })
    if (random() * 1_000_000 < rateAt(now) * STEP * 1000) stages[0].queue++
    stages.forEach((stage, s) => {
      while (stage.queue > 0 && stage.serving.length < crewAt(now)[s]) {
        stage.queue--
        const took = STEP * Math.max(1, Math.round((means[s].ms * (0.3 + 1.4 * random())) / STEP))
        stage.serving.push({ until: now + took, took })
      }
    })
    if (now >= 0 && now % EVERY === 0)
      stages.forEach((stage, s) => {
        const service = stage.fresh > 0 ? (stage.took / stage.fresh).toFixed(1) : ''
        rows.push(`${clockAt(now)},${stage.name},${stage.queue},${service},${crewAt(now)[s]},${stage.done}`)
        stage.took = 0
        stage.fresh = 0
      })
  }
  return `${rows.join('\n')}\n`
}

interface Stage {
  readonly name: string
  queue: number
  /** Jobs so far; since the last row, and their service times. */
  done: number
  fresh: number
  took: number
  serving: readonly { readonly until: number; readonly took: number }[] & {
    push(job: { until: number; took: number }): void
  }
}

/** In milliseconds. */
const STEP = 10
const EVERY = 5000
const WARM_UP = -60_000
const END = 600_000
const SURGE = [180_000, 330_000] as const
const MISTAKE = [240_000, 420_000] as const
const means = [
  { name: 'Fetch', ms: 360 },
  { name: 'Resize', ms: 700 },
  { name: 'Upload', ms: 350 },
] as const

/** Photos per second. */
function rateAt(now: number): number {
  return now >= SURGE[0] && now < SURGE[1] ? 7.9 : 6
}

function crewAt(now: number): readonly number[] {
  return now >= MISTAKE[0] && now < MISTAKE[1] ? [4, 5, 3] : [3, 6, 3]
}

function clockAt(now: number): string {
  const two = (n: number) => String(n).padStart(2, '0')
  return `2026-03-02T09:${two(Math.floor(now / 60_000))}:${two(Math.floor(now / 1000) % 60)}Z`
}

/** Numbers in [0, 1) by the generator of Park and Miller (1988). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
