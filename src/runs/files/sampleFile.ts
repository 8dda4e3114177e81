import { createLogLines } from '../../engine/work/sampleLine.ts'

/** The seed of the sample: whoever uses it works on the same bytes. */
const SEED = 1

/** A few megabytes of a web gateway's log, one JSON record a line: the same bytes everywhere, at every call. */
export function makeSample(lines = 16_000): Blob {
  const line = createLogLines(SEED)
  const parts: string[] = []
  for (let k = 0; k < lines; k++) parts.push(line(k), '\n')
  return new Blob([parts.join('')], { type: 'application/x-ndjson' })
}
