import { describe, expect, test } from 'vitest'
import { elementOf, markdownOf } from '../../../../src/app/share/dialog/ShareDialog.tsx'

const page = 'https://apportion.example/play/'

describe('a link in another text', () => {
  test('is Markdown with the result of the run', () => {
    expect(markdownOf('Rush [hour]_', `${page}#s=1a`, 'Finished: 3 of 3 jobs in 3 s.')).toBe(
      `[Rush \\[hour\\]\\_](${page}#s=1a): Finished: 3 of 3 jobs in 3 s.`,
    )
    expect(markdownOf('A', `${page}#s=1a`, null)).toBe(`[A](${page}#s=1a)`)
  })

  test('is the element with the script beside the page, and a link for where that script is blocked', () => {
    const link = `${page}#s=1a&amp;t=5`
    expect(elementOf(page, '#s=1a&t=5', 'A < B')).toBe(
      `<script type="module" src="${page}embed.js"></script>\n<apportion-embed scenario="${link}" height="400"><a href="${link}">A &lt; B</a></apportion-embed>`,
    )
  })
})
