// Makes a scenario that reproduces the log of a real system: npm run -s fit -- LOG [--json]
// Prints what the command prints and nothing else.
import { runNamed } from './command.mjs'

await runNamed('fit')
