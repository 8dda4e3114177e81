/** The code that a form begins with: the least total time, seat by seat. */
export const leastTotalTimeCode = `// Each seat goes where it saves the most waiting time: waiting x mean / ((seats + 1) (seats + 2)).
export default function allocate(view) {
  const seats = view.stages.map(() => 0)
  const open = view.stages.map((stage, s) => ({ ...stage, s })).filter((stage) => !stage.done)
  open.sort((a, b) => (a.id < b.id ? -1 : 1))
  for (let n = 0; n < view.workers && open.length > 0; n++) {
    let best = open[0]
    for (const stage of open) if (gain(stage, seats) > gain(best, seats)) best = stage
    seats[best.s]++
  }
  return seats
}

function gain({ waiting, mean, s }, seats) {
  return (waiting * mean) / ((seats[s] + 1) * (seats[s] + 2))
}
`
