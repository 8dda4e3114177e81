import lighthouse, { desktopConfig } from 'lighthouse'
import type { BenchRow, Tools } from './tools.ts'

const categories = ['performance', 'accessibility', 'best-practices'] as const
/** A port above the others that we use. */
const PORT = 9337

/** The Lighthouse scores of the built page on a slow phone and on a desktop: the best of several rounds, because other work can only lower them. */
export default async function scores({ quick, launch, serve }: Tools): Promise<BenchRow[]> {
  const address = await serve()
  const rows: BenchRow[] = []
  for (const [name, config] of [
    ['a telephone on a slow network', undefined],
    ['a desk', desktopConfig],
  ] as const) {
    const best = Object.fromEntries(categories.map((category) => [`${category} (95)`, 0]))
    for (let round = 0; round < (quick ? 1 : 3); round++) {
      // A new browser each time, because the page keeps its state between visits.
      const browser = await launch({ args: [`--remote-debugging-port=${PORT}`] })
      const result = await lighthouse(
        address,
        { port: PORT, onlyCategories: [...categories], logLevel: 'error' },
        config,
      )
      await browser.close()
      if (result === undefined) throw new Error('Lighthouse has given no result.')
      for (const category of categories)
        best[`${category} (95)`] = Math.max(
          best[`${category} (95)`],
          Math.round(100 * (result.lhr.categories[category].score ?? 0)),
        )
    }
    rows.push({ name, figures: best })
  }
  return rows
}
