// Writes the JSON Schema of scenarios, which is published with the app: npm run schema
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importBundled, root } from './bundle.mjs'

const { jsonSchema } = await importBundled(join(root, 'src/scenario/text/jsonSchema.ts'))
writeFileSync(join(root, 'public/scenario.schema.json'), `${JSON.stringify(jsonSchema(), null, 2)}\n`)
