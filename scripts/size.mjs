// Prints how large the project is: characters without indentation and ends of lines, so that the width of a line does not matter.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

for (const folder of ['src', 'test']) {
  const lines = filesBelow(folder, /\.tsx?$/).flatMap((path) => readFileSync(path, 'utf8').split('\n'))
  const texts = lines.map((line) => line.trimStart()).filter((line) => line !== '')
  const comments = texts.filter((line) => /^(\/\/|\/\*|\*)/.test(line))
  const characters = texts.reduce((sum, line) => sum + [...line].length, 0)
  print(`${folder}, characters`, characters)
  print(`${folder}, comment lines`, `${((100 * comments.length) / texts.length).toFixed(1)}%`)
}
const messages = Object.keys(JSON.parse(readFileSync(join(root, 'src/language/ru.json'), 'utf8')))
print('page, messages', messages.length)
print(
  'page, words',
  messages.reduce((sum, message) => sum + wordsIn(message), 0),
)
for (const [name, paths] of [
  ['docs', filesBelow('docs', /\.md$/)],
  ['README', [join(root, 'README.md')]],
])
  print(
    `${name}, words`,
    paths.reduce((sum, path) => sum + wordsIn(readFileSync(path, 'utf8')), 0),
  )

function filesBelow(folder, pattern) {
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return paths.filter((path) => pattern.test(path)).map((path) => join(root, folder, path))
}

function wordsIn(text) {
  return text.split(/\s+/).filter((word) => word !== '').length
}

function print(name, value) {
  console.log(`${name.padEnd(22)}${typeof value === 'number' ? value.toLocaleString('en') : value}`)
}
