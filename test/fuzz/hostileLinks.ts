import { checksum, deflate, toBase64url } from '../../src/scenario/link/codec.ts'
import { MAX_INFLATED, MAX_LINK } from '../../src/scenario/model/limits.ts'
import { SCENARIO_VERSION } from '../../src/scenario/model/scenario.ts'

/** A short link with any bytes and a correct checksum, so that errors are found after it. */
export function shortOf(bytes: Uint8Array): string {
  const version = SCENARIO_VERSION.toString(36)
  const body = toBase64url(bytes)
  return `#s=${version}${checksum(version + body)}${body}`
}

/** Links that are as long, as deep or as compressed as possible; `short` is a valid one. */
export function hostileLinks(short: string): readonly string[] {
  const bomb = new Uint8Array(MAX_INFLATED * 4)
  const many = (item: string, around: (list: string) => string) =>
    `#json=${around(Array.from({ length: 60_000 }, () => item).join(','))}`
  return [
    shortOf(deflate(bomb)),
    shortOf(deflate(bomb.fill(0x5b))),
    `#json=${'['.repeat(MAX_LINK - 10)}`,
    `#json=${'%5B'.repeat(330_000)}`,
    `#json=${'%'.repeat(MAX_LINK - 10)}`,
    `#json=${'{"a":'.repeat(190_000)}`,
    `#json={"version":1,"title":"${'x'.repeat(MAX_LINK - 100)}"}`,
    many('{}', (list) => `{"version":1,"stages":[${list}]}`),
    many('["A","A"]', (list) => `{"version":1,"links":[${list}]}`),
    many('[1,1]', (list) => `{"version":1,"source":{"kind":"steps","points":[${list}]},"stages":[]}`),
    many(
      '1',
      (list) =>
        `{"version":1,"source":{"kind":"batch","jobs":1},"stages":[{"id":"A","service":{"kind":"empirical","samples":[${list}]}}]}`,
    ),
    `#json={${Array.from({ length: 68_000 }, (_, i) => `"k${i}":${i}`).join(',')}}`,
    `#ask=${'['.repeat(MAX_LINK - 10)}`,
    `#s=1${'A'.repeat(MAX_LINK - 10)}`,
    `#json=${'{'.repeat(MAX_LINK * 2)}`,
    `#${'='.repeat(MAX_LINK - 10)}`,
    'x'.repeat(50_000_000),
    `${short}${'&t=1'.repeat(240_000)}`,
    `${short}&policies=${'leastScore,'.repeat(90_000)}`,
  ]
}
