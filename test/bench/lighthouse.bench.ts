import lighthouse, { desktopConfig } from 'lighthouse'
import type { BenchRow, Tools } from './tools.ts'

const categories = ['performance', 'accessibility', 'best-practices'] as const
/** Somewhere above the ports that other things of ours use. */
const PORT = 9337

/** What Lighthouse says of the built page, as it loads on a slow telephone and on a desk: of several rounds the best, for whatever else a machine does only takes away. */
export default async function scores({ quick, launch, serve }: Tools): Promise<BenchRow[]> {
  const address = await serve()
  const rows: BenchRow[] = []
  for (const [name, config] of [
    ['a telephone on a slow network', undefined],
    ['a desk', desktopConfig],
  ] as const) {
    const best = Object.fromEntries(categories.map((category) => [`${category} (95)`, 0]))
    for (let round = 0; round < (quick ? 1 : 3); round++) {
      // A browser that has not been here before: of a visit the page keeps what was on it.
      const browser = await launch({ args: [`--remote-debugging-port=${PORT}`] })
      const result = await lighthouse(address, { port: PORT, onlyCategories: [...categories], logLevel: 'error' }, config)
      await browser.close()
      if (result === undefined) throw new Error('Lighthouse has given no result.')
      for (const category of categories)
        best[`${category} (95)`] = Math.max(best[`${category} (95)`], Math.round(100 * (result.lhr.categories[category].score ?? 0)))
    }
    rows.push({ name, figures: best })
  }
  return rows
}
