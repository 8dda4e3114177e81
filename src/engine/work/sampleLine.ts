import { createRandom, type RandomDraw, randomKey } from '../../workload/random.ts'

const methods = ['GET', 'GET', 'GET', 'GET', 'POST', 'PUT', 'HEAD', 'DELETE']
const statuses = [200, 200, 200, 200, 200, 200, 204, 301, 304, 304, 400, 401, 404, 404, 429, 500, 502, 503]
const services = ['catalogue', 'basket', 'search', 'accounts', 'payments', 'images']
const things = ['lamp', 'kettle', 'bicycle', 'atlas', 'violin', 'teapot', 'ladder', 'compass', 'lantern', 'hammock']
const agents = ['Firefox/153.0', 'Chrome/156.0', 'Safari/26.2', 'curl/8.15', 'Googlebot/2.1', 'okhttp/5.1']
const notes = ['cache miss', 'retried upstream', 'slow replica chosen', 'token renewed', 'rate limit near', 'fallback image served']

/** 14 November 2026, 00:00 UTC, in milliseconds since 1970. */
const BEGIN = 1_794_614_400_000

/** Returns a function for line k of an endless web gateway log, JSON, equal for equal seeds. Lines have some 150 bytes; a quarter up to ten times that. */
export function createLogLines(seed: number): (k: number) => string {
  const random = createRandom(seed, randomKey('sample'))
  return (k) => JSON.stringify(recordAt(random, k))
}

function recordAt(random: RandomDraw, k: number) {
  let draw = 0
  const below = (sides: number): number => Math.floor(random(k, draw++) * sides)
  const one = <T>(list: readonly T[]): T => list[below(list.length)]
  const method = one(methods)
  const status = one(statuses)
  const thing = one(things)
  const record = {
    // Requests come about 250 ms apart, so that times ascend line by line.
    time: new Date(BEGIN + k * 250 + below(250)).toISOString(),
    request: `${hex(below(0x1000000), 6)}${hex(k, 8)}`,
    service: one(services),
    method,
    path: `/${thing}s/${below(9000) + 1000}${below(3) === 0 ? `/reviews?page=${below(20) + 1}` : ''}`,
    status,
    bytes: status === 304 || method === 'HEAD' ? 0 : 200 + below(300) * below(300),
    micros: 300 + below(200) * below(200),
    client: `10.${below(256)}.${below(256)}.${below(256)}`,
    agent: one(agents),
  }
  const length = below(4) > 0 ? 0 : 1 + Math.floor((below(12) * below(12)) / 12)
  if (length === 0) return record
  const behind = Array.from({ length }, (_, step) => ({ step, host: `${record.service}-${below(40)}.internal`, micros: 50 + below(4000), note: one(notes) }))
  return { ...record, behind }
}

function hex(n: number, digits: number): string {
  return n.toString(16).padStart(digits, '0')
}
