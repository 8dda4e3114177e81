/** Seeded dice for long walks: `below(n)` is a whole number from 0 to n - 1. A linear congruential generator, as plain as can be. */
export function createDice(seed: number) {
  let state = seed >>> 0
  return {
    below(n: number): number {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return Math.floor((state / 0x100000000) * n)
    },
  }
}

export type Dice = ReturnType<typeof createDice>
