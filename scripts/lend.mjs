// Lends threads of this machine to a room: npm run -s lend -- JOIN-LINK [--threads n] [--name text]
// Prints only the output of the command.
import { runNamed } from './command.mjs'

await runNamed('lend')
