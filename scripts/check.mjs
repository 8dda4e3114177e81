// Checks a trace row by row: npm run -s check -- FILE
// Prints only the output of the command.
import { runNamed } from './command.mjs'

await runNamed('check')
