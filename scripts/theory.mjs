// Compares the simulation with queueing theory and prints the table of docs/theory.md, or those of docs/scale.md.
//
//   npm run -s theory                          theory and measurements
//   npm run -s theory -- --scale               speed-up against workers, for four round trips
import { join } from 'node:path'
import { importBundled, root } from './bundle.mjs'

const sources = [join(root, 'src'), join(root, 'test/theory')]
if (process.argv.includes('--scale')) {
  const { scaleTables } = await importBundled(join(root, 'test/theory/scale.ts'), sources)
  console.log(await scaleTables())
} else {
  const { theoryTable } = await importBundled(join(root, 'test/theory/table.ts'), sources)
  const { text } = await theoryTable()
  console.log(text)
}
