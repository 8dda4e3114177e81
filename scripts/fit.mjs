// Makes a scenario that reproduces the log of a real system: npm run -s fit -- LOG [--json]
// Prints only the output of the command.
import { runNamed } from './command.mjs'

await runNamed('fit')
