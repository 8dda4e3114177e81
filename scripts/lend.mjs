// Lends threads of this machine to a room: npm run -s lend -- JOIN-LINK [--threads n] [--name text]
// Prints what src/features/room/lendCommand.ts prints and nothing else.
import { runEntry } from './entry.mjs'

await runEntry('src/features/room/lendCommand.ts')
