import type { PlainSystem } from './plainQueue.ts'

/** Three stages whose numbers depend on the seed, so that no two logs come from the same system. */
function stagesOf(seed: number, rate: number, loads: readonly number[]): PlainSystem['stages'] {
  const spreads = [1, 0.5, 0, 0.7]
  return loads.map((load, s) => {
    const workers = 1 + ((seed * 5 + s * 3) % 4)
    return { workers, mean: (load * workers) / rate, spread: spreads[(seed + s) % 4] }
  })
}

const pick = (seed: number, salt: number, values: readonly number[]) => values[(seed * 7 + salt * 3) % values.length]

/** By name: systems that are logged for some minutes. The loads are those at the mean rate. */
export const hiddenSystems: Readonly<Record<string, (seed: number) => PlainSystem>> = {
  steady(seed) {
    const rate = pick(seed, 0, [3, 6, 12, 20])
    const loads = [0, 1, 2].map((s) => pick(seed, s + 1, [0.6, 0.7, 0.8, 0.85, 0.75]))
    return { rate: () => rate, most: rate, seconds: 600, stages: stagesOf(seed, rate, loads) }
  },
  surge(seed) {
    const rate = pick(seed, 0, [3, 6, 10])
    const loads = [0, 1, 2].map((s) => pick(seed, s + 2, [0.5, 0.6, 0.7, 0.4, 0.65]))
    const surge = (t: number) => (t >= 200 && t < 380 ? 1.9 : 1)
    return { rate: (t) => rate * surge(t), most: 1.9 * rate, seconds: 720, stages: stagesOf(seed, rate, loads) }
  },
  wave(seed) {
    const rate = pick(seed, 0, [4, 8, 12])
    const loads = [0, 1, 2].map((s) => pick(seed, s + 3, [0.6, 0.7, 0.75, 0.55]))
    return {
      rate: (t) => rate * (1 + 0.5 * Math.sin((2 * Math.PI * t) / 400)),
      most: 1.5 * rate,
      seconds: 800,
      stages: stagesOf(seed, rate, loads),
    }
  },
}
