import { expect, test } from 'vitest'
import russian from '../../src/language/ru.json'
import { shell } from '../../src/shell.tsx'

test('the page can be drawn for the first time where there is no window, in each language, and without a style of its own', () => {
  const pages = [shell(), shell({ locale: 'ru', messages: russian })]
  expect(pages[0]).toContain('No decision yet')
  expect(pages[1]).toContain(russian['No decision yet'])
  for (const page of pages) expect(page).not.toMatch(/\sstyle=|<style/)
  expect(shell()).toBe(pages[0])
})
