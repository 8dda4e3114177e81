// Searches for the scenario in which a policy fails, in the simulation under Node: npm run -s find -- --worse POLICY --than POLICY --measure NAME
// Prints what src/features/finder/findCommand.ts prints and nothing else.
import { runEntry } from './entry.mjs'

await runEntry('src/features/finder/findCommand.ts')
