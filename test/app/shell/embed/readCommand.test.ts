import { describe, expect, test } from 'vitest'
import { readAttributes } from '../../../../src/app/shell/embed/readCommand.ts'

describe('the address of a frame', () => {
  const read = (text: string) => readAttributes(new URLSearchParams(text))

  test.each([
    ['', null],
    ['run=', null],
    ['run=simulation', 'simulation'],
    ['run=threads', 'threads'],
    ['run=simulation&run=room', 'simulation'],
    ['lang=ru&lang=xx', null],
    ['theme=dark&lang=ru', null],
    ['theme=light&lang=en', null],
    ['lang=RU-ru', null],
    ['lang=en-GB', null],
    ['hide=everything&other=x', null],
  ])('may say %j', (text, run) => {
    expect(read(text)).toEqual({ run, problems: [] })
  })

  test.each([
    ['run=room', 'run'],
    ['run=Threads', 'run'],
    ['run=threads-x', 'run'],
    ['theme=Dark', 'theme'],
    ['theme=dark-x', 'theme'],
    ['theme=auto', 'theme'],
    ['theme=toString', 'theme'],
    ['lang=xx', 'lang'],
    ['lang=-ru', 'lang'],
  ])('may not say %j: that is reported at its place with what is allowed, and starts nothing', (text, path) => {
    expect(read(text)).toEqual({
      run: null,
      problems: [{ path, message: expect.stringMatching(/found ".*allowed: ".*" or "/) }],
    })
  })

  test('is reported as it is written', () => {
    for (const [key, given] of [
      ['lang', 'XX-YY'],
      ['theme', 'Dark'],
      ['run', 'ROOM'],
    ])
      expect(read(`${key}=${given}`).problems).toEqual([
        { path: key, message: expect.stringContaining(`found "${given}"; `) },
      ])
  })

  test('may be wrong in several places, each of which is named', () => {
    expect(read('run=x&theme=y&lang=z').problems.map(({ path }) => path)).toEqual(['run', 'theme', 'lang'])
  })
})
