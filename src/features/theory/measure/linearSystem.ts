/** Square matrices as arrays of rows. */
export type Matrix = readonly Float64Array[]

/** Returns the matrix with these entries. */
export function matrixOf(size: number, entry: (row: number, column: number) => number): Matrix {
  return Array.from({ length: size }, (_, row) => Float64Array.from({ length: size }, (_, column) => entry(row, column)))
}

export function product(a: Matrix, b: Matrix): Matrix {
  return a.map((row) => {
    const sum = new Float64Array(row.length)
    for (const [k, factor] of row.entries()) if (factor !== 0) for (let j = 0; j < sum.length; j++) sum[j] += factor * b[k][j]
    return sum
  })
}

export function sumOf(a: Matrix, b: Matrix): Matrix {
  return a.map((row, i) => row.map((value, j) => value + b[i][j]))
}

/** Returns X with a X = b, by elimination with the greatest pivots. Throws RangeError for a singular `a`. */
export function solved(a: Matrix, b: Matrix): Matrix {
  const left = a.map((row) => row.slice())
  const right = b.map((row) => row.slice())
  const { length } = left
  for (let k = 0; k < length; k++) {
    let pivot = k
    for (let i = k + 1; i < length; i++) if (Math.abs(left[i][k]) > Math.abs(left[pivot][k])) pivot = i
    if (left[pivot][k] === 0) throw new RangeError('the matrix is singular')
    for (const rows of [left, right]) [rows[k], rows[pivot]] = [rows[pivot], rows[k]]
    for (let i = 0; i < length; i++) {
      const factor = left[i][k] / left[k][k]
      if (i === k || factor === 0) continue
      for (let j = k; j < length; j++) left[i][j] -= factor * left[k][j]
      for (let j = 0; j < right[i].length; j++) right[i][j] -= factor * right[k][j]
    }
  }
  return right.map((row, i) => row.map((value) => value / left[i][i]))
}

/** Returns x with a x = b. */
export function solvedFor(a: Matrix, b: Float64Array): Float64Array {
  const columns = solved(
    a,
    Array.from(b, (value) => Float64Array.of(value)),
  )
  return Float64Array.from(columns, ([value]) => value)
}
