// Plays a scenario in the simulation under Node: npm run -s headless -- FILE-OR-LINK [options]
// Prints what the command prints and nothing else.
import { runNamed } from './command.mjs'

await runNamed('headless')
