import { createLogLines } from '../../engine/work/sampleLine.ts'

/** All users get the same sample. */
const SEED = 1

/** Returns a few megabytes of a web gateway's log, one JSON record per line: the same bytes at every call and everywhere. */
export function makeSample(lines = 16_000): Blob {
  const line = createLogLines(SEED)
  const parts: string[] = []
  for (let k = 0; k < lines; k++) parts.push(line(k), '\n')
  return new Blob([parts.join('')], { type: 'application/x-ndjson' })
}
