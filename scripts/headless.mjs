// Plays a scenario in the simulation under Node: npm run -s headless -- FILE-OR-LINK [options]
// Prints what src/headless.ts prints and nothing else.
import { runEntry } from './entry.mjs'

await runEntry('src/headless.ts')
