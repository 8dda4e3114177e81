// Writes the JSON Schema of scenarios, which is published with the app: npm run schema
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importBundled, root } from './bundle.mjs'

const { jsonSchema } = await importBundled(join(root, 'src/scenario/text/jsonSchema.ts'))
// Characters that change the direction of text are written as escapes, so that an editor shows the real order.
const text = JSON.stringify(jsonSchema(), null, 2).replace(
  /[\u2028-\u202e\u2066-\u2069]/g,
  (mark) => `\\u${mark.charCodeAt(0).toString(16)}`,
)
writeFileSync(join(root, 'public/scenario.schema.json'), `${text}\n`)
