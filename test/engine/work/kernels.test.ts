import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { bytesOf, canonicalText, joinedBytes, kernelFunctions, type Payload } from '../../../src/engine/work/kernels.ts'

const { parseJson, validate, sha256, gzip } = kernelFunctions

describe('real work', () => {
  test('reads a line of JSON, and reports a line that is not JSON', () => {
    expect(parseJson('{"a":[1,2]}')).toEqual({ record: { a: [1, 2] } })
    expect(() => parseJson('{"a":')).toThrow('this line is not JSON: {"a":')
  })

  test.each([
    ['[1]', 'at least one field: [1]'],
    ['null', 'at least one field: null'],
    ['7', 'at least one field: 7'],
    ['{}', 'at least one field'],
  ])('takes %s for no record', async (line, reason) => {
    const payload = await parseJson(line)
    expect(() => validate(payload)).toThrow(reason)
  })

  test('removes spaces around the texts of a record', () => {
    expect(validate({ record: { a: ' x ', b: 1, c: { d: ' y ' } } })).toEqual({
      record: { a: 'x', b: 1, c: { d: ' y ' } },
    })
    expect(() => validate('{"a":1}')).toThrow('another stage must come before this one: parseJson')
  })

  test('hashes the canonical text: the order of keys does not matter', async () => {
    const hash = createHash('sha256').update('{"a":1,"b":{"c":2,"d":3}}').digest('hex')
    expect(await sha256({ record: { b: { d: 3, c: 2 }, a: 1 } })).toEqual({
      record: { b: { d: 3, c: 2 }, a: 1, sha256: hash },
    })
    expect(await sha256('a line')).toEqual({
      record: { record: 'a line', sha256: createHash('sha256').update('a line').digest('hex') },
    })
  })

  test('compresses each record by itself, and together they form one .gz file', async () => {
    const records: Payload[] = [{ record: { n: 1 } }, 'plain text', { record: ['ü'] }]
    const members = await Promise.all(records.map(gzip))
    expect(gunzipSync(joinedBytes(members.map(bytesOf))).toString()).toBe('{"n":1}\nplain text\n["ü"]\n')
  })

  test('keeps hostile keys', async () => {
    const payload = await validate(await parseJson('{"__proto__":{"x":1},"constructor":" y "}'))
    expect(bytesOf(payload)).toEqual(new TextEncoder().encode('{"__proto__":{"x":1},"constructor":"y"}\n'))
    expect(canonicalText(JSON.parse('{"b":1,"__proto__":2}'))).toBe('{"__proto__":2,"b":1}')
  })
})
