import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { useLater } from '../../../../src/app/base/page/useLater.ts'

let root: Root
let host: HTMLElement
let asked: Map<string, { readonly signal: AbortSignal; answer(text: string): void }>

function Answer({ about }: { readonly about: string | null }) {
  const answer = useLater(
    about,
    (key, signal) => new Promise<string>((resolve) => asked.set(key, { signal, answer: resolve })),
  )
  return <p>{answer ?? 'unknown'}</p>
}

beforeEach(() => {
  asked = new Map()
  host = document.createElement('div')
  document.body.append(host)
  root = createRoot(host)
})

afterEach(() => {
  root.unmount()
  host.remove()
})

test('an answer is shown for its own key only; a late answer for an earlier key is ignored', async () => {
  root.render(<Answer about="a" />)
  await expect.poll(() => asked.has('a')).toBe(true)
  root.render(<Answer about="b" />)
  await expect.poll(() => asked.has('b')).toBe(true)
  expect(asked.get('a')?.signal.aborted).toBe(true)
  asked.get('a')?.answer('about a')
  asked.get('b')?.answer('about b')
  await expect.poll(() => host.textContent).toBe('about b')
  root.render(<Answer about={null} />)
  await expect.poll(() => host.textContent).toBe('unknown')
  expect([...asked.keys()]).toEqual(['a', 'b'])
})
