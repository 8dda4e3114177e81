// Searches for the scenario in which a policy fails, in the simulation under Node: npm run -s find -- --worse POLICY --than POLICY --measure NAME
// Prints only the output of the command.
import { runNamed } from './command.mjs'

await runNamed('find')
