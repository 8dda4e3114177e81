/** The logo: a small parliament. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 30 18" width="30" height="18" aria-hidden="true">
      {seats.map(([x, y, stage]) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r="2.3" className={`seat-${stage}`} />
      ))}
    </svg>
  )
}

const seats: readonly (readonly [x: number, y: number, stage: number])[] = [
  [3, 14.5, 1],
  [5.2, 8.4, 1],
  [10.2, 4.2, 2],
  [16.6, 3.1, 2],
  [22.4, 5.6, 3],
  [26, 10.4, 3],
  [27, 15.6, 4],
  [9.6, 14.8, 1],
  [12.4, 10.2, 2],
  [17.6, 10, 3],
  [20.6, 14.6, 4],
]
