// Holds the simulation against queueing theory and prints the table of docs/theory.md.
//
//   npm run -s theory
import { join } from 'node:path'
import { importBundled, root } from './bundle.mjs'

const { theoryTable } = await importBundled(join(root, 'test/theory/table.ts'), [join(root, 'src'), join(root, 'test/theory')])
const { text } = await theoryTable()
console.log(text)
