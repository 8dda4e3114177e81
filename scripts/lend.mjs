// Lends threads of this machine to a room: npm run -s lend -- JOIN-LINK [--threads n] [--name text]
// Prints what the command prints and nothing else.
import { runNamed } from './command.mjs'

await runNamed('lend')
