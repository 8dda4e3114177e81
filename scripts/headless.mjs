// Plays a scenario in the simulation under Node: npm run -s headless -- FILE-OR-LINK [options]
// Prints only the output of the command.
import { runNamed } from './command.mjs'

await runNamed('headless')
