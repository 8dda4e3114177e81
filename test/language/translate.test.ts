import { IntlMessageFormat } from 'intl-messageformat'
import { afterEach, describe, expect, test } from 'vitest'
import { fill, piecesIn, speak, t } from '../../src/language/translate.ts'

afterEach(() => speak())

describe('a message', () => {
  const messages = [
    'Run',
    '{title} has begun',
    '{n, number} rows of { title }',
    '{n, plural, =0 {nobody} one {# worker} other {# workers}} at {title}',
    'Bound: {n, plural, one {{title}: # job} other {{title}: # jobs}}, then # is a hash',
    'a < b and a > b',
  ]
  test.each(messages)('reads %s as the whole library of messages does', (message) => {
    for (const locale of ['en', 'ru'])
      for (const n of [0, 1, 2, 5, 11, 21, 1234567]) {
        speak({ locale, messages: {} })
        const values = { n, title: 'Worked example' }
        expect(t(message, values).replaceAll(/\s/gu, ' ')).toBe(
          String(new IntlMessageFormat(message, locale).format(values)).replaceAll(/\s/gu, ' '),
        )
      }
  })

  test('is in the current language, with its plural rules', () => {
    speak({
      locale: 'ru',
      messages: {
        '{n, plural, one {# job} other {# jobs}}':
          '{n, plural, one {# задача} few {# задачи} many {# задач} other {# задачи}}',
      },
    })
    const jobs = [1, 3, 5, 21, 12].map((n) => t('{n, plural, one {# job} other {# jobs}}', { n }))
    expect(jobs).toEqual(['1 задача', '3 задачи', '5 задач', '21 задача', '12 задач'])
    expect(t('not translated')).toBe('not translated')
  })

  test('passes the content of its tags to the caller that draws it', () => {
    const parts = fill(
      piecesIn('Press <key>{name}</key>, or <b>not</b>'),
      { name: 'K' },
      (inside, tag) => [tag, ...inside] as unknown,
    )
    expect(parts).toEqual(['Press ', ['key', 'K'], ', or ', ['b', 'not']])
  })

  test.each([
    '{',
    '{a',
    '{a, select, b {c}}',
    '{n, plural, one {# job}}',
    '{n, plural, other {# jobs}',
    '<b>bold',
    'too }much',
    '<b>x</i>',
  ])('with an error reports it: %s', (message) => {
    expect(() => t(message)).toThrow(SyntaxError)
  })
})
