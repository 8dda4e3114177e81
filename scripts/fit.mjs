// Makes a scenario that reproduces the log of a real system: npm run -s fit -- LOG [--json]
// Prints what src/fit.ts prints and nothing else.
import { runEntry } from './entry.mjs'

await runEntry('src/fit.ts')
