import { beats, type Divisors, type Eligible, quotient, type Votes } from './apportion.ts'

export interface Round {
  /** By stage, before the seat was given; NaN for a stage that is done. */
  readonly quotients: readonly number[]
  readonly winner: number
  /** Stages with an equal claim that lost by their index, in ascending order. */
  readonly tied: readonly number[]
  /** The stage that would have got the seat without the winner; -1 if there is none. */
  readonly runnerUp: number
}

/** Returns the rounds in which `apportion` gives the seats, one a seat, for showing them; none if no stage is eligible. */
export function roundsOf(votes: Votes, eligible: Eligible, workers: number, divisors: Divisors): Round[] {
  const standing = Array.from(votes, (_, s) => s).filter((s) => eligible[s] !== 0)
  const seats = Array.from(votes, () => 0)
  const rounds: Round[] = []
  if (standing.length === 0) return rounds
  for (let seat = 0; seat < workers; seat++) {
    const quotients = Array.from(votes, (v, s) => (eligible[s] === 0 ? Number.NaN : quotient(v, divisors, seats[s])))
    const stronger = (a: number, b: number) => (beats(votes, b, quotients[b], a, quotients[a]) ? b : a)
    const winner = standing.reduce(stronger)
    const others = standing.filter((s) => s !== winner)
    const ties = (s: number) =>
      quotients[s] === quotients[winner] && (quotients[s] !== Infinity || votes[s] === votes[winner])
    rounds.push({
      quotients,
      winner,
      tied: others.filter(ties),
      runnerUp: others.length === 0 ? -1 : others.reduce(stronger),
    })
    seats[winner]++
  }
  return rounds
}
