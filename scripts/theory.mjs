// Compares the simulation with queueing theory and prints the tables of docs/theory.md, and those of docs/scale.md.
//
//   npm run -s theory                          theory and measurements
//   npm run -s theory -- --coverage [2000]     how often intervals hold, from that many seeds: 2,000 take some minutes
//   npm run -s theory -- --scale               speed-up against workers, for four round trips
import { join } from 'node:path'
import { importBundled, root } from './bundle.mjs'

const at = process.argv.indexOf('--coverage')
const sources = [join(root, 'src'), join(root, 'test/theory')]
if (process.argv.includes('--scale')) {
  const { scaleTables } = await importBundled(join(root, 'test/theory/scale.ts'), sources)
  console.log(await scaleTables())
} else if (at < 0) {
  const { theoryTable } = await importBundled(join(root, 'test/theory/table.ts'), sources)
  const { text } = await theoryTable()
  console.log(text)
} else {
  const seeds = Number(process.argv[at + 1] ?? 2000)
  if (!(Number.isInteger(seeds) && seeds > 0))
    throw new Error(`--coverage ${process.argv[at + 1]}: allowed: a number of seeds from 1 on`)
  const { coverageOf, coverageRow, coverageHead } = await importBundled(join(root, 'test/theory/coverage.ts'), sources)
  console.log(coverageHead)
  for (const row of coverageOf(seeds)) console.log(coverageRow(row))
}
