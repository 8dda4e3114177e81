/** The most dots of a half circle: more could not be told apart. */
const MOST_DOTS = 256

/** Seats as a half circle shows them. */
export interface SeatDots {
  /** How many seats a dot stands for: 1 while there are few. */
  readonly each: number
  readonly dots: number
  /** By stage, dots for its seats and for the workers posted there. */
  readonly seats: readonly number[]
  readonly posted: readonly number[]
}

/**
 * Returns the dots for so many workers. Each stands for 1, 2 or 5 times a power of ten of them. Borders between stages are rounded, not stages, so
 * the shares stay true from left to right; a stage with less than half a dot may have none.
 */
export function seatDots(workers: number, seats: readonly number[], posted: readonly number[] = seats): SeatDots {
  const each = seatsADot(workers)
  if (each === 1) return { each, dots: workers, seats, posted }
  let upTo = 0
  const rounded = seats.map((n) => {
    const before = Math.round(upTo / each)
    upTo += n
    return Math.round(upTo / each) - before
  })
  // Rounded as what is missing or too many, so that a stage with all its workers is full.
  const there = posted.map((n, stage) => Math.max(0, rounded[stage] + Math.round((n - seats[stage]) / each)))
  return { each, dots: Math.ceil(workers / each), seats: rounded, posted: there }
}

/** Returns how many seats a dot stands for. */
function seatsADot(workers: number): number {
  for (let power = 1; ; power *= 10) for (const digit of [1, 2, 5]) if (workers <= MOST_DOTS * digit * power) return digit * power
}
