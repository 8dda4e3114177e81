// Makes a scenario that reproduces the log of a real system: npm run -s fit -- LOG [--json]
// Prints what src/features/logs/fitCommand.ts prints and nothing else.
import { runEntry } from './entry.mjs'

await runEntry('src/features/logs/fitCommand.ts')
