import { logPointsOf } from '../../src/features/logs/measure/logPoints.ts'
import { openLoopOf } from '../../src/features/logs/measure/openLoop.ts'
import type { SystemLog } from '../../src/features/logs/read/log.ts'
import { createLogReader, logOf } from '../../src/features/logs/read/readLog.ts'
import { guessMapping } from '../../src/features/logs/read/seriesRoles.ts'
import { type BenchRow, least, timeOf } from './tools.ts'

/** Bytes per read, as on the thread of the page. */
const PART = 1 << 22
const stages = ['fetch', 'resize', 'upload']

/**
 * Logs of 16 to 40 MB, from their bytes to columns with every row checked, compared with simple code without checks:
 * a CSV split at its line breaks and commas, JSON given to `JSON.parse`. All alternate; the best of several runs of each
 * counts. Also the time to apply a policy to every point of the log.
 */
export default async function log(tools?: { readonly quick: boolean }): Promise<BenchRow[]> {
  const points = tools?.quick ? 5000 : 160_000
  const rows = Array.from({ length: points * stages.length }, (_, k) => ({
    time: 1_772_442_000 + Math.floor(k / 3) * 0.25,
    stage: stages[k % 3],
    queue: (k * 7919) % 1613,
    service_ms: Math.round(((k * 104_729) % 500_000) / 10) / 100 + 1,
    workers: (k >> 4) % 7,
  }))
  const csv = `time,stage,queue,service_ms,workers\n${rows.map((row) => Object.values(row).join(',')).join('\n')}\n`
  const values = (key: 'queue' | 'service_ms' | 'workers', s: number) =>
    rows.filter((_, k) => k % 3 === s).map((row) => [row.time, String(row[key])])
  const series = (['queue', 'service_ms', 'workers'] as const).flatMap((key) =>
    stages.map((stage, s) => ({ metric: { __name__: key, stage }, values: values(key, s) })),
  )
  const json = JSON.stringify(rows)
  const files: [name: string, text: string, plain: (text: string) => unknown, against: string][] = [
    ['CSV', csv, split, 'a plain split'],
    ['a list of objects', json, JSON.parse, 'JSON.parse'],
    [
      'an object a line',
      json.slice(1, -1).replaceAll('},{', '}\n{'),
      (text) => text.split('\n').map((line) => JSON.parse(line)),
      'JSON.parse',
    ],
    [
      'series of Prometheus',
      JSON.stringify({ status: 'success', data: { resultType: 'matrix', result: series } }),
      JSON.parse,
      'JSON.parse',
    ],
  ]
  const rounds = tools?.quick ? 1 : 4
  const measured: BenchRow[] = []
  for (const [name, text, plain, against] of files) {
    const bytes = new TextEncoder().encode(text)
    const { theirs, best } = await least(rounds, {
      theirs: () => timeOf(() => plain(new TextDecoder().decode(bytes))),
      best: () => timeOf(() => read(bytes)),
    })
    measured.push({
      name: `opening a log: ${name}`,
      figures: {
        megabytes: Math.round(bytes.length / 1e6),
        rows: rows.length,
        ms: Math.round(best),
        'MB a second': Math.round(bytes.length / 1000 / best),
        [`${against}, ms`]: Math.round(theirs),
        'times as fast': Math.round((100 * theirs) / best) / 100,
      },
    })
  }
  const opened = logPointsOf(read(new TextEncoder().encode(csv)))
  const { asked } = await least(rounds, {
    asked: () => timeOf(() => openLoopOf(opened, { kind: 'leastScore', lend: true }, 8)),
  })
  return [...measured, { name: 'asking at every point', figures: { points: opened.length, ms: Math.round(asked) } }]
}

function split(text: string): unknown {
  return text.split('\n').map((line) => {
    const [at, stage, queue, service, workers] = line.split(',')
    return { time: Number(at), stage, queue: Number(queue), service: Number(service), workers: Number(workers) }
  })
}

function read(bytes: Uint8Array): SystemLog {
  const reader = createLogReader()
  for (let from = 0; from < bytes.length; from += PART) reader.push(bytes.subarray(from, from + PART))
  const end = reader.end()
  const result = 'series' in end ? logOf(end, guessMapping(end).mapping) : end
  if (!('log' in result) || result.bad > 0) throw new Error(JSON.stringify(result.problems))
  return result.log
}
