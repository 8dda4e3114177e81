// Makes a run of the spans of a real system: npm run -s import -- FILE [options]
// Prints only the output of the command.
import { runNamed } from './command.mjs'

await runNamed('import')
