import { expect, test } from 'vitest'
import russian from '../../src/language/ru.json'
import { shell } from '../../src/shell.tsx'

const preset = 'A stage gets five times slower'

test('the page can be rendered without a window, in each language, and without inline styles', () => {
  const pages = [shell(), shell({ locale: 'ru', messages: russian })]
  expect(pages[0]).toContain('No decision yet')
  expect(pages[1]).toContain(russian['No decision yet'])
  // That is, the front page with its scenario, and the whole page below it.
  for (const [page, title] of [
    [pages[0], preset],
    [pages[1], russian[preset]],
  ])
    expect(page).toMatch(new RegExp(`^<section class="front".*${title}`))
  for (const page of pages) expect(page).not.toMatch(/\sstyle=|<style/)
  expect(shell()).toBe(pages[0])
})

/** Technical terms that a person must know or look up. Names of stages, and policies that are only in the menu, do not count. */
const technical =
  /apportionment|arrival|backpressure|ballot|batch|buffer|capacity|controller|core|decision|engine|estimator|fault|fork|job|json|least total time|log\b|makespan|parliament|pipeline|poisson|policy|pool|queue|scheduler|seat|seed|service|shard|sink|simulation|source|stage|target|throughput|timeline|trace|utilisation|vote|web workers|worker/gi

test('at most twelve technical terms stand on either page before the first run', () => {
  const page = shell()
  const whole = page.indexOf('<div class="page"')
  for (const part of [page.slice(0, whole), page.slice(whole)]) {
    const seen = part.replace(
      /<option(?! [^>]*selected)[^>]*>[^<]*<\/option>|<legend class="unseen">[^<]*<\/legend>|<button[^>]*class="back"[^>]*>.*?<\/button>/g,
      '',
    )
    const terms = new Set(
      seen
        .replace(/<[^>]*>/g, ' ')
        .match(technical)
        ?.map((term) => term.toLowerCase()),
    )
    expect(terms.size, [...terms].join()).toBeLessThanOrEqual(12)
    expect(terms.size).toBeGreaterThan(4)
  }
})
